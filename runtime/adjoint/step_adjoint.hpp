// The adjoint of one implicit Euler step, which is what every step of an integrator and every sub-step is:
//   r = I (x - x*) - M v*/h - M gravity - f(x_n, v_n) + dE/dx(x; x*, q_n, theta, X) = 0 on free nodes, x given on held
//   ones,
//   v = (x - x*)/h,   q = Q(x; x*, q_n, theta),
// with h, x* and v* of solve/step_start.hpp. From the derivatives of all that follows by x, v and q it makes those by
// the states before, and adds those by all else to the gradient:
//   b = dL/dx + dL/dv/h + Q_x^T dL/dq,   H z = b on free nodes, z = 0 on held ones,
//   by any input: - z . dr/d(input) + dL/dq . dQ/d(input);   by where a node is held: b - H z there.
// Written once for wherever the sweep is.
#pragma once

#include <optional>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/sweep_step.hpp"
#include "runtime/adjoint/system_solver.hpp"

namespace proxima::adjoint {

template <class Place>  // HostSweep, or CudaSweep
class StepAdjoint {
 public:
  using Step = ForwardStep<Place>;
  using Vector = typename Place::Vector;
  using In = typename Place::In;

  // `gradient` gets the shape of the model, all zero. Keeps references. Throws Error where the gradient by the rest
  // shape is wanted and there is none.
  StepAdjoint(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
              Gradient& gradient);
  virtual ~StepAdjoint() = default;
  StepAdjoint(const StepAdjoint&) = delete;
  StepAdjoint& operator=(const StepAdjoint&) = delete;

  // `at`: by the state after the step, in, and by the one before it, out. `earlier`: on that one by later steps, in,
  // and on the one before it by this step, out: of integrators that look at two states, which are those at the ends of
  // whole steps. Adds to the gradient and its evidence. Throws Error naming the step when the linear solve does not
  // come down; with a guess it goes as far as it goes.
  void operator()(const Step& step, Bars<Place>& at, Bars<Place>& earlier,
                  const std::optional<Guess<Place>>& guess = {});
  // Of the step done last: dL by the nodal force in it.
  const Vector& force() const { return z_; }
  const Vector* residual() const { return has_left_ ? &solver_.residual() : nullptr; }  // b - H z, where left to stay

  // By what controllers set, of all steps since it was last taken.
  std::vector<double> take_driven();

  // By the initial state: `at` on held nodes goes to their motion at time 0.
  void start(Bars<Place>& at);
  // What was gathered over all steps.
  void finish();

  Place& place() { return place_; }

 protected:
  // z of H z = b; b is zero on held nodes.
  virtual SolveEvidence find(const Step& step, const Vector& b, const std::optional<Guess<Place>>& guess);
  // What contacts add: to what positions get by other ways than H z, to the gradient, and to the state before.
  struct Passed {
    Vector x, v;
  };
  virtual std::optional<Passed> add_contacts(Vector& /*by_x*/) { return {}; }

  derive::Quantity product(const Step& step) const;  // with the H that is inverted
  const solve::Objective& objective() const { return objective_; }
  const model::Model& model() const { return model_; }
  const AdjointSettings& settings() const { return settings_; }
  Gradient& gradient() { return gradient_; }
  Vector& z() { return z_; }
  Vector* by_rest() { return settings_.rest_shape ? &by_rest_ : nullptr; }  // null: not wanted

 private:
  void solve(const Step& step, const Vector& b, const std::optional<Guess<Place>>& guess);
  void add_forces(const Step& step, Bars<Place>& before);
  // `by_x`: what positions get by other ways than H z.
  void add_motions(const Step& step, const Vector& by_x);
  // Held nodes' motions move with both, so each needs the other while one of them is wanted.
  bool wants_motions() const { return settings_.motions || settings_.rest_shape; }

  const solve::Objective& objective_;
  const model::Model& model_;
  AdjointSettings settings_;
  Gradient& gradient_;
  Place place_;
  SystemSolver<typename Place::System> solver_;
  bool has_left_ = false;  // of the step done last
  Vector z_, minus_z_, nodal_forces_, by_rest_;
  std::vector<model::MotionGradient> motions_;
};

// The sub-steps of a step come one after the other.
void add_once(int step, std::vector<int>& steps);

}  // namespace proxima::adjoint
