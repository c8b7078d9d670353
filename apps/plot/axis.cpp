#include "apps/plot/axis.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::plot {
namespace {

constexpr double kTicksWanted = 6;
constexpr double kDecadesForWholeOnes = 2;  // a shorter logarithmic axis gets ticks between the decades

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy=\"-5\" font-size=\"10\">{}</tspan>", exponent);
}

// Fixed notation where it is short, a mantissa times a power of ten elsewhere. `step` says how many digits are needed.
std::string linear_label(double value, double step, double largest) {
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (step_exponent >= -4 && largest < 1e6) return fmt::format("{:.{}f}", value, std::max(0, -step_exponent));
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  const int digits = std::clamp(exponent - step_exponent, 0, 15);
  return fmt::format("{:.{}f}·{}", value / std::pow(10, exponent), digits, power_of_ten(exponent));
}

std::vector<Tick> linear_ticks(double lower, double upper) {
  const double rough = (upper - lower) / kTicksWanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5., 2., 1.}) {
    if (factor * power >= rough) step = factor * power;
  }
  const double largest = std::max(std::abs(lower), std::abs(upper));
  std::vector<Tick> ticks;
  const double first = std::ceil(lower / step);
  const int count = static_cast<int>(std::floor(upper / step) - first) + 1;
  for (int k = 0; k < count; ++k) {
    const double value = (first + k) * step + 0.0;  // never -0
    ticks.push_back({value, linear_label(value, step, largest)});
  }
  return ticks;
}

}  // namespace

Axis::Axis(const std::vector<double>& values, bool logarithmic, double margin) : logarithmic_(logarithmic) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  lower_ = coordinate(*least);
  upper_ = coordinate(*greatest);
  if (!std::isfinite(upper_ - lower_)) fail("the values to plot, {} to {}, span too much", *least, *greatest);
  // A flat line, or one that is flat but for rounding, still needs a span to be drawn in.
  const double smallest_span = logarithmic ? 1e-3 : 1e-9 * std::max(std::abs(lower_), std::abs(upper_));
  if (upper_ - lower_ <= smallest_span) {
    const double half = logarithmic ? 0.5 : lower_ == 0 ? 1 : 0.1 * std::abs(lower_);
    lower_ -= half;
    upper_ += half;
  }
  const double spare = margin * (upper_ - lower_);
  lower_ -= spare;
  upper_ += spare;
}

double Axis::coordinate(double value) const { return logarithmic_ ? std::log10(value) : value; }

double Axis::place(double value) const { return (coordinate(value) - lower_) / (upper_ - lower_); }

std::vector<Tick> Axis::ticks() const {
  if (!logarithmic_) return linear_ticks(lower_, upper_);
  auto ticks = decade_ticks();
  const auto labelled = std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); });
  return labelled >= 2 ? ticks : linear_ticks(std::pow(10, lower_), std::pow(10, upper_));
}

std::vector<Tick> Axis::decade_ticks() const {
  const int first = static_cast<int>(std::floor(lower_)), last = static_cast<int>(std::ceil(upper_));
  const int stride = std::max(1, static_cast<int>(std::ceil((last - first) / (kTicksWanted + 2))));
  const bool between = upper_ - lower_ < kDecadesForWholeOnes;
  std::vector<Tick> ticks;
  const auto add = [&](int factor, int exponent, bool labelled) {
    const double value = factor * std::pow(10, exponent);
    if (place(value) < 0 || place(value) > 1) return;
    const bool plain = between && first >= -4 && last <= 5;
    const auto scientific = (factor == 1 ? "" : fmt::format("{}·", factor)) + power_of_ten(exponent);
    ticks.push_back({value, !labelled ? "" : plain ? fmt::format("{:g}", value) : scientific});
  };
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride == 0) add(1, exponent, true);
    for (int factor = 2; between && factor < 10; ++factor) add(factor, exponent, factor == 2 || factor == 5);
  }
  return ticks;
}

}  // namespace proxima::plot
