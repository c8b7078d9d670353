#include "runtime/optimize/gradcheck.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"

namespace proxima::optimize {

namespace {

double slope_along(std::span<const double> gradient, std::span<const double> direction) {
  double slope = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) slope += gradient[i] * direction[i];
  return slope;
}

// f along the line x + epsilon direction.
class Line {
 public:
  Line(const std::function<double(std::span<const double>)>& f, std::span<const double> x,
       std::span<const double> direction)
      : f_(f), x_(x), direction_(direction), moved_(x.size()) {}

  double operator()(double epsilon) {
    for (std::size_t i = 0; i < x_.size(); ++i) moved_[i] = x_[i] + epsilon * direction_[i];
    const double value = f_(moved_);
    if (!std::isfinite(value)) fail("gradient check: the function is not finite at a distance of {}", epsilon);
    return value;
  }

 private:
  const std::function<double(std::span<const double>)>& f_;
  std::span<const double> x_, direction_;
  std::vector<double> moved_;
};

// Central differences extrapolated to a step of zero (Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", 1982):
// their error is a series in e^2, of which each column takes away one more term. The entry that its neighbours agree
// with best is taken, which knows nothing of the slope that it is compared with; neighbours may agree by chance, so no
// entry counts as better than the noise of f over its step.
class Extrapolation {
 public:
  explicit Extrapolation(int per_decade) : factor_(std::pow(10.0, 2.0 / per_decade)) {}

  void add(double epsilon, double difference) {
    constexpr std::size_t columns = 6;
    std::vector<double> row = {difference};
    double factor = factor_;
    for (std::size_t k = 0; k < std::min(last_.size(), columns); ++k, factor *= factor_) {
      row.push_back((factor * row[k] - last_[k]) / (factor - 1));
      double doubt = std::max(std::abs(row[k + 1] - row[k]), std::abs(row[k + 1] - last_[k]));
      if (k + 1 < last_.size()) doubt = std::max(doubt, std::abs(row[k + 1] - last_[k + 1]));
      entries_.push_back({row[k + 1], doubt, epsilon});
    }
    last_ = std::move(row);
  }

  struct Entry {
    double value = std::numeric_limits<double>::quiet_NaN();
    double doubt = std::numeric_limits<double>::infinity();
    double epsilon = 0;
  };
  Entry best(double noise) const {
    Entry result;
    for (const Entry& entry : entries_)
      if (const double doubt = std::max(entry.doubt, noise / entry.epsilon); doubt < result.doubt)
        result = {entry.value, doubt, entry.epsilon};
    return result;
  }

 private:
  double factor_;
  std::vector<double> last_;
  std::vector<Entry> entries_;
};

// Of a function whose second differences over shrinking steps are these: where they no longer fall, that is noise.
double noise_of(const std::vector<double>& second_differences) {
  constexpr std::ptrdiff_t last = 4;
  if (static_cast<std::ptrdiff_t>(second_differences.size()) < last) return 0;
  std::vector<double> smallest(second_differences.end() - last, second_differences.end());
  std::sort(smallest.begin(), smallest.end());
  return smallest[last / 2];
}

// The stretch of rows that spans the decades asked for and whose least order is the largest.
void find_order(TaylorReport& report, const TaylorSettings& settings) {
  const auto span = static_cast<std::size_t>(std::lround(settings.decades * settings.per_decade));
  report.order = -std::numeric_limits<double>::infinity();
  for (std::size_t begin = 0; begin + span < report.rows.size(); ++begin) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = begin + 1; k <= begin + span; ++k) {
      const double order = report.rows[k].order;
      least = std::isfinite(order) ? std::min(least, order) : -std::numeric_limits<double>::infinity();
    }
    if (least > report.order) {
      report.order = least;
      report.order_begin = report.rows[begin].epsilon;
      report.order_end = report.rows[begin + span].epsilon;
    }
  }
}

}  // namespace

