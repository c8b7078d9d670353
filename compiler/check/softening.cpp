// Where the material gets weaker as it is deformed further, and the curves of stress against stretch.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"
#include "compiler/check/path.hpp"

namespace proxima::check {
namespace {

constexpr int steps_a_curve = 40;

// The first point after which a stress that has grown goes back, or nothing. Where it never grew the rest state is
// unstable, which is a finding of its own.
const Point* turning_point(const std::vector<Point>& points, double sense, double noise) {
  for (std::size_t k = 2; k < points.size(); ++k)
    if (sense * (points[k].stress - points[k - 1].stress) < -noise)
      return sense * (points[k - 1].stress - points[0].stress) > noise ? &points[k - 1] : nullptr;
  return nullptr;
}

}  // namespace

void check_softening(Context& context) {
  const double noise = 1e-9 * context.rest.scale;
  constexpr int steps = 8 * steps_a_curve;
  for (const Experiment& experiment : experiments()) {
    if (!context.is(experiment.measures)) continue;
    double found = 0;  // where it softens on one side, so that the mirror image is no news
    for (const double end : {experiment.highest, experiment.lowest}) {
      const double sense = end < experiment.at_rest ? -1 : 1;
      const char* label = sense < 0 ? experiment.below : experiment.above;
      const std::string key = fmt::format("{}_{}", experiment.key, sense < 0 ? "down" : "up");
      const auto points = measure(context, experiment, end, steps);
      if (const Point* turn = turning_point(points, sense, noise)) {
        context.fact(key, label, fmt::format("softens beyond {} {:.3g}", experiment.x_label, turn->stretch));
        if (found != 0 && std::fabs(turn->stretch + found) < 1e-9) continue;
        found = turn->stretch;
        context.find(Severity::warning, turn->strain,
                     "{}, the material softens: the stress reaches {:.4g} {} at {} {:.3g} and weakens beyond it, so "
                     "that deformation gathers in few elements",
                     label, turn->stress, context.stress_unit, experiment.x_label, turn->stretch);
      } else if (points.size() <= static_cast<std::size_t>(steps)) {
        context.fact(key, label,
                     fmt::format("does not soften up to {} {:.3g}; no equilibrium is found beyond it",
                                 experiment.x_label, points.empty() ? experiment.at_rest : points.back().stretch));
      } else {
        context.fact(key, label, fmt::format("does not soften up to {} {:g}", experiment.x_label, end));
      }
    }
  }
}

std::vector<Curve> curves_of(const Context& context) {
  std::vector<Curve> curves;
  for (const Experiment& experiment : experiments()) {
    if (!context.is(experiment.measures)) continue;
    auto points = measure(context, experiment, experiment.lowest, steps_a_curve);
    std::ranges::reverse(points);
    const auto up = measure(context, experiment, experiment.highest, steps_a_curve);
    if (!points.empty() && !up.empty()) points.pop_back();  // rest is in both
    points.insert(points.end(), up.begin(), up.end());
    if (points.empty()) continue;
    Curve curve{experiment.key,
                experiment.title,
                experiment.x_label,
                fmt::format("nominal stress, {}", context.stress_unit),
                {}};
    Series series{context.energy.name, {}, {}};
    for (const Point& point : points) {
      series.xs.push_back(point.stretch);
      series.ys.push_back(point.stress);
    }
    curve.series.push_back(std::move(series));
    if (context.rest.moduli) {
      const Moduli& moduli = *context.rest.moduli;
      Series linear{context.is(edge)
                        ? fmt::format("linear, {:.4g} {}", moduli.youngs_modulus, context.stiffness_unit)
                        : fmt::format("linear elasticity, E = {:.4g} {}, nu = {:.3g}", moduli.youngs_modulus,
                                      context.stiffness_unit, moduli.poissons_ratio),
                    curve.series[0].xs,
                    {}};
      for (const double s : linear.xs) linear.ys.push_back(experiment.linear(moduli, s));
      curve.series.push_back(std::move(linear));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace proxima::check
