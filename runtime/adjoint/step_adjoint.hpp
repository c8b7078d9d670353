// The adjoint of one implicit Euler step, which is what every step of an integrator and every sub-step is:
//   r = I (x - x*) - M v*/h - M gravity - f(x_n, v_n) + dE/dx(x; x*, q_n, theta, X) = 0 on free nodes, x given on held
//   ones,
//   v = (x - x*)/h,   q = Q(x; x*, q_n, theta),
// with h, x* and v* of solve/step_start.hpp. From the derivatives of all that follows by x, v and q it makes those by
// the states before, and adds those by all else to the gradient:
//   b = dL/dx + dL/dv/h + Q_x^T dL/dq,   H z = b on free nodes, z = 0 on held ones,
//   by any input: - z . dr/d(input) + dL/dq . dQ/d(input);   by where a node is held: b - H z there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/linear_solve.hpp"
#include "runtime/adjoint/step_contacts.hpp"
#include "runtime/solve/step_start.hpp"

namespace proxima::adjoint {

// Derivatives of all that follows by a state.
struct Bars {
  std::vector<double> x, v, q;
};

struct ForwardStep {
  int number = 0;              // of the whole step, from 1 on
  std::string name;            // for messages
  double end = 0;              // s
  const solve::State& before;  // the state that the body was in
  solve::StepStart start;
  std::span<const double> after;   // positions
  std::span<const double> driven;  // what controllers set in it
  bool first = true;               // false for sub-steps after the first
};

// Where a linear solve starts from, the residual that may stay, and to what share of the rest it goes. `left` may be
// empty: none.
struct Guess {
  std::span<const double> z, left;
  double reduction;
};

class StepAdjoint {
 public:
  // `gradient` gets the shape of the model, all zero. Throws Error where the gradient by the rest shape is wanted and
  // there is none.
  StepAdjoint(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
              Gradient& gradient);

  // `at`: by the state after the step, in, and by the one before it, out. `earlier`: on that one by later steps, in,
  // and on the one before it by this step, out: of integrators that look at two states, which are those at the ends of
  // whole steps. Adds to the gradient and its evidence. Throws Error naming the step when the linear solve does not
  // come down; with a guess it goes as far as it goes.
  void operator()(const ForwardStep& step, Bars& at, Bars& earlier, const std::optional<Guess>& guess = {});
  // Of the step done last: dL by the nodal force in it.
  std::span<const double> force() const { return z_; }
  std::span<const double> residual() const { return left_; }  // b - H z of a step with a guess, empty: nothing

  // By what controllers set, of all steps since it was last taken.
  std::vector<double> take_driven();

  // By the initial state: `at` on held nodes goes to their motion at time 0.
  void start(Bars& at);
  // What was gathered over all steps.
  void finish();

 private:
  void solve(const ForwardStep& step, std::span<const double> b, const std::optional<Guess>& guess);
  derive::Quantity product(const ForwardStep& step) const;  // with the H that is inverted
  void add_mass(const ForwardStep& step);
  void add_forces(const ForwardStep& step, Bars& before);
  // `by_x`: what positions get by other ways than H z.
  void add_motions(const ForwardStep& step, std::span<const double> by_x);

  const solve::Objective& objective_;
  const model::Model& model_;
  AdjointSettings settings_;
  Gradient& gradient_;
  AdjointSolver solver_;
  std::unique_ptr<StepContacts> contact_;  // of the step done last, where contacts carry forces
  std::vector<double> z_, minus_z_, left_;
  std::vector<std::vector<double>> by_volume_;  // [region][node of its nodal volume]
  // Held nodes' motions move with both, so each needs the other while one of them is wanted.
  std::vector<model::MotionGradient> motions_;
  std::vector<double> by_rest_;
};

}  // namespace proxima::adjoint
