#include "runtime/solve/contact/contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_newton.hpp"
#include "runtime/solve/contact/contact_proximal.hpp"
#include "runtime/solve/contact/sticking_sets.hpp"
#include "runtime/solve/methods/descent.hpp"
#include "runtime/solve/methods/then_newton.hpp"

namespace proxima::solve {
namespace {

using model::ContactState;

// A Newton step is taken if it lowers the residual by this, and its linear system is not solved better than to a share
// of the target. Else it is solved, first, to the first of these shares of the residual, and then to what the step
// before left beyond its own system, within the others (Eisenstat and Walker 1996, their first choice): where contacts
// still change, closer solves are lost, and where they do not, the next step has less to do.
constexpr double worthwhile = 0.5, target_share = 0.1;
constexpr double first_forcing = 0.03, tightest_forcing = 1e-3, loosest_forcing = 0.1;
// Newton steps that may follow one that is not taken.
constexpr int most_followed = 2;
// How many more steps a method may take that takes no Newton steps.
constexpr int without_newton = 10;
// First guesses are compared by exact forces up to so many contacts, else by those of a few sweeps.
constexpr std::size_t most_exact_starts = 150;
constexpr contact::CondensedSettings rough{.tolerance = 1e-2, .max_sweeps = 4};
// Of steps at the rounding of positions that do not lower the residual by as much as a Newton step has to.
constexpr int patience = 2;

std::string name_of(const model::ContactKey& key) {
  const auto& n = key.nodes;
  if (key.kind == model::ContactKind::edge_edge) return fmt::format("edge {}-{} at edge {}-{}", n[0], n[1], n[2], n[3]);
  return fmt::format("node {}", n[0]);
}

template <class P>
class ContactSolution {
 public:
  using System = typename P::System;
  using In = typename System::In;
  using Out = typename System::Out;
  using Equations = BasicContactEquations<P>;
  using Point = typename Equations::Point;

  explicit ContactSolution(Equations& equations, const StepSettings& settings = {}, double target = 0)
      : equations_(equations),
        contacts_(equations.contacts()),
        settings_(settings),
        target_(target),
        proximal_(equations, settings.solver, settings.contact.condensed, target) {}

  // The forces that a proximal step from x finds, and what x leaves undone with them.
  ContactStart start(In x, StartForces wanted) {
    equations_.add_near(x);
    now_ = equations_.evaluate(copied(x), {});
    const double without = now_.residual;
    if (!std::isfinite(without)) return {without, without};
    const bool many = wanted == StartForces::to_compare && contacts_.size() > most_exact_starts;
    auto forces = proximal_.forces(now_, many ? rough : contact::CondensedSettings{});
    Point with = equations_.evaluate(std::move(now_.x), std::move(forces));
    return {with.residual, without, std::move(with.forces)};
  }

  ContactOutcome run(Out x, std::vector<double> forces) {
    equations_.add_near(x);
    now_ = equations_.evaluate(copied(x), std::move(forces));
    if (contacts_.size() > most_exact_starts) {
      auto exact = proximal_.forces(now_);
      now_ = equations_.evaluate(std::move(now_.x), std::move(exact));
      ++outcome_.work.a_solves;
    }
    reference_ = now_.residual;
    WhileItGetsOn gets_on(reference_);
    bool newton = method_.newton == FaceSteps::at_once;
    outcome_.work.end = SolverEnd::iterations;
    for (; outcome_.work.iterations < max_iterations(); ++outcome_.work.iterations) {
      if (!std::isfinite(now_.residual)) break;  // left the domain so far that no shorter step was in it
      if (now_.residual <= target_ && !grows() && !passed()) {
        outcome_.work.end = SolverEnd::converged;
        break;
      }
      if (exhausted() && !grows() && !passed()) {
        outcome_.work.end = SolverEnd::rounding;
        break;
      }
      newton = newton || (method_.newton == FaceSteps::when_slow && !gets_on(now_.residual));
      if (newton && try_newton()) continue;
      ++outcome_.report.proximal;
      now_ = proximal_.take(std::move(now_), outcome_.work);
      if (proximal_.stuck()) break;
    }
    device::copy(now_.x, x);
    report();
    return outcome_;
  }

 private:
  int max_iterations() const {
    return settings_.contact.max_iterations * (method_.newton == FaceSteps::at_once ? 1 : without_newton);
  }

  // Whether there are contacts that have not been looked at; they are then, at the present point.
  bool grows() { return added(equations_.add_near(now_.x)); }
  // The same for what was passed through.
  bool passed() { return added(equations_.add_missed(now_.x)); }
  bool added(bool any) {
    if (!any) return false;
    proximal_.forget();
    sets_.forget();
    to_try_.clear();
    now_ = equations_.evaluate(std::move(now_.x), std::move(now_.forces));
    return true;
  }

  // Whether the residual is what rounding of positions explains, and steps do not lower it any more. The point is then
  // the one where it is lowest.
  bool exhausted() {
    if (!(now_.residual <= gradient_noise * equations_.objective().gradient_rounding(now_.x))) return false;
    const bool anew = lowest_.x.size() == 0 || lowest_.at.size() != now_.at.size();
    if (anew || now_.residual < worthwhile * lowest_.residual) fruitless_ = 0;
    if (anew || now_.residual < lowest_.residual) lowest_ = copied(now_);
    if (++fruitless_ <= patience) return false;
    now_ = copied(lowest_);
    return true;
  }

