#include "runtime/solve/contact_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/contact/condensed.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/anderson.hpp"
#include "runtime/solve/contact_newton.hpp"

namespace proxima::solve {
namespace {

using model::ContactState;

// A Newton step is taken if it lowers the residual by this, and its linear system is not solved better than to this.
constexpr double worthwhile = 0.5, loosest_forcing = 0.1, target_share = 0.1;
// Mixing may let the residual grow by this over a plain proximal step: the map is no descent.
constexpr double leeway = 1.5;
// How many more steps a method may take that takes no Newton steps.
constexpr int without_newton = 10;
constexpr int window = 5;  // of the mixing
// First guesses are compared by exact forces up to so many contacts, else by those of a few sweeps.
constexpr std::size_t most_exact_starts = 150;
constexpr contact::CondensedSettings rough{.tolerance = 1e-2, .max_sweeps = 4};
constexpr double shortest = 1e-6;  // of a step that leaves the energy's domain

class ContactSolution {
 public:
  explicit ContactSolution(ContactEquations& equations, const StepSettings& settings = {}, double target = 0)
      : equations_(equations),
        contacts_(equations.contacts()),
        a_(equations.potential().objective().preconditioner()),
        settings_(settings),
        target_(target),
        mixing_(window),
        rows_(3 * a_.nodes().size()),
        half_(rows_.size()) {}

  // The forces that a proximal step from x finds, and what x leaves undone with them.
  ContactStart start(std::span<const double> x, StartForces wanted) {
    contacts_.add_near(x);
    now_ = equations_.evaluate({x.begin(), x.end()}, {});
    const double without = now_.residual;
    if (!std::isfinite(without)) return {without, without};
    halve_gradient();
    const bool many = wanted == StartForces::to_compare && contacts_.size() > most_exact_starts;
    ContactPoint with =
        equations_.evaluate(std::move(now_.x), condensed_forces(many ? rough : contact::CondensedSettings{}));
    return {with.residual, without, std::move(with.forces)};
  }

  ContactOutcome run(std::span<double> x, std::vector<double> forces) {
    contacts_.add_near(x);
    now_ = equations_.evaluate({x.begin(), x.end()}, std::move(forces));
    if (contacts_.size() > most_exact_starts) {
      halve_gradient();
      now_ = equations_.evaluate(std::move(now_.x), condensed_forces());
      ++outcome_.work.a_solves;
    }
    reference_ = now_.residual;
    outcome_.work.end = SolverEnd::iterations;
    for (; outcome_.work.iterations < max_iterations(); ++outcome_.work.iterations) {
      if (now_.residual <= target_ && !grows() && !passed()) {
        outcome_.work.end = SolverEnd::converged;
        break;
      }
      if (!method_.newton || !try_newton()) take_proximal();
    }
    std::copy(now_.x.begin(), now_.x.end(), x.begin());
    report();
    return outcome_;
  }

 private:
  int max_iterations() const { return settings_.contact.max_iterations * (method_.newton ? 1 : without_newton); }

  // Whether there are contacts that have not been looked at; they are then, at the present point.
  bool grows() {
    if (!contacts_.add_near(now_.x)) return false;
    mixing_.clear();
    now_ = equations_.evaluate(std::move(now_.x), std::move(now_.forces));
    return true;
  }

  // The same for what was passed through.
  bool passed() {
    if (!contacts_.add_missed(now_.x)) return false;
    mixing_.clear();
    now_ = equations_.evaluate(std::move(now_.x), std::move(now_.forces));
    return true;
  }

  bool try_newton() {
    const double forcing = std::min(loosest_forcing, std::sqrt(now_.residual / reference_));
    const double tolerance = std::max(forcing * now_.residual, target_share * target_);
    equations_.metric(now_.at);
    if (std::exchange(face_metric_, equations_.metrics()) != equations_.metrics()) face_.reset();
    ContactPoint next = newton_step(equations_, now_, tolerance, settings_.solver, face_, outcome_.work);
    if (!(next.residual < worthwhile * now_.residual)) return false;
    ++outcome_.report.newton;
    now_ = std::move(next);
    mixing_.clear();
    grows();
    return true;
  }

