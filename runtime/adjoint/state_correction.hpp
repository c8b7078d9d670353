// A state at the end of an implicit step that is nearer to what solves it than the one that was found.
#pragma once

#include <span>

#include "runtime/adjoint/linear_solve.hpp"
#include "runtime/solve/potential.hpp"
#include "runtime/solve/step.hpp"

namespace proxima::adjoint {

// Of what a correction leaves of a residual.
inline constexpr double reduction = 1e-2;

class StateCorrection {
 public:
  // Keeps references. Linear systems are solved as `adjoint` says, steps with contact go on as `steps` does, by Newton.
  StateCorrection(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& steps,
                  const AdjointSettings& adjoint);

  // From the end of a step that was taken, in the problem that starts from `before`: a Newton step, its linear system
  // solved to a hundredth; where there is contact as many as it takes, since what is open, sticks and slides may be
  // another once it is solved. Enters that step. Throws Error naming the time where contacts are not resolved.
  solve::State operator()(const solve::SubStep& step, const solve::State& before, std::span<const double> driven);

 private:
  void solve_free(const solve::Potential& potential, std::span<double> x);
  void resolve_contacts(const solve::Potential& potential, const solve::SubStep& step, const solve::State& before,
                        std::span<double> x);

  const solve::Objective& objective_;
  const model::Model& model_;
  solve::StepSettings steps_;
  AdjointSolver solver_;
};

}  // namespace proxima::adjoint
