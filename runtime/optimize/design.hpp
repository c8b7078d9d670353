// From design variables to material parameters and densities, and back for gradients: which values vary, which regions
// share them, between which bounds and on which scale. The optimiser sees one vector u: the logarithm of a variable on
// a logarithmic scale; otherwise the variable divided by its bounds' distance (by the magnitude of its start, where a
// bound is infinite).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"

namespace proxima::optimize {

enum class Kind { parameter, density };
enum class Scale { linear, logarithmic };

struct Variable {
  std::string name;  // of the parameter, as its author declared it; for densities a name for messages and tables
  Kind kind = Kind::parameter;
  std::vector<std::size_t> regions;  // that share it
  bool per_element = false;          // parameters only: one value for each tet of these regions, in order
  Scale scale = Scale::logarithmic;
  double lower = 0, upper = 0;
  std::vector<double> start;  // one value, or one a tet when per_element
};

// What Objective::set_parameters takes.
struct Values {
  std::vector<std::vector<std::vector<double>>> parameters;
  std::vector<double> densities;
};

class Design {
 public:
  // Values that no variable covers stay as the model has them. Throws Error for a variable that names no parameter of
  // its regions (with the nearest name), no or unknown regions, two variables for one value, bounds that are empty, not
  // positive on a logarithmic scale or outside the parameter's interval, a start outside the bounds, a parameter given
  // by key frames, and the density of a region without mass.
  Design(const model::Model& model, std::vector<Variable> variables);

  std::size_t size() const { return start_.size(); }
  const std::vector<Variable>& variables() const { return variables_; }
  std::span<const double> start() const { return start_; }  // u
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }

  // Each variable's values in its own unit, in the order of variables().
  std::vector<std::vector<double>> physical(std::span<const double> u) const;
  Values values(std::span<const double> u) const;
  // dL/du from the gradient of a rollout at values(u).
  std::vector<double> chain(std::span<const double> u, const adjoint::Gradient& gradient) const;

 private:
  // Calls visit(variable, its k-th value's place in u, the slot it fills in Values or Gradient) for every slot.
  template <class V, class Visit>
  void each_slot(V& values, Visit visit) const;

  std::vector<Variable> variables_;
  std::vector<std::size_t> first_;                   // of each variable in u
  std::vector<double> unit_;                         // of each linear variable: value = unit * u
  std::vector<std::vector<std::size_t>> parameter_;  // [variable][its regions]: number of the parameter there
  Values model_values_;
  std::vector<double> start_, lower_, upper_;
};

}  // namespace proxima::optimize
