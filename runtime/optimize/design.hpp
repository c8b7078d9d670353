// From design variables to the values of a model, and back for gradients: which numbers vary, which of them share one
// value, between which bounds and on which scale. The optimiser sees one vector u: the logarithm of a variable on a
// logarithmic scale; otherwise the variable divided by its bounds' distance (by the magnitude of its start, where a
// bound is infinite).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/optimize/quantities.hpp"

namespace proxima::optimize {

enum class Scale { linear, logarithmic };

struct Variable {
  std::string name;  // of the parameter or direction field, as its author declared it; else for messages and tables
  Quantity quantity = Quantity::parameter;
  std::vector<std::size_t> objects;  // that it is about, as QuantityRow::object says; regions share their value
  // Whether every number of every object varies by itself, object after object, and not all of them as one; parameters
  // and damping then have one value an element.
  bool each = false;
  std::vector<std::size_t> chosen{};  // these numbers of each object only
  Scale scale = Scale::logarithmic;
  double lower = 0, upper = 0;
  std::vector<double> start{};  // one value, or one for each that varies; none: those of the model
  bool around_start = false;    // bounds count from each start; linear scales only
};

class Design {
 public:
  // Values that no variable covers stay as the model has them. Throws Error for a variable that names no parameter or
  // direction of its regions (with the nearest name), no or unknown objects, two variables for one value, bounds that
  // are empty, not positive where they must be or outside the parameter's interval, a start outside the bounds, a
  // parameter given by key frames (or a signal that is not), the density of a region without mass, damping that the
  // model does not have, a load of another kind.
  Design(const model::Model& model, std::vector<Variable> variables);

  std::size_t size() const { return start_.size(); }
  const std::vector<Variable>& variables() const { return variables_; }
  std::span<const double> start() const { return start_; }  // u
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }

  // Each variable's values in its own unit, in the order of variables().
  std::vector<std::vector<double>> physical(std::span<const double> u) const;
  // Puts them into the model that the design was made for, or a copy.
  void apply(std::span<const double> u, model::Model& model) const;
  // With what dL/du needs asked for.
  adjoint::AdjointSettings needs(adjoint::AdjointSettings settings) const;
  // dL/du from the gradient of a rollout of the model at u.
  std::vector<double> chain(std::span<const double> u, const model::Model& model,
                            const adjoint::Gradient& gradient) const;

 private:
  std::vector<Target> find_targets(const model::Model& model, const Variable& variable) const;
  void add(const Variable& variable);
  // Calls visit(index of the number among all of the target's, its place in u) for each that varies, and goes on to the
  // next place.
  template <class Visit>
  void each_number(const Variable& variable, std::size_t numbers, std::size_t& place, Visit visit) const;

  std::vector<Variable> variables_;
  std::vector<std::vector<Target>> targets_;  // of each variable
  std::vector<std::size_t> first_;            // of each variable in u
  std::vector<double> unit_;                  // of each linear variable: value = unit * u
  std::vector<double> start_, lower_, upper_;
  std::vector<double> least_, most_;  // the bounds in their own units
};

}  // namespace proxima::optimize