  void take_proximal() {
    ++outcome_.report.proximal;
    const std::size_t size = now_.x.size();
    std::vector<double> moved(size);
    halve_gradient();
    // Where the body would go without contact, to see what it would meet there.
    move(moved);
    if (contacts_.add_near(moved)) {
      mixing_.clear();
      now_ = equations_.evaluate(std::move(now_.x), std::move(now_.forces));
    }
    const std::vector<double> forces = condensed_forces();
    equations_.metric(now_.at).add(forces, half_);
    move(moved);
    outcome_.work.a_solves += 2;

    double length = 1;
    std::vector<double> plain = moved;
    while (!std::isfinite(equations_.potential().value(plain).value) && length > shortest) {
      length /= 2;
      for (std::size_t i = 0; i < size; ++i) plain[i] = now_.x[i] + length * (moved[i] - now_.x[i]);
    }
    ContactPoint next = equations_.evaluate(std::move(plain), forces);
    ++outcome_.work.gradients;
    if (length == 1) {
      std::vector<double> f = moved;
      device::add_scaled(f, -1, now_.x);
      auto mixed = mixing_.direction(now_.x, f);
      if (!mixed.empty()) {
        device::add_scaled(mixed, 1, now_.x);
        ContactPoint other = equations_.evaluate(std::move(mixed), forces);
        ++outcome_.work.gradients;
        if (other.residual < leeway * next.residual) next = std::move(other);
      }
    } else {
      mixing_.clear();
    }
    now_ = std::move(next);
  }

  // The half-way vector of -grad g.
  void halve_gradient() {
    std::vector<double> pull(now_.gradient);
    for (double& force : pull) force = -force;
    a_.gather(pull, rows_);
    a_.forward(rows_, half_);
  }

  // From there: the forces of the condensed problem.
  std::vector<double> condensed_forces(contact::CondensedSettings settings = {}) {
    settings.method = method_.condensed;
    const auto& metric = equations_.metric(now_.at);
    std::vector<double> forces = now_.forces, apart(3 * metric.size());
    metric.gather(half_, apart);
    device::add_scaled(apart, 1, equations_.violations(now_));
    std::vector<contact::CondensedContact> law;
    law.reserve(metric.size());
    for (std::size_t c = 0; c < metric.size(); ++c) law.push_back(contacts_.cone(c, now_.at[c]));
    contact::solve_condensed(metric.matrix().data(), law, apart, forces, settings);
    return forces;
  }

  // x + L^-T of the half-way vector.
  void move(std::span<double> result) {
    a_.backward(half_, rows_);
    a_.scatter(rows_, result);
    device::add_scaled(result, 1, now_.x);
  }

  void report() {
    outcome_.work.gradient = now_.residual;
    ContactReport& counts = outcome_.report;
    counts.complementarity = now_.complementarity;
    for (std::size_t c = 0; c < now_.at.size(); ++c) {
      const auto state = equations_.projected(now_, c).state;
      ++(state == ContactState::open ? counts.open : state == ContactState::stick ? counts.stick : counts.slip);
      counts.deepest = std::max(counts.deepest, contacts_.least_gap(c) - now_.at[c].gap);
    }
  }

  ContactEquations& equations_;
  ContactSet& contacts_;
  const Preconditioner& a_;
  StepSettings settings_;
  const ContactMethodRow& method_ = contact_method_row(settings_.contact.method);
  double target_, reference_ = 0;
  Mixing mixing_;
  std::vector<double> rows_, half_;
  std::optional<contact::Face> face_;  // of the last Newton step
  int face_metric_ = 0;                // with which metric
  ContactPoint now_;
  ContactOutcome outcome_;
};

}  // namespace

ContactStart start_contact(ContactEquations& equations, std::span<const double> x, StartForces wanted) {
  return ContactSolution(equations).start(x, wanted);
}

ContactOutcome solve_contact(ContactEquations& equations, const StepSettings& settings, double target,
                             std::vector<double> forces, std::span<double> x) {
  return ContactSolution(equations, settings, target).run(x, std::move(forces));
}

}  // namespace proxima::solve
