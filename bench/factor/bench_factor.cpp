// The factor beside CHOLMOD, in one run: three right-hand sides on box grids of 2 197, 17 576 and 64 000 nodes.
// OpenBLAS serves CHOLMOD alone; OPENBLAS_CORETYPE=SkylakeX in the environment gives it its best kernel where its
// version does not know the processor.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <omp.h>

#include <map>
#include <memory>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/factor.hpp"
#include "tests/factor/cholmod.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

struct Subject {
  SparseSymmetric matrix;
  std::vector<double> b;
  std::map<Storage, std::unique_ptr<SupernodalCholesky>> ours;
  std::unique_ptr<Cholmod> cholmod;
};

// Built on first use and kept, so that every benchmark of a size has the same one.
Subject& subject(int cells) {
  static std::map<int, Subject> all;
  Subject& one = all[cells];
  if (one.matrix.size == 0) {
    one.matrix = kuhn_grid(cells);
    one.b = random_vector(3 * static_cast<std::size_t>(one.matrix.size), 1);
  }
  return one;
}

SupernodalCholesky& ours(Subject& one, Storage storage) {
  auto& factor = one.ours[storage];
  if (!factor) {
    factor = std::make_unique<SupernodalCholesky>(one.matrix, storage);
    factor->factorize(one.matrix);
  }
  return *factor;
}

Cholmod& rival(Subject& one) {
  if (!one.cholmod) {
    one.cholmod = std::make_unique<Cholmod>(one.matrix);
    one.cholmod->factorize();
    one.cholmod->set_right_hand_side(one.b);
  }
  return *one.cholmod;
}

void solve_ours(benchmark::State& state, Storage storage) {
  Subject& one = subject(static_cast<int>(state.range(0)));
  device::set_threads(static_cast<int>(state.range(1)));
  const SupernodalCholesky& factor = ours(one, storage);
  std::vector<double> x(one.b.size());
  for (auto _ : state) factor.solve(one.b, x);
  const double width = storage == Storage::fp64 ? 8 : 4;
  state.counters["entries"] = static_cast<double>(factor.statistics().entries);
  state.counters["supernodes"] = factor.statistics().supernodes;
  state.counters["bytes/s"] = benchmark::Counter(2 * width * static_cast<double>(factor.statistics().entries),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

// For eight worlds together; the time is that of all of them.
void solve_worlds(benchmark::State& state, Storage storage) {
  Subject& one = subject(static_cast<int>(state.range(0)));
  device::set_threads(static_cast<int>(state.range(1)));
  const SupernodalCholesky& factor = ours(one, storage);
  std::vector<std::vector<double>> x(8, one.b);
  std::vector<SupernodalCholesky::RightHandSide> worlds;
  for (auto& of_one : x) worlds.push_back({one.b, of_one});
  for (auto _ : state) factor.solve(worlds);
}

// CHOLMOD's factorisation asks for four OpenMP threads of its own beside those of OpenBLAS.
void set_rival_threads(int threads) {
  openblas_set_num_threads(threads);
  omp_set_max_active_levels(threads == 1 ? 0 : 1);
}

void solve_cholmod(benchmark::State& state) {
  Cholmod& factor = rival(subject(static_cast<int>(state.range(0))));
  set_rival_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) factor.solve();
}

void factorize_ours(benchmark::State& state, Storage storage) {
  Subject& one = subject(static_cast<int>(state.range(0)));
  device::set_threads(static_cast<int>(state.range(1)));
  SupernodalCholesky& factor = ours(one, storage);
  for (auto _ : state) factor.factorize(one.matrix);
}

void factorize_cholmod(benchmark::State& state) {
  Cholmod& factor = rival(subject(static_cast<int>(state.range(0))));
  set_rival_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) factor.factorize();
}

void analyse_ours(benchmark::State& state) {
  Subject& one = subject(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(SupernodalCholesky(one.matrix));
}

void analyse_cholmod(benchmark::State& state) {
  Subject& one = subject(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Cholmod(one.matrix));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"cells", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
  for (const int cells : {12, 25, 39})
    for (const int threads : {1, 2}) bench->Args({cells, threads});
}

BENCHMARK_CAPTURE(solve_ours, fp64, Storage::fp64)->Apply(sizes);
BENCHMARK_CAPTURE(solve_ours, fp32, Storage::fp32)->Apply(sizes);
BENCHMARK_CAPTURE(solve_worlds, fp64, Storage::fp64)->Apply(sizes);
BENCHMARK_CAPTURE(solve_worlds, fp32, Storage::fp32)->Apply(sizes);
BENCHMARK(solve_cholmod)->Apply(sizes);
BENCHMARK_CAPTURE(factorize_ours, fp64, Storage::fp64)->Apply(sizes);
BENCHMARK(factorize_cholmod)->Apply(sizes);
BENCHMARK(analyse_ours)->ArgName("cells")->Arg(25)->Unit(benchmark::kMillisecond);
BENCHMARK(analyse_cholmod)->ArgName("cells")->Arg(25)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace proxima::factor

BENCHMARK_MAIN();