double telling_distance(const std::function<double(std::span<const double>)>& f, std::span<const double> x,
                        std::span<const double> gradient, std::span<const double> direction,
                        const TaylorSettings& settings) {
  // A rollout's loss carries some hundred roundings of its own; the remainder falls by 1e4 over two decades.
  constexpr double clear = 1e-7;
  constexpr int decades = 5;
  Line line(f, x, direction);
  const double slope = slope_along(gradient, direction), here = line(0);
  double last = 1;
  for (int decade = 0; decade <= decades; ++decade) {
    const double factor = std::pow(10.0, decade);
    const double epsilon = factor * settings.largest;
    try {
      const double forward = line(epsilon);
      line(-epsilon);  // the test goes both ways, and bounds may be near on one side only
      last = factor;
      if (std::abs((forward - here) - epsilon * slope) > clear * std::max(std::abs(here), std::abs(forward))) break;
    } catch (const Error&) {
      break;
    }
  }
  return last;
}

TaylorReport taylor_test(const std::function<double(std::span<const double>)>& f, std::span<const double> x,
                         std::span<const double> gradient, std::span<const double> direction,
                         const TaylorSettings& settings) {
  TaylorReport report;
  report.slope = slope_along(gradient, direction);
  Line line(f, x, direction);
  const double here = line(0);
  const int count =
      static_cast<int>(std::lround(std::log10(settings.largest / settings.smallest) * settings.per_decade)) + 1;
  Extrapolation extrapolation(settings.per_decade);
  std::vector<double> second_differences;
  const double rounding = std::numeric_limits<double>::epsilon() * std::abs(here);
  const auto compare = [&](double noise) {
    const auto best = extrapolation.best(std::max(noise, rounding));
    report.central = std::abs(best.value - report.slope) / std::abs(report.slope);
    report.central_doubt = best.doubt / std::abs(report.slope);
    report.central_rounding = rounding / (best.epsilon * std::abs(report.slope));
  };
  for (int k = 0; k < count; ++k) {
    TaylorRow row;
    row.epsilon = settings.largest * std::pow(10.0, -static_cast<double>(k) / settings.per_decade);
    double forward = 0, backward = 0;
    try {
      forward = line(row.epsilon);
      backward = line(-row.epsilon);
    } catch (const Error&) {
      // Too far away to be simulated says nothing of the slope here; a hole in the rows would.
      if (!report.rows.empty() || k + 1 == count) throw;
      continue;
    }
    row.zeroth = std::abs(forward - here);
    row.first = std::abs((forward - here) - row.epsilon * report.slope);
    row.order = std::numeric_limits<double>::quiet_NaN();
    if (!report.rows.empty()) row.order = std::log10(report.rows.back().first / row.first) * settings.per_decade;
    const double difference = (forward - backward) / (2 * row.epsilon);
    row.central = std::abs(difference - report.slope) / std::abs(report.slope);
    extrapolation.add(row.epsilon, difference);
    second_differences.push_back(std::abs((forward - here) + (backward - here)));
    compare(0);
    report.rows.push_back(row);
    constexpr double roundings = 100, two_decades = 1e4;
    report.order_shows = report.rows.front().first > roundings * two_decades * rounding;
    find_order(report, settings);
    constexpr double good = 1e-5;  // what differences of a loss that hardly moves are worth, the whole table says
    if (settings.stop_when_passed && report.central_doubt <= good && report.passed()) return report;
  }
  compare(noise_of(second_differences));
  if (report.slope == 0 ||
      std::all_of(report.rows.begin(), report.rows.end(), [](auto& row) { return row.first == 0; }))
    fail("gradient check: the function is constant or linear along the direction, which shows nothing");
  return report;
}

std::string table(const TaylorReport& report) {
  std::string text =
      fmt::format("{:>10} {:>14} {:>14} {:>7} {:>12}\n", "step", "|f change|", "- slope", "order", "central");
  for (const auto& row : report.rows)
    text += fmt::format("{:>10.2e} {:>14.5e} {:>14.5e} {:>7.3f} {:>12.3e}\n", row.epsilon, row.zeroth, row.first,
                        row.order, row.central);
  if (std::isfinite(report.order))
    text += fmt::format("order {:.3f} from {:.1e} to {:.1e}; ", report.order, report.order_begin, report.order_end);
  text += fmt::format("central differences, extrapolated, agree to {:.2e}, themselves good to {:.0e}\n", report.central,
                      report.central_doubt);
  return text;
}

}  // namespace proxima::optimize
