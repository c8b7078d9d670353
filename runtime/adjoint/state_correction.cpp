#include "runtime/adjoint/state_correction.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/contacts.hpp"
#include "runtime/solve/implicit_step.hpp"
#include "runtime/solve/penalty_step.hpp"

namespace proxima::adjoint {
namespace {

// Of what Newton steps leave where there is contact: the last of them is quadratic, so it costs little, and tells a
// loss's error where the parts of it nearly cancel.
constexpr double share_of_contacts = 1e-4;

}  // namespace

StateCorrection::StateCorrection(const solve::Objective& objective, const model::Model& model,
                                 const solve::StepSettings& steps, const AdjointSettings& adjoint)
    : objective_(objective), model_(model), steps_(steps), solver_(objective, adjoint) {
  steps_.solver.method = solve::Method::newton;
}

solve::State StateCorrection::operator()(const solve::SubStep& step, const solve::State& before,
                                         std::span<const double> driven) {
  const auto start = solve::step_start(step.integrator, step.length, before);
  objective_.enter_step({step.end, start.step, start.positions, before.history, driven});
  const solve::Potential potential(objective_, start.positions,
                                   solve::given_force(objective_, model_, step.end, start, before));
  solve::State result = before;
  result.positions = step.after;
  if (objective_.contacts().none())
    solve_free(potential, result.positions);
  else
    resolve_contacts(potential, step, before, result.positions);
  for (std::size_t i = 0; i < result.positions.size(); ++i)
    result.velocities[i] = start.row->inertia ? (result.positions[i] - start.positions[i]) / start.step : 0;
  result.history = objective_.next_history(result.positions);
  return result;
}

void StateCorrection::solve_free(const solve::Potential& potential, std::span<double> x) {
  std::vector<double> residual(x.size());
  const std::vector<double> zero(x.size());
  potential.gradient(x, residual);
  solver_.correct(x, residual, zero, reduction);
  device::add_scaled(x, -1, solver_.solution());
}

void StateCorrection::resolve_contacts(const solve::Potential& potential, const solve::SubStep& step,
                                       const solve::State& before, std::span<double> x) {
  const contact::StepSpan span{step.end - step.length, step.end, before.positions};
  double residual = 0;
  const auto target = [&] {
    return std::max(share_of_contacts * residual, steps_.attainable * objective_.gradient_rounding(x));
  };
  solve::SolverOutcome work;
  if (objective_.contacts().penalty()) {
    solve::PenaltyEquations equations(potential, span, before.velocities);
    equations.contacts().add_near(x);
    residual = equations.evaluate({x.begin(), x.end()}).residual;
    work = solve::solve_penalty(equations, steps_, target(), x).work;
  } else {
    solve::ContactEquations equations(potential, span, before.velocities, steps_.contact.matrix);
    // What bounced is not near any more.
    std::vector<double> met = before.positions;
    device::add_scaled(met, step.length, before.velocities);
    equations.contacts().add_near(met);
    auto found = solve::start_contact(equations, x, solve::StartForces::exact);
    residual = found.residual;
    work = solve::solve_contact(equations, steps_, target(), std::move(found.forces), x).work;
  }
  const bool solved = work.end == solve::SolverEnd::converged || work.end == solve::SolverEnd::rounding;
  if (!solved && !(work.gradient <= reduction * residual))
    fail(
        "the effect of the tolerances cannot be estimated: from the corrected state before it the step with contact to "
        "t = {:.6g} s leaves {:.3g} N and comes down to {:.3g} N only",
        step.end, residual, work.gradient);
}

}  // namespace proxima::adjoint
