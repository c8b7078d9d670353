#include "compiler/check/path.hpp"

#include <array>
#include <cmath>

namespace proxima::check {
namespace {

Matrix3 shear(double amount) {
  Matrix3 A = Matrix3::Identity();
  A(0, 1) = amount;
  return A;
}

double plane_stress(const Moduli& m, double s) { return m.youngs_modulus / (1 - m.poissons_ratio) * (s - 1); }

constexpr std::array all{
    Experiment{.measures = solid | surface | edge,
               .key = "uniaxial",
               .title = "Pulled along one axis, sides free",
               .below = "pressed along one axis with free sides",
               .above = "pulled along one axis with free sides",
               .x_label = "stretch",
               .at_rest = 1,
               .lowest = 0.4,
               .highest = 2,
               .prescribed = 1,
               .at = [](double s) -> Matrix3 { return stretch(s, 1, 1); },
               .linear = [](const Moduli& m, double s) { return m.youngs_modulus * (s - 1); }},
    Experiment{.measures = solid | surface,
               .key = "biaxial",
               .title = "Pulled along two axes, thickness free",
               .below = "pressed along two axes with free thickness",
               .above = "pulled along two axes with free thickness",
               .x_label = "stretch",
               .at_rest = 1,
               .lowest = 0.4,
               .highest = 2,
               .prescribed = 2,
               .at = [](double s) -> Matrix3 { return stretch(s, s, 1); },
               .linear = plane_stress},
    Experiment{.measures = solid | surface,
               .key = "shear",
               .title = "Simple shear",
               .below = "sheared backwards",
               .above = "sheared",
               .x_label = "amount of shear",
               .at_rest = 0,
               .lowest = -1,
               .highest = 1,
               .prescribed = 3,
               .at = shear,
               .linear = [](const Moduli& m, double s) { return m.mu * s; }},
    Experiment{.measures = solid,
               .key = "volumetric",
               .title = "Stretched alike in all directions",
               .below = "pressed from all sides",
               .above = "pulled in all directions",
               .x_label = "stretch",
               .at_rest = 1,
               .lowest = 0.4,
               .highest = 2,
               .prescribed = 3,
               .at = [](double s) -> Matrix3 { return stretch(s, s, s); },
               .linear = [](const Moduli& m, double s) { return (3 * m.lambda + 2 * m.mu) * (s - 1); }},
};

// Entries of F above its diagonal and the stretches that are not prescribed; those below would only turn the body.
std::vector<Eigen::Index> free_entries(const Space& space, int prescribed) {
  std::vector<Eigen::Index> entries;
  if (prescribed >= 3) return entries;
  for (Eigen::Index k = 0; k < space.vectors(); ++k)
    for (Eigen::Index i = 0; i <= k; ++i)
      if (i < k || k >= prescribed) entries.push_back(space.index(k, i));
  return entries;
}

// Lowers the energy over the free entries until their stress is nothing beside the scale. False when it cannot.
bool relax(const Context& context, const std::vector<Eigen::Index>& entries, Vector& strain) {
  constexpr int most_iterations = 60, most_halvings = 40;
  constexpr double tolerance = 1e-10;
  const auto count = static_cast<Eigen::Index>(entries.size());
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Vector gradient = context.response.stress(strain)(entries);
    if (!gradient.allFinite()) return false;
    if (count == 0 || gradient.cwiseAbs().maxCoeff() <= tolerance * context.rest.scale) return true;
    Matrix hessian(count, count);
    for (Eigen::Index k = 0; k < count; ++k)
      hessian.col(k) = context.response.tangent(strain, Vector::Unit(strain.size(), entries[k]))(entries);
    const Eigen::LLT<Matrix> factor(hessian);
    if (factor.info() != Eigen::Success) return false;  // the free sides are unstable
    const Vector step = -factor.solve(gradient);
    const double energy = context.response.energy(strain), slope = gradient.dot(step);
    double length = 1;
    for (int halving = 0;; ++halving, length /= 2) {
      Vector trial = strain;
      trial(entries) += length * step;
      const double reached = context.response.energy(trial);
      const double noise = 1e-14 * (std::fabs(energy) + context.rest.scale);
      if (std::isfinite(reached) && reached <= energy + 1e-4 * length * slope + noise) {
        strain = trial;
        break;
      }
      if (halving == most_halvings) return false;
    }
  }
  return false;
}

}  // namespace

std::span<const Experiment> experiments() { return all; }

std::vector<Point> measure(const Context& context, const Experiment& experiment, double end, int count) {
  const Space& space = context.space;
  const auto entries = free_entries(space, experiment.prescribed);
  // The stress read off: of the sheared entry, or along the first axis.
  const Eigen::Index read = experiment.at_rest == 0 ? space.index(1, 0) : space.index(0, 0);
  std::vector<Point> points;
  Vector strain = space.rest();
  for (int k = 0; k <= count; ++k) {
    const double s = experiment.at_rest + (end - experiment.at_rest) * k / count;
    Vector next = space.at(experiment.at(s));
    next(entries) = strain(entries);
    if (!relax(context, entries, next)) break;
    const double stress = context.response.stress(next)[read];
    if (!std::isfinite(stress) || !std::isfinite(context.response.energy(next))) break;
    points.push_back({s, stress, next});
    strain = std::move(next);
  }
  return points;
}

}  // namespace proxima::check
