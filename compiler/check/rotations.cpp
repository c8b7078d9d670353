// What turning changes: the body as a whole (nothing may change), or the material in the body (nothing changes where it
// is isotropic).
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/check/checks.hpp"

namespace proxima::check {
namespace {

constexpr double tolerance = 1e-8;

struct Turn {
  double degrees;
  const char* axis;
  double x, y, z;
  Matrix3 matrix() const { return rotation(degrees * std::acos(-1.0) / 180, x, y, z); }
};
constexpr Turn turns[] = {
    {30, "z", 0, 0, 1}, {90, "x", 1, 0, 0}, {90, "y", 0, 1, 0}, {180, "z", 0, 0, 1}, {120, "(1, 1, 1)", 1, 1, 1}};

// The greatest change seen, relative, and the first that is more than rounding: states come simplest first.
struct Changes {
  double worst = 0;
  const Turn* turn = nullptr;  // of the first
  Vector strain;
  double before = 0, after = 0;  // energies

  void see(double change, const Turn& t, const Vector& at, double energy_before, double energy_after) {
    worst = std::max(worst, change);
    if (turn != nullptr || !(change > tolerance)) return;
    turn = &t;
    strain = at;
    before = energy_before;
    after = energy_after;
  }
};

// |b - a| relative to the larger of |a| and the scale; infinite where only one of them is finite.
double difference(double a, double b, double scale) {
  if (std::isfinite(a) != std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return std::isfinite(a) ? std::fabs(b - a) / std::max(std::fabs(a), scale) : 0;
}

// The body turned, and with it the strain of the previous step where `previous_too`.
Changes turn_body(const Context& context, bool previous_too) {
  Changes changes;
  const Space& space = context.space;
  const double scale = context.rest.scale;
  for (const Turn& turn : turns) {
    const Matrix3 R = turn.matrix();
    const Response turned_response =
        previous_too ? context.response.after(context.energy, space.at(R)) : context.response;
    for (const State& state : states()) {
      const Vector x = space.at(state.A), turned = space.apply(R, x);
      const double before = context.response.energy(x), after = turned_response.energy(turned);
      changes.see(difference(before, after, scale), turn, x, before, after);
      if (!std::isfinite(before) || !std::isfinite(after)) continue;
      const Vector expected = space.apply(R, context.response.stress(x)), found = turned_response.stress(turned);
      const double size = std::max(expected.cwiseAbs().maxCoeff(), scale);
      changes.see((found - expected).cwiseAbs().maxCoeff() / size, turn, x, before, after);
    }
  }
  return changes;
}

// Whether rotations cost nothing to first order at rest: no stress, and none from an infinitesimal rotation.
double first_order_resistance(const Context& context) {
  const double stress = context.rest.stress.cwiseAbs().maxCoeff();
  const double change = (context.rest.hessian * rigid_motions(context.space)).cwiseAbs().maxCoeff();
  return std::max(stress, change) / context.rest.scale;
}

void report_rotation(Context& context, const Changes& changes, const char* what) {
  if (changes.turn == nullptr) return;
  const double first_order = first_order_resistance(context);
  const std::string sentence =
      fmt::format("{}: turning the body by {:g} degrees about {} at {} changes it from {:.4g} to {:.4g} {}", what,
                  changes.turn->degrees, changes.turn->axis, context.space.text(changes.strain), changes.before,
                  changes.after, context.density_unit);
  if (first_order <= tolerance)
    context.find(
        Severity::warning, changes.strain,
        "{}; for infinitesimal rotations it does not, so the material is right where nothing turns much, as in "
        "linear elasticity",
        sentence);
  else
    context.find(Severity::error, changes.strain, "{}, and even infinitesimal rotations are resisted", sentence);
}

void check_translations(Context& context) {
  double worst = 0;
  for (const State& state : states()) {
    const Vector x = context.space.at(state.A);
    const double before = context.response.energy(x);
    const double after = context.response.energy(context.space.shifted(x, {0.3, -0.2, 0.5}));
    worst = std::max(worst, difference(before, after, context.rest.scale));
  }
  context.fact("translation_error", "worst relative change when the body is moved", worst);
  if (worst > tolerance && context.space.vectors() == 1)  // could be nothing else
    context.find(Severity::note, context.space.rest(),
                 "the energy is of where one node is: it holds the body to a place, and is no material");
  else if (worst > tolerance)
    context.find(Severity::error, context.space.rest(),
                 "the energy depends on where the body is: moving all nodes by (0.3, -0.2, 0.5) m changes it by {:.2g} "
                 "of its size",
                 worst);
}

}  // namespace

Matrix rigid_motions(const Space& space) {
  const Eigen::Index shifts = space.measure() == ir::Measure::node_positions ? 3 : 0;
  Matrix motions = Matrix::Zero(space.size(), 3 + shifts);
  for (int axis = 0; axis < 3; ++axis) {
    Matrix3 spin = Matrix3::Zero();
    spin((axis + 1) % 3, (axis + 2) % 3) = -1;
    spin((axis + 2) % 3, (axis + 1) % 3) = 1;
    motions.col(axis) = space.at(spin);
    if (shifts > 0) motions.col(3 + axis) = space.shifted(Vector::Zero(space.size()), Eigen::Vector3d::Unit(axis));
  }
  return motions;
}

void check_rotations(Context& context) {
  const Changes changes = turn_body(context, true);
  context.fact("rotation_error", "worst relative change when the body is turned", changes.worst);
  context.fact("frame_indifferent", "frame-indifferent", changes.worst <= tolerance);
  report_rotation(context, changes, "the energy is not frame-indifferent");
  if (context.energy.find(ir::InputKind::previous_strain) != nullptr) {
    const Changes alone = turn_body(context, false);
    context.fact("rotation_alone_error", "the same when it is turned within the step", alone.worst);
    if (changes.turn == nullptr) report_rotation(context, alone, "a rotation within a time step counts as deformation");
  }
  if (context.is(stencil)) check_translations(context);
}

void check_isotropy(Context& context) {
  Changes changes;
  const Eigen::Index vectors = context.space.vectors();
  for (const State& state : states()) {
    const Vector x = context.space.at(state.A);
    const double energy = context.response.energy(x);
    for (const Turn& turn : turns) {
      if (context.is(surface) && turn.x + turn.y != 0) continue;  // leaves the plane
      // The body is turned back after it, which matters only where that changes the energy.
      const Matrix3 Q = turn.matrix();
      const double after = context.response.energy(
          context.space.apply(Q.transpose(), context.space.combined(x, Q.topLeftCorner(vectors, vectors))));
      changes.see(difference(energy, after, context.rest.scale), turn, x, energy, after);
    }
  }
  context.fact("isotropy_error", "worst relative change when the material is turned", changes.worst);
  context.fact("isotropic", "isotropic", changes.worst <= tolerance);
  if (changes.worst > tolerance)
    context.find(
        Severity::note, changes.strain,
        "the material is not isotropic: with the material turned by {:g} degrees about {}, the energy at {} is "
        "{:.4g} in place of {:.4g} {}",
        changes.turn->degrees, changes.turn->axis, context.space.text(changes.strain), changes.after, changes.before,
        context.density_unit);
}

}  // namespace proxima::check
