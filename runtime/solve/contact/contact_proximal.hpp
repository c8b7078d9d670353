// Proximal steps with contact: positions by a step in the metric of A, forces by the condensed problem at its end.
#pragma once

#include <optional>

#include "runtime/solve/contact/contact_methods.hpp"
#include "runtime/solve/contact/contact_point.hpp"
#include "runtime/solve/objective/contact_settings.hpp"

namespace proxima::solve {

template <class P>  // Potential, or CudaPotential
class ProximalSteps {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;
  using Equations = BasicContactEquations<P>;
  using Point = typename Equations::Point;

  // Steps are made longer as the method has it, those before remembered. `target`: the residual (N) that they are to
  // come down to. Keeps a reference.
  ProximalSteps(Equations& equations, const SolverSettings& method, contact::CondensedMethod condensed, double target);

  // The forces that a step from there finds; half an application of A^-1, on a GPU a whole one.
  std::vector<double> forces(const Point& from, const contact::CondensedSettings& settings = {});
  // One step; contacts that are met on the way are added. One application of A^-1, two where steps are alternating
  // directions that leave too much undone.
  Point take(Point from, SolverOutcome& work);
  // Whether the last one went nowhere: not even the shortest step that is tried ends where there is an energy.
  bool stuck() const { return stuck_; }
  // The next step does not know the ones before: after a step of another kind, or where contacts have been added.
  void forget();

 private:
  Point accelerated(const Point& from, Point plain, In moved, SolverOutcome& work);
  std::optional<Point> alternate(Point& from, SolverOutcome& work);
  // Where `gradient` leads to from a point, with its forces.
  struct Move {
    Vector x;
    std::vector<double> forces;
  };
  Move solve(Point& from, In gradient, SolverOutcome& work);
  double share_of_target(const Point& from) const;
  void load(In gradient);  // sets -gradient
  std::vector<double> condensed(const Point& from, contact::CondensedSettings settings);
  void move(In from, Out result);

  Equations& equations_;
  ContactSet& contacts_;
  contact::CondensedMethod method_;
  double target_;
  std::unique_ptr<Acceleration<System>> acceleration_;  // null: steps of alternating directions
  std::optional<typename System::Dual> dual_;           // of them, from the step before
  ContactResponse<System> response_;
  bool stuck_ = false;
};

}  // namespace proxima::solve
