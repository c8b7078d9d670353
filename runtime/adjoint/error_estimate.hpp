// What the tolerances of a rollout and of its adjoint do to loss and gradient. Both are corrected once more, to a
// hundredth of what is left, and compared with what was found:
//   forward   y_{n+1} = x_{n+1} - H^-1 grad g(x_{n+1}; y_n): a Newton step in the problem that starts where the
//             corrected step before ended, so that errors add up over the steps as they do in the rollout; with contact
//             as many as it takes (state_correction.hpp);
//   adjoint   z + H^-1 (b - H z) at the states as they are, and at the corrected ones; with contact as exactly as
//             rounding lets it.
// H is the exact one, so that a filter counts as an error of the adjoint. First order: what remains is the square of
// the error, and a hundredth of it. Holds all corrected states, whatever a tape keeps. A step that was halved is solved
// once more.
#pragma once

#include "runtime/adjoint/loss_sweep.hpp"
#include "runtime/adjoint/touching_adjoint.hpp"

namespace proxima::adjoint {

// |a - b|/|b| of each part of two gradients that is not zero (initial positions, one parameter of one region, ...), and
// the part where it is largest.
PartError largest_difference(const model::Model& model, const Gradient& a, const Gradient& b);

template <class Place>  // HostSweep, or CudaSweep, as the sweep's
class ErrorEstimate {
 public:
  ErrorEstimate(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& step_settings,
                const AdjointSettings& settings, const Loss& loss, Tape& tape);

  // To be called as the sweep goes backward, in its order: the loss's derivatives at a frame (LossSweep), then each
  // implicit step that led there, `z` its solution. Enters steps.
  void frame(int frame, const solve::State& state, const solve::State* before);
  void step(const ForwardStep<Place>& step, const typename Place::Vector& z);
  // After those of a whole step, which started from `before`: what its controllers pass on.
  void controls(int step, const solve::State& before);
  // After frame 0.
  ErrorEvidence finish(const Gradient& found);

 private:
  struct Corrected {
    Corrected(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
              const Loss& loss);
    void frame(int frame, const solve::State& state, const solve::State* before);
    void controls(const solve::Controls& controls, int step, const solve::State& before);
    Gradient gradient{};
    std::unique_ptr<StepAdjoint<Place>> adjoint;
    Bars<Place> at, earlier;
    LossSweep losses;
  };

  const solve::Objective& objective_;
  const model::Model& model_;
  std::vector<solve::State> states_;         // corrected: at the start, and after each implicit step
  std::vector<std::size_t> frames_;          // those among them that end whole steps, the start first
  std::vector<std::vector<double>> driven_;  // what controllers set from these, of each whole step
  std::size_t at_;                           // of the sweep, in the states
  Corrected linear_, both_;                  // at the states as they are, and at the corrected ones
};

}  // namespace proxima::adjoint