  bool try_newton() {
    const double forcing = std::min(forcing_, std::sqrt(now_.residual / reference_));
    const double tolerance = std::max(forcing * now_.residual, target_share * target_);
    equations_.metric(now_.at);
    const auto states = to_try_.size() == now_.at.size() ? std::exchange(to_try_, {}) : equations_.states(now_);
    Point next = newton_from(now_, states, tolerance);
    // In this order, so that a residual that is no number gives the loosest.
    forcing_ = std::max(tightest_forcing, std::min(loosest_forcing, (next.residual - tolerance) / now_.residual));
    if (!is_worthwhile(next) && !choose_set(states, next) && !follow(next, tolerance)) return false;
    ++outcome_.report.newton;
    now_ = std::move(next);
    proximal_.forget();
    grows();
    return true;
  }

  bool is_worthwhile(const Point& next) const { return next.residual < worthwhile * now_.residual; }

  Point newton_from(const Point& from, std::span<const ContactState> states, double tolerance) {
    if (std::exchange(face_metric_, equations_.metrics()) != equations_.metrics()) face_.reset();
    return newton_step(equations_, from, states, tolerance, settings_.solver, face_, outcome_.work);
  }

  // A step on the wrong face ends with forces that no contact can have, but shows a better face. So what is refused is
  // followed, and taken if it is worth it then.
  bool follow(Point& next, double tolerance) {
    if (contacts_.all_static()) return false;
    for (int k = 0; k < most_followed && std::isfinite(next.residual); ++k) {
      equations_.metric(next.at);
      next = newton_from(next, equations_.states(next), std::max(tolerance, first_forcing * next.balance));
      if (is_worthwhile(next)) return true;
    }
    return false;
  }

  // Where all contacts have static friction a step that solves its set is worth it though that is not the right one:
  // it shows which to try next.
  bool choose_set(const StickingSets::Set& tried, const Point& next) {
    if (!contacts_.all_static() || !std::isfinite(next.residual) || !(next.balance < worthwhile * now_.residual))
      return false;
    to_try_ = sets_.next(tried, equations_.states(next));
    return !to_try_.empty();
  }

  void report() {
    outcome_.work.gradient = now_.residual;
    ContactReport& counts = outcome_.report;
    counts.complementarity = now_.complementarity;
    for (std::size_t c = 0; c < now_.at.size(); ++c) {
      if (is_tie(contacts_.keys()[c])) continue;
      const auto state = equations_.projected(now_, c).state;
      if (contacts_.keys()[c].kind == model::ContactKind::node_obstacle)
        mesh::add(counts.obstacle_force, 1, mesh::vector_at(now_.forces, c));
      if (state != ContactState::open) counts.touching.push_back(contacts_.keys()[c]);
      ++(state == ContactState::open ? counts.open : state == ContactState::stick ? counts.stick : counts.slip);
      counts.deepest = std::max(counts.deepest, contacts_.least_gap(c) - now_.at[c].gap);
    }
    if (outcome_.work.end != SolverEnd::iterations) return;
    if (const auto torn = sets_.torn())
      outcome_.why = fmt::format(
          "with static friction no set of sticking contacts was found that holds ({} tried), {} is pulled where it "
          "sticks and goes in where it is let go",
          sets_.count(), name_of(contacts_.keys()[*torn]));
  }

  Equations& equations_;
  ContactSet& contacts_;
  StepSettings settings_;
  const ContactMethodRow& method_ = contact_method_row(settings_.solver.method);
  double target_, reference_ = 0;
  ProximalSteps<P> proximal_;
  std::optional<FaceForces<System>> face_;  // of the last Newton step
  int face_metric_ = 0;                     // with which metric
  Point now_, lowest_;
  StickingSets sets_;
  StickingSets::Set to_try_;  // by the next Newton step; empty: what its point shows
  double forcing_ = first_forcing;
  int fruitless_ = 0;  // steps since the residual was halved
  ContactOutcome outcome_;
};

}  // namespace

template <class P>
ContactStart start_contact(BasicContactEquations<P>& equations, typename P::System::In x, StartForces wanted) {
  return ContactSolution<P>(equations).start(x, wanted);
}

template <class P>
ContactOutcome solve_contact(BasicContactEquations<P>& equations, const StepSettings& settings, double target,
                             std::vector<double> forces, typename P::System::Out x) {
  return ContactSolution<P>(equations, settings, target).run(x, std::move(forces));
}

template ContactStart start_contact(ContactEquations&, std::span<const double>, StartForces);
template ContactStart start_contact(BasicContactEquations<CudaPotential>&, const device::CudaVector&, StartForces);
template ContactOutcome solve_contact(ContactEquations&, const StepSettings&, double, std::vector<double>,
                                      std::span<double>);
template ContactOutcome solve_contact(BasicContactEquations<CudaPotential>&, const StepSettings&, double,
                                      std::vector<double>, device::CudaVector&);

}  // namespace proxima::solve
