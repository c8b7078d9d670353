// What makes trial points of a minimisation out of the values and gradients of earlier ones. Each method has a row in a
// table; the rules that stop a minimisation and the best point are the same for all (minimiser.hpp).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace proxima::optimize {

// What the methods need to know beforehand.
struct MethodSettings {
  int memory = 10;              // of lbfgsb: pairs of steps and gradients
  double learning_rate = 0.05;  // of adam: length of a step in each variable, in its unit
  double learning_decay = 1;    // of adam: factor of that length from each step to the next
};

struct Box {
  std::vector<double> lower, upper;  // may be infinite
};

// The state of one minimisation. After each trial exactly one tell, then next() until it gives another trial.
class Method {
 public:
  virtual ~Method() = default;

  enum class Next {
    trial,      // trial() is to be evaluated
    iterate,    // the last trial has been accepted as the next iterate; ask again
    converged,  // nothing lower is near, to rounding
    stuck,      // no lower value was found where the gradient promises one
  };
  virtual Next next() = 0;
  virtual std::span<const double> trial() const = 0;
  virtual void tell(double value, std::span<const double> gradient) = 0;
  // The function has no value at the trial: the next one is nearer to the last iterate. Not at the first.
  virtual void tell_failure() = 0;
};

struct MethodRow {
  std::string_view name;
  // Iterations that must together lower the value by a share of it for the method to go on, if the user does not say.
  int patience;
  std::unique_ptr<Method> (*make)(std::span<const double> start, const Box& box, const MethodSettings& settings);
};
std::span<const MethodRow> methods();
// Throws Error listing the names where there is none of this name.
const MethodRow& method_named(std::string_view name);

}  // namespace proxima::optimize
