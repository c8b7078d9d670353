// Sparse columns of L^-1, their products and what is done with them, beside whole and half solves: rows on the surface
// of box grids.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <random>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/delassus.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

struct Subject {
  SupernodalCholesky factor;
  std::vector<std::int32_t> surface;  // rows, those of a face first: contacts come in patches
  std::vector<double> b, y;
};

// Built on first use and kept, so that every benchmark of a size has the same one.
Subject& subject(int cells) {
  static std::map<int, Subject> all;
  const auto found = all.find(cells);
  if (found != all.end()) return found->second;
  const SparseSymmetric matrix = kuhn_grid(cells);
  SupernodalCholesky factor(matrix, Storage::fp32);
  factor.factorize(matrix);
  std::vector<std::int32_t> surface;
  const std::int32_t side = cells + 1;
  for (std::int32_t i = 0; i < side; ++i)
    for (std::int32_t j = 0; j < side; ++j)
      for (std::int32_t k = 0; k < side; ++k)
        if (std::min({i, j, k}) == 0 || std::max({i, j, k}) == cells) surface.push_back((i * side + j) * side + k);
  std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 1), y(b.size());
  factor.forward(b, y);
  return all
      .emplace(cells, Subject{.factor = std::move(factor), .surface = surface, .b = std::move(b), .y = std::move(y)})
      .first->second;
}

std::span<const std::int32_t> rows(const Subject& one, const benchmark::State& state) {
  return std::span(one.surface).first(static_cast<std::size_t>(state.range(2)));
}

Subject& begin(const benchmark::State& state) {
  device::set_threads(static_cast<int>(state.range(1)));
  return subject(static_cast<int>(state.range(0)));
}

void solve(benchmark::State& state) {
  Subject& one = begin(state);
  std::vector<double> x(one.b.size());
  for (auto _ : state) one.factor.solve(one.b, x);
}

void forward(benchmark::State& state) {
  Subject& one = begin(state);
  for (auto _ : state) one.factor.forward(one.b, one.y);
}

void backward(benchmark::State& state) {
  Subject& one = begin(state);
  std::vector<double> x(one.b.size());
  for (auto _ : state) one.factor.backward(one.y, x);
}

void one_column(benchmark::State& state) {
  Subject& one = begin(state);
  std::size_t k = 0, values = 0;
  for (auto _ : state) values = one.factor.forward_unit(one.surface[k++ % one.surface.size()]).values.size();
  state.counters["values"] = static_cast<double>(values);
}

void place(benchmark::State& state) {
  Subject& one = begin(state);
  Delassus inverse(one.factor);
  for (auto _ : state) {
    inverse.clear();
    benchmark::DoNotOptimize(inverse.place(rows(one, state)));
  }
  state.counters["MB"] = static_cast<double>(inverse.bytes()) / 1e6;
}

void place_and_tabulate(benchmark::State& state) {
  Subject& one = begin(state);
  Delassus inverse(one.factor);
  for (auto _ : state) {
    inverse.clear();
    benchmark::DoNotOptimize(inverse.tabulate(inverse.place(rows(one, state))));
  }
  state.counters["MB"] = static_cast<double>(inverse.bytes()) / 1e6;
}

void gather(benchmark::State& state) {
  Subject& one = begin(state);
  Delassus inverse(one.factor);
  const std::vector<std::int32_t> indices = inverse.place(rows(one, state));
  std::vector<double> out(3 * indices.size());
  for (auto _ : state) inverse.gather(indices, one.y, out);
}

void scatter(benchmark::State& state) {
  Subject& one = begin(state);
  Delassus inverse(one.factor);
  const std::vector<std::int32_t> indices = inverse.place(rows(one, state));
  std::vector<double> l(3 * indices.size(), 1e-3), y = one.y;
  for (auto _ : state) inverse.scatter(indices, l, y);
}

void whole(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"cells", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const int threads : {1, 2}) bench->Args({26, threads});
}

void some(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"cells", "threads", "rows"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const int threads : {1, 2})
    for (const int count : {10, 100, 500, 2000}) bench->Args({26, threads, count});
}

BENCHMARK(solve)->Apply(whole);
BENCHMARK(forward)->Apply(whole);
BENCHMARK(backward)->Apply(whole);
BENCHMARK(one_column)->Apply(whole);
BENCHMARK(place)->Apply(some);
BENCHMARK(place_and_tabulate)->Apply(some);
BENCHMARK(gather)->Apply(some);
BENCHMARK(scatter)->Apply(some);

}  // namespace
}  // namespace proxima::factor

BENCHMARK_MAIN();
