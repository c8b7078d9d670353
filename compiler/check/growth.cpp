// What the energy does at the ends: as an element is pressed to nothing, and as it is pulled without limit.
#include <cmath>

#include "compiler/check/checks.hpp"

namespace proxima::check {
namespace {

struct Path {
  unsigned measures;
  const char* key;
  const char* label;  // continues "under ..."
  bool compression;
  Matrix3 (*at)(double stretch);
};
const Path paths[] = {
    {solid | surface | edge, "uniform_compression", "uniform compression", true,
     [](double s) -> Matrix3 { return stretch(s, s, s); }},
    {solid | surface, "uniaxial_compression", "compression along one axis", true,
     [](double s) -> Matrix3 { return stretch(s, 1, 1); }},
    {solid | surface | edge, "uniform_extension", "uniform extension", false,
     [](double s) -> Matrix3 { return stretch(s, s, s); }},
    {solid | surface, "uniaxial_extension", "extension along one axis", false,
     [](double s) -> Matrix3 { return stretch(s, 1, 1); }},
};

enum class Growth { none, power, slow, overflow, bounded, lower, falling, undefined };

struct Behaviour {
  Growth growth;
  double exponent = 0;  // power
  double limit = 0;     // bounded, lower: the value approached; undefined: the last stretch with a value
  std::string why;      // undefined
};

// Between a stretch at which the energy is finite and one at which it is not: the last finite one, to a thousandth.
double last_finite(const Context& context, const Path& path, double inside, double outside) {
  while (std::fabs(std::log(outside / inside)) > 1e-3) {
    const double middle = std::sqrt(inside * outside);
    (std::isfinite(context.response.energy(context.space.at(path.at(middle)))) ? inside : outside) = middle;
  }
  return inside;
}

// Samples ten times closer to the end each; the last three decide.
Behaviour behaviour(const Context& context, const Path& path) {
  constexpr int decades_down = 6, decades_up = 4;
  std::vector<double> energy;
  double most = context.rest.energy, least = most;
  for (int k = 0; k <= (path.compression ? decades_down : decades_up); ++k) {
    const double s = std::pow(10.0, path.compression ? -k : k);
    const Vector x = context.space.at(path.at(s));
    const double value = context.response.energy(x);
    if (value == INFINITY && most > context.rest.energy) return {Growth::overflow, 0, s, {}};
    if (!std::isfinite(value))
      return {Growth::undefined, 0, last_finite(context, path, path.compression ? 10 * s : s / 10, s),
              context.response.energy_not_finite(x).value_or("")};
    energy.push_back(value);
    most = std::max(most, value);
    least = std::min(least, value);
  }
  const std::size_t last = energy.size() - 1;
  const double step = energy[last] - energy[last - 1], before = energy[last - 1] - energy[last - 2];
  const double noise = 1e-12 * (context.rest.scale + std::fabs(energy[last]));
  if (most - least <= noise) return {Growth::none, 0, 0, {}};
  if (step < -noise && step < 0.5 * before) return {Growth::falling, 0, 0, {}};
  constexpr double least_power = 0.25;  // a square of the logarithm looks like 0.15 here
  if (energy[last - 1] > 0 && step > noise)
    if (const double power = std::log10(energy[last] / energy[last - 1]); power > least_power)
      return {Growth::power, power, 0, {}};
  if (step > noise && step > 0.5 * before) return {Growth::slow, 0, 0, {}};
  return {energy[last] < most - 1e3 * noise ? Growth::lower : Growth::bounded, 0, energy[last], {}};
}

std::string in_words(const Context& context, const Path& path, const Behaviour& found) {
  switch (found.growth) {
    case Growth::none:
      return "does not change";
    case Growth::power:
      return fmt::format("grows like stretch^{}{:.3g}", path.compression ? "-" : "", found.exponent);
    case Growth::slow:
      return "grows like a logarithm or a power of one";
    case Growth::overflow:
      return fmt::format("grows faster than numbers reach (infinite at stretch {:g})", found.limit);
    case Growth::bounded:
      return fmt::format("stays finite: {:.4g} {}", found.limit, context.density_unit);
    case Growth::lower:
      return fmt::format("turns over and ends at {:.4g} {}", found.limit, context.density_unit);
    case Growth::falling:
      return "falls without end";
    case Growth::undefined:
      return fmt::format("is not defined beyond stretch {:.3g}: {}", found.limit, found.why);
  }
  return "";
}

}  // namespace

void check_growth(Context& context) {
  std::string finite;  // paths of compression along which the energy stays finite
  Vector shown;
  for (const Path& path : paths) {
    if (!context.is(path.measures)) continue;
    const Behaviour found = behaviour(context, path);
    context.fact(path.key, fmt::format("under {} the energy", path.label), in_words(context, path, found));
    const Vector strain = context.space.at(path.at(path.compression ? 1e-2 : 1e2));
    if (found.growth == Growth::falling) {
      context.find(Severity::error, strain, "under {} the energy falls without end: nothing holds the element together",
                   path.label);
    } else if (found.growth == Growth::bounded || found.growth == Growth::lower) {
      const std::string clause = fmt::format("under {} {} ({:.4g} {})", path.label,
                                             found.growth == Growth::bounded ? "it stays finite" : "it turns over",
                                             found.limit, context.density_unit);
      if (!path.compression) {
        context.find(Severity::warning, strain,
                     "the energy is not without bound under extension: {}; the material tears rather than stretches",
                     clause);
      } else {
        finite += (finite.empty() ? "" : ", ") + clause;
        shown = strain;
      }
    }
  }
  if (!finite.empty())
    context.find(context.is(solid) ? Severity::warning : Severity::note, shown,
                 "the energy is not without bound as the {} vanishes: {}; elements can be flattened{}",
                 extent(context.energy), finite, context.is(solid) ? " and invert" : "");
}

}  // namespace proxima::check
