// What each method spends on the twisted cantilever (tests/solve/cantilever.hpp): applications of A^-1 and time to
// relative gradients of 1e-3, 1e-6 and 1e-9, for contrasts 1, 100, 1e4 and Poisson's ratios 0.3, 0.45, 0.49, on one
// thread. Usage: bench_solve [repetitions] [method ...]. Times are medians with the least and the largest.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/solver.hpp"
#include "tests/solve/cantilever.hpp"

namespace {

using namespace proxima;

struct Cost {
  solve::SolverOutcome outcome;
  std::vector<double> milliseconds;  // sorted
};

Cost measure(const solve::Potential& potential, const std::vector<double>& start, solve::Method method,
             double tolerance, int repetitions) {
  solve::SolverSettings settings;
  settings.method = method;
  settings.max_iterations = 3000;
  std::vector<double> gradient(start.size());
  potential.gradient(start, gradient);
  const double target = tolerance * device::norm(gradient);
  Cost cost;
  for (int k = 0; k < repetitions; ++k) {
    auto x = start;
    const auto begin = std::chrono::steady_clock::now();
    cost.outcome = solve::minimise(potential, settings, target, x);
    cost.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(cost.milliseconds.begin(), cost.milliseconds.end());
  return cost;
}

std::string describe(const Cost& cost) {
  const auto& times = cost.milliseconds;
  if (cost.outcome.end != solve::SolverEnd::converged) return fmt::format("{:>28}", "not within 3000");
  return fmt::format("{:5} {:8.1f} ms ({:.1f} {:.1f})", cost.outcome.a_solves, times[times.size() / 2], times.front(),
                     times.back());
}

void measure_case(jit::Engine& engine, double contrast, double poisson, const std::vector<solve::Method>& methods,
                  int repetitions) {
  const auto model = bodies::make_twisted_cantilever(contrast, poisson);
  const solve::Objective objective(model, engine);
  const solve::Potential potential(objective, model.initial_positions, bodies::weight(model));
  for (const auto method : methods) {
    fmt::print("{:6g} {:.2f} {:10}", contrast, poisson, solve::method_entry(method).name);
    for (const double tolerance : {1e-3, 1e-6, 1e-9})
      fmt::print(" | {:30}", describe(measure(potential, model.initial_positions, method, tolerance, repetitions)));
    fmt::print("\n");
  }
}

int run(const std::vector<std::string>& arguments) {
  const int repetitions = arguments.empty() ? 5 : std::max(1, std::atoi(arguments[0].c_str()));
  std::vector<solve::Method> methods;
  for (std::size_t k = 1; k < arguments.size(); ++k) methods.push_back(solve::method_named(arguments[k]));
  if (methods.empty())
    for (const auto& entry : solve::methods()) methods.push_back(entry.method);
  device::set_threads(1);
  jit::Engine engine;
  fmt::print("contrast, nu, method | A-solves and time to 1e-3 | 1e-6 | 1e-9, {} repetitions\n", repetitions);
  for (const double contrast : {1.0, 100.0, 1e4})
    for (const double poisson : {0.3, 0.45, 0.49}) measure_case(engine, contrast, poisson, methods, repetitions);
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run({values + 1, values + count});
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_solve: {}\n", error.what());
    return 2;
  }
}
