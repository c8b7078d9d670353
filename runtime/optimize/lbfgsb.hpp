// Minimisation of a smooth function between bounds by L-BFGS-B 3.0 (Zhu, Byrd, Lu and Nocedal, ACM TOMS 778; Morales
// and Nocedal 2011), the Fortran library driven by reverse communication. Knows nothing of simulation.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace proxima::optimize {

struct Evaluation {
  double value = 0;
  std::vector<double> gradient;
};

// Throws Error where the function has no value, as when a simulation cannot be carried out. At the start that ends the
// minimisation; later the trial is answered by a quadratic that fits value and slope of the last iterate and has its
// minimum at a quarter of the failed step, so that the line search comes back to there and nothing false enters the
// memory.
using Function = std::function<Evaluation(std::span<const double>)>;

struct Progress {
  int evaluation = 0;  // 1 for the first
  int iteration = 0;   // steps accepted so far
  std::span<const double> point;
  double value = 0;               // not of a failed trial
  double projected_gradient = 0;  // largest component, likewise
  std::string failure;            // why the function has no value here; empty when it has
};
// Called after each evaluation; false stops.
using ProgressCallback = std::function<bool(const Progress&)>;

struct LbfgsbSettings {
  int memory = 10;
  int max_evaluations = 100;
  double projected_gradient = 1e-6;  // stop when its largest component has fallen by this factor from the start
  double relative_decrease = 1e-9;   // stop when an iteration lowers the value by less than this share of it
  double value = -std::numeric_limits<double>::infinity();  // stop at this value or below
  double first_step = 0.3;                                  // largest component of the first trial step
};

enum class Stop { projected_gradient, relative_decrease, value, max_evaluations, user, line_search };
std::string describe(Stop stop);  // in words

struct Minimum {
  std::vector<double> point;  // the best one seen
  double value = 0;
  std::vector<double> gradient;
  int evaluations = 0, iterations = 0, failures = 0;
  Stop stop = Stop::max_evaluations;
};

// Bounds may be infinite; the start must lie between them (Error otherwise).
Minimum minimise(const Function& function, std::span<const double> start, std::span<const double> lower,
                 std::span<const double> upper, const LbfgsbSettings& settings, const ProgressCallback& each = {});

}  // namespace proxima::optimize
