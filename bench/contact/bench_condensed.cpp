// Condensed contact problems against the number of contacts, by every method, from zero forces to 1e-8: mixed contacts
// of which about a third is open, and a layer that sticks or slips as a whole.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>

#include "tests/contact/condensed_problems.hpp"

namespace proxima::contact {
namespace {

void run(benchmark::State& state, const CondensedProblem& problem, CondensedMethod method, CondensedStorage storage) {
  std::vector<double> f(3 * problem.size());
  const CondensedMatrix matrix = problem.matrix(storage);
  CondensedOutcome outcome;
  for (auto _ : state) {
    f.assign(f.size(), 0);
    outcome = solve_condensed(matrix, problem.contacts, problem.s0, f,
                              {.method = method, .tolerance = 1e-8, .max_sweeps = 20000});
  }
  state.counters["sweeps"] = outcome.sweeps;
  state.counters["newton"] = outcome.newton_steps;
  state.counters["residual"] = outcome.residual;
  state.counters["open"] = outcome.open;
  state.counters["stick"] = outcome.stick;
  state.counters["slip"] = outcome.slip;
}

// Built on first use and kept.
template <class Make>
const CondensedProblem& kept(std::map<std::int64_t, CondensedProblem>& all, std::int64_t key, const Make& make) {
  const auto found = all.find(key);
  return found != all.end() ? found->second : all.emplace(key, make()).first->second;
}

void mixed(benchmark::State& state, CondensedMethod method, CondensedStorage storage = CondensedStorage::stored) {
  static std::map<std::int64_t, CondensedProblem> all;
  run(state, kept(all, state.range(0), [&] { return mixed_problem(static_cast<std::size_t>(state.range(0)), 0.4, 1); }),
      method, storage);
}

void layer(benchmark::State& state, CondensedMethod method, double shift,
           CondensedStorage storage = CondensedStorage::stored) {
  static std::map<std::int64_t, CondensedProblem> all;
  const auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(state.range(0)))));
  run(state, kept(all, 2 * side + (shift > 0.5), [&] { return pressed_layer(side, 0.5, shift); }), method, storage);
}

void up_to(benchmark::internal::Benchmark* bench, int most) {
  bench->ArgName("contacts")->Unit(benchmark::kMillisecond);
  for (const int contacts : {10, 30, 100, 300, 1000, 2000})
    if (contacts <= most) bench->Arg(contacts);
}
void all(benchmark::internal::Benchmark* bench) { up_to(bench, 2000); }
void few(benchmark::internal::Benchmark* bench) { up_to(bench, 300); }

BENCHMARK_CAPTURE(mixed, gauss_seidel, CondensedMethod::gauss_seidel)->Apply(all);
BENCHMARK_CAPTURE(mixed, gauss_seidel_matrix_free, CondensedMethod::gauss_seidel, CondensedStorage::matrix_free)
    ->Apply(all);
BENCHMARK_CAPTURE(mixed, fischer_burmeister, CondensedMethod::fischer_burmeister)->Apply(few);
BENCHMARK_CAPTURE(mixed, splitting, CondensedMethod::splitting)->Apply(few);
BENCHMARK_CAPTURE(layer, gauss_seidel_sticks, CondensedMethod::gauss_seidel, 0.3)->Apply(few);
BENCHMARK_CAPTURE(layer, gauss_seidel_slips, CondensedMethod::gauss_seidel, 0.8)->Apply(few);
BENCHMARK_CAPTURE(layer, gauss_seidel_sticks_matrix_free, CondensedMethod::gauss_seidel, 0.3,
                  CondensedStorage::matrix_free)
    ->Apply(few);
BENCHMARK_CAPTURE(layer, gauss_seidel_slips_matrix_free, CondensedMethod::gauss_seidel, 0.8,
                  CondensedStorage::matrix_free)
    ->Apply(few);

}  // namespace
}  // namespace proxima::contact

BENCHMARK_MAIN();
