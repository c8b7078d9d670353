#include "runtime/adjoint/state_correction.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/contact/penalty_step.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::adjoint {
namespace {

// Of what Newton steps leave where there is contact: the last of them is quadratic, so it costs little, and tells a
// loss's error where the parts of it nearly cancel.
constexpr double share_of_contacts = 1e-4;

}  // namespace

template <class Place>
StateCorrection<Place>::StateCorrection(Place place, const solve::StepSettings& steps, const AdjointSettings& adjoint)
    : place_(std::move(place)), steps_(steps), solver_(system(), adjoint) {
  steps_.solver.method = solve::Method::newton;
}

template <class Place>
solve::State StateCorrection<Place>::operator()(const solve::SubStep& step, const solve::State& before,
                                                std::span<const double> driven) {
  auto state = place_.placed(before);
  const auto start = place_.start(step.integrator, step.length, state);
  place_.enter(step.end, start, state, driven);
  auto x = place_.placed(std::span<const double>(step.after));
  {
    const solve::ImplicitStep implicit{"", step.end, step.length};
    const auto given = place_.given(implicit, start, state, driven);
    if (solve::ContactView<System>(system()).host().contacts().none())
      solve_free(given.potential(), x);
    else
      resolve_contacts(given.potential(), step, before, x);
  }
  place_.move(start, std::move(x), state);
  return place_.on_host(std::move(state));
}

template <class Place>
void StateCorrection<Place>::solve_free(const Potential& potential, Out x) {
  auto residual = system().vector();
  const auto zero = system().vector();
  potential.gradient(x, residual);
  solver_.correct(x, residual, zero, reduction);
  device::add_scaled(x, -1, solver_.solution());
}

template <class Place>
void StateCorrection<Place>::resolve_contacts(const Potential& potential, const solve::SubStep& step,
                                              const solve::State& before, Out x) {
  const contact::StepSpan span{step.end - step.length, step.end, before.positions};
  double residual = 0;
  const auto target = [&] {
    return std::max(share_of_contacts * residual, steps_.attainable * system().gradient_rounding(x));
  };
  solve::SolverOutcome work;
  if (solve::ContactView<System>(system()).host().contacts().penalty()) {
    solve::BasicPenaltyEquations<Potential> equations(potential, span, before.velocities);
    equations.add_near(x);
    equations.contacts().add(step.touching);
    residual = equations.evaluate(solve::copied(x)).residual;
    work = solve::solve_penalty(equations, steps_, target(), x).work;
  } else {
    solve::BasicContactEquations<Potential> equations(potential, span, before.velocities, steps_.contact.matrix);
    equations.add_near(x);
    equations.contacts().add(step.touching);
    auto found = solve::start_contact<Potential>(equations, x, solve::StartForces::exact);
    residual = found.residual;
    work = solve::solve_contact<Potential>(equations, steps_, target(), std::move(found.forces), x).work;
  }
  const bool solved = work.end == solve::SolverEnd::converged || work.end == solve::SolverEnd::rounding;
  if (!solved && !(work.gradient <= reduction * residual))
    fail(
        "the effect of the tolerances cannot be estimated: from the corrected state before it the step with contact to "
        "t = {:.6g} s leaves {:.3g} N and comes down to {:.3g} N only",
        step.end, residual, work.gradient);
}

template class StateCorrection<solve::HostPlace>;
template class StateCorrection<solve::CudaPlace>;

}  // namespace proxima::adjoint
