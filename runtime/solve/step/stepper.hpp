// Steps of a model one after the other, the state staying where the body lives between them.
#pragma once

#include <functional>
#include <memory>

#include "runtime/solve/step/step.hpp"

namespace proxima::solve {

class Stepper {
 public:
  virtual ~Stepper() = default;

  // As solve::advance, from the state that the last step led to, which stays where it cannot be solved.
  virtual StepReport advance(int step) = 0;
  // That state. On a GPU it is on its way when this returns, and there when what is returned is called, once, before
  // the next but one is asked for: the next step can be taken meanwhile.
  virtual std::function<State()> state() = 0;
  // Whether that is worth a step's delay.
  virtual bool streams() const = 0;
};

// Objective, model and settings must stay as they are. On the GPU where the objective uses one.
std::unique_ptr<Stepper> make_stepper(const Objective& objective, const model::Model& model,
                                      const StepSettings& settings, const State& start);

// Called after each step: steps done so far (1 for the first), the state and how it was found.
using StepCallback = std::function<void(int, const State&, const StepReport&)>;

// The steps from `first` on, before `last`, of a stepper that has done those before; from a GPU each state comes while
// the next step is taken. What a step throws comes after all states before it.
void run_steps(Stepper& stepper, int first, int last, const StepCallback& each);

}  // namespace proxima::solve
