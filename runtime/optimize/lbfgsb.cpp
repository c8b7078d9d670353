#include "runtime/optimize/lbfgsb.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "compiler/support/error.hpp"

// The library ships no header. gfortran passes all by address and the lengths of strings at the end.
extern "C" void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd,
                        const double* f, const double* g, const double* factr, const double* pgtol, double* wa,
                        int* iwa, char* task, const int* iprint, char* csave, int* lsave, int* isave, double* dsave,
                        std::size_t task_length, std::size_t csave_length);

namespace proxima::optimize {
namespace {

// One run of the reverse communication. Its own stopping tests are off: they take the value to be of order one.
class Lbfgsb {
 public:
  Lbfgsb(std::span<const double> start, std::span<const double> lower, std::span<const double> upper, int memory)
      : n_(static_cast<int>(start.size())),
        m_(memory),
        x(start.begin(), start.end()),
        lower_(lower.begin(), lower.end()),
        upper_(upper.begin(), upper.end()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool below = std::isfinite(lower[i]), above = std::isfinite(upper[i]);
      kind_.push_back(below ? (above ? 2 : 1) : (above ? 3 : 0));
    }
    const auto n = x.size(), m = static_cast<std::size_t>(memory);
    real_.resize(2 * m * n + 5 * n + 11 * m * m + 8 * m);
    integer_.resize(3 * n);
    g.resize(n);
    std::fill(std::begin(task_), std::end(task_), ' ');
    std::copy_n("START", 5, task_);
  }

  // What the library wants next: "FG" a value and gradient at x, "NEW_X" nothing (x is the next iterate), else the end.
  std::string_view next() {
    const double off = 0;
    const int silent = -1;
    setulb_(&n_, &m_, x.data(), lower_.data(), upper_.data(), kind_.data(), &f, g.data(), &off, &off, real_.data(),
            integer_.data(), task_, &silent, csave_, lsave_, isave_, dsave_, sizeof task_, sizeof csave_);
    return {task_, sizeof task_};
  }

 private:
  int n_, m_;

 public:
  std::vector<double> x, g;
  double f = 0;

 private:
  std::vector<double> lower_, upper_, real_;
  std::vector<int> kind_, integer_;
  char task_[60], csave_[60] = {};
  int lsave_[4] = {}, isave_[44] = {};
  double dsave_[29] = {};
};

// Largest component of the way to the bounds or of the gradient, whichever is shorter, where the gradient points
// downhill.
double projected_gradient(std::span<const double> x, std::span<const double> g, std::span<const double> lower,
                          std::span<const double> upper) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, g[i] > 0 ? std::min(g[i], x[i] - lower[i]) : std::min(-g[i], upper[i] - x[i]));
  return largest;
}

void check(std::span<const double> start, std::span<const double> lower, std::span<const double> upper) {
  if (start.empty() || lower.size() != start.size() || upper.size() != start.size())
    fail("minimise: {} start values, {} lower and {} upper bounds are given", start.size(), lower.size(), upper.size());
  for (std::size_t i = 0; i < start.size(); ++i)
    if (!(lower[i] <= start[i] && start[i] <= upper[i]))
      fail("minimise: start value {} is {}, outside its bounds {} to {}", i, start[i], lower[i], upper[i]);
}

}  // namespace

std::string describe(Stop stop) {
  static const std::map<Stop, std::string> words = {
      {Stop::projected_gradient, "the projected gradient has fallen as far as asked"},
      {Stop::relative_decrease, "the last iteration hardly lowered the value"},
      {Stop::value, "the value is as low as asked"},
      {Stop::max_evaluations, "the evaluations allowed are used up"},
      {Stop::user, "stopped on request"},
      {Stop::line_search, "the line search found nothing lower: rounding, or a gradient that does not fit the value"}};
  return words.at(stop);
}

Minimum minimise(const Function& function, std::span<const double> start, std::span<const double> lower,
                 std::span<const double> upper, const LbfgsbSettings& settings, const ProgressCallback& each) {
  check(start, lower, upper);
  Lbfgsb solver(start, lower, upper, settings.memory);
  Minimum best;
  // The library sees value and gradient times `scale`, so that its first step is as long as asked. The last iterate it
  // accepted, likewise scaled:
  double scale = 1, iterate_value = 0;
  std::vector<double> iterate(start.begin(), start.end()), iterate_gradient;

  const auto answer = [&](const Evaluation& found) {
    if (best.evaluations == 1) {
      double largest = 0;
      for (const double entry : found.gradient) largest = std::max(largest, std::abs(entry));
      if (largest > 0) scale = settings.first_step / largest;
    }
    solver.f = scale * found.value;
    for (std::size_t i = 0; i < solver.g.size(); ++i) solver.g[i] = scale * found.gradient[i];
    if (best.evaluations == 1) {
      iterate_value = solver.f;
      iterate_gradient = solver.g;
    }
    if (best.evaluations == 1 || found.value < best.value) {
      best.point = solver.x;
      best.value = found.value;
      best.gradient = found.gradient;
    }
  };
  const auto answer_failure = [&] {
    ++best.failures;
    double slope = 0;
    for (std::size_t i = 0; i < solver.x.size(); ++i) {
      slope += iterate_gradient[i] * (solver.x[i] - iterate[i]);
      solver.g[i] = -3 * iterate_gradient[i];
    }
    solver.f = iterate_value + std::abs(slope);
  };
  const auto ended = [&](Stop stop) {
    best.stop = stop;
    return best;
  };

  double first_gradient = 0;  // projected, scaled
  while (true) {
    const std::string_view task = solver.next();
    if (task.starts_with("FG")) {
      if (best.evaluations == settings.max_evaluations) return ended(Stop::max_evaluations);
      Progress progress;
      progress.evaluation = ++best.evaluations;
      progress.iteration = best.iterations;
      progress.point = solver.x;
      try {
        const Evaluation found = function(solver.x);
        if (!std::isfinite(found.value)) fail("the value is not finite");
        answer(found);
        const double projected = projected_gradient(solver.x, solver.g, lower, upper);
        if (best.evaluations == 1) first_gradient = projected;
        progress.value = found.value;
        progress.projected_gradient = projected / scale;
      } catch (const Error& error) {
        if (best.evaluations == 1) throw;
        progress.failure = error.what();
        answer_failure();
      }
      if (each && !each(progress)) return ended(Stop::user);
      if (best.value <= settings.value) return ended(Stop::value);
      if (first_gradient == 0) return ended(Stop::projected_gradient);
    } else if (task.starts_with("NEW_X")) {
      ++best.iterations;
      const bool slow = iterate_value - solver.f <= settings.relative_decrease * std::abs(iterate_value);
      iterate = solver.x;
      iterate_value = solver.f;
      iterate_gradient = solver.g;
      const double projected = projected_gradient(solver.x, solver.g, lower, upper);
      if (projected <= settings.projected_gradient * first_gradient) return ended(Stop::projected_gradient);
      if (slow) return ended(Stop::relative_decrease);
    } else {
      return ended(task.starts_with("CONV") ? Stop::projected_gradient : Stop::line_search);
    }
  }
}

}  // namespace proxima::optimize
