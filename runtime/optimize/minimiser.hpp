// Minimisation of a smooth function between bounds: asks for values and gradients, keeps the best point, and says which
// rule stopped it. Knows nothing of simulation. It draws nothing at random and looks at no clock: told the same values
// it asks for the same points, to the last bit, which is what resuming rests on (evaluation_log.hpp).
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/optimize/method.hpp"

namespace proxima::optimize {

struct Evaluation {
  double value = 0;
  std::vector<double> gradient;
};

struct MinimiseSettings {
  std::string method = "lbfgsb";
  MethodSettings of_method;
  int max_evaluations = 100;
  double projected_gradient = 1e-6;  // stop when its largest component has fallen by this factor from the start
  double relative_decrease = 1e-9;   // stop when `patience` iterations lower the best value by less than this share
  int patience = 0;                  // 0: the method's own
  double value = -std::numeric_limits<double>::infinity();  // stop at this value or below
  double first_step = 0.3;  // largest component of the first gradient as the method sees it: lbfgsb's first trial step
};

enum class Stop {
  projected_gradient,
  flat,  // the projected gradient is exactly zero at the start
  relative_decrease,
  value,
  max_evaluations,
  user,
  line_search,
  start_failed,  // the function has no value at the start
};
std::string describe(Stop stop);  // in words

struct Minimum {
  std::vector<double> point;  // the best one seen; the start while there is none
  double value = std::numeric_limits<double>::infinity();
  std::vector<double> gradient;
  int evaluations = 0, iterations = 0, failures = 0;
  Stop stop = Stop::max_evaluations;
};

struct Progress {
  int evaluation = 0;  // 1 for the first
  int iteration = 0;   // steps accepted before it
  std::vector<double> point;
  double value = 0;     // not of a failed trial
  double steepest = 0;  // largest component of the gradient that does not point out of the bounds, likewise
  std::string failure;  // why the function has no value here; empty when it has
};

class Minimiser {
 public:
  // Bounds may be infinite; the start must lie between them (Error otherwise).
  Minimiser(std::span<const double> start, std::span<const double> lower, std::span<const double> upper,
            const MinimiseSettings& settings);

  bool finished() const { return finished_; }
  // Where to evaluate next, while not finished.
  std::span<const double> point() const { return method_->trial(); }
  void tell(const Evaluation& found);  // a value that is not finite counts as none
  // The function has no value at point(), as when a simulation cannot be carried out. At the start that ends the
  // minimisation, later the method tries again nearer to the last iterate.
  void tell_failure(const std::string& why);
  void stop() { finish(Stop::user); }  // nothing when finished

  const Minimum& minimum() const { return minimum_; }
  const Progress& progress() const { return progress_; }  // of the point told last

 private:
  void begin_evaluation();
  void go_on();
  void accept_iterate();
  void finish(Stop stop);

  MinimiseSettings settings_;
  Box box_;
  std::unique_ptr<Method> method_;
  Minimum minimum_;
  Progress progress_;
  bool finished_ = false;
  double scale_ = 1;                          // value and gradient as the method sees them: times this
  double first_gradient_ = 0, gradient_ = 0;  // projected, scaled: at the start, and at the point told last
  std::deque<double> best_values_;            // at the last iterates, `patience` + 1 at most
};

// Throws Error where the function has no value.
using Function = std::function<Evaluation(std::span<const double>)>;
// Called after each evaluation; false stops.
using ProgressCallback = std::function<bool(const Progress&)>;

// From start to end. When there is no value at the start, that Error is thrown.
Minimum minimise(const Function& function, std::span<const double> start, std::span<const double> lower,
                 std::span<const double> upper, const MinimiseSettings& settings, const ProgressCallback& each = {});

}  // namespace proxima::optimize
