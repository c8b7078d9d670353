// The solve of kernels/solve.cu, by stand-ins for a GPU (tests/cuda_shim), against that of the CPU.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/device/cuda_batch.hpp"
#include "runtime/factor/cuda_factor.hpp"
#include "runtime/factor/cuda_tiles.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/factor/cases.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

using device::CudaVector;

class EveryMatrixOnAGpu : public testing::TestWithParam<Case> {
 protected:
  device::testing::CudaShimEngine shim_;
};

TEST_P(EveryMatrixOnAGpu, HasTheSolutionOfTheCpu) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 5);
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    const SupernodalCholesky factor = factored(matrix, storage);
    std::vector<double> expected(b.size());
    factor.solve(b, expected);
    CudaFactor on_gpu(shim_.engine, factor);
    on_gpu.copy(factor);
    CudaVector x = shim_.vector(b);
    on_gpu.solve(x, x);
    EXPECT_LT(relative_difference(shim_.values(x), expected), 1e-12);
    CudaVector again = shim_.vector(b);
    on_gpu.solve(shim_.vector(b), again);
    EXPECT_EQ(shim_.values(again), shim_.values(x));
  }
}

TEST_P(EveryMatrixOnAGpu, HasTheHalvesOfTheCpu) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 5);
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    const SupernodalCholesky factor = factored(matrix, storage);
    std::vector<double> half(b.size()), solution(b.size());
    factor.forward(b, half);
    factor.backward(half, solution);
    CudaFactor on_gpu(shim_.engine, factor);
    on_gpu.copy(factor);
    const CudaVector given = shim_.vector(b);
    CudaVector y = device::like(given), x = device::like(given), whole = device::like(given);
    // Twice: neither may rest on what a launch before has left.
    for (int time = 0; time < 2; ++time) {
      on_gpu.forward(given, y);
      EXPECT_LT(relative_difference(shim_.values(y), half), 1e-12);
    }
    for (int time = 0; time < 2; ++time) {
      on_gpu.backward(y, x);
      EXPECT_LT(relative_difference(shim_.values(x), solution), 1e-12);
    }
    on_gpu.solve(given, whole);
    EXPECT_EQ(shim_.values(x), shim_.values(whole));
  }
}

// Of each of eleven worlds, the bits that it has alone; two sets, the second not full. And of as many as are left.
TEST_P(EveryMatrixOnAGpu, HasForEveryWorldTheBitsOfTheWorldAlone) {
  const SparseSymmetric matrix = GetParam().make();
  if (matrix.size > 2000) return;  // takes seconds
  const SupernodalCholesky factor = factored(matrix, Storage::fp64);
  CudaFactor of_one(shim_.engine, factor), of_many(shim_.engine, factor, 11);
  of_one.copy(factor);
  of_many.copy(factor);
  // Whole, and by halves that need not be those of the same world's launch.
  const auto solution = [&](CudaFactor& on_gpu, std::size_t world) {
    CudaVector x = shim_.vector(random_vector(3 * static_cast<std::size_t>(matrix.size), 5 + static_cast<int>(world)));
    CudaVector half = device::like(x), by_halves = device::like(x);
    on_gpu.forward(x, half);
    on_gpu.backward(half, by_halves);
    on_gpu.solve(x, x);
    EXPECT_EQ(shim_.values(by_halves), shim_.values(x));
    return shim_.values(x);
  };
  for (const std::size_t worlds : {11, 3}) {
    std::vector<std::vector<double>> expected, found(worlds);
    for (std::size_t world = 0; world < worlds; ++world) expected.push_back(solution(of_one, world));
    device::CudaBatch batch(shim_.engine, static_cast<int>(worlds), 1);
    const std::int64_t passes = of_many.passes();
    std::vector<std::jthread> threads;
    for (std::size_t world = 0; world < worlds; ++world)
      threads.emplace_back([&, world] {
        const device::CudaBatch::Seat seat(batch);
        found[world] = solution(of_many, world);
      });
    threads.clear();
    EXPECT_EQ(found, expected);
    EXPECT_EQ(of_many.passes(), passes + 2);
  }
  EXPECT_EQ(of_many.applications(), 28);
  CudaVector longer = shim_.vector(std::vector<double>(3 * static_cast<std::size_t>(matrix.size) + 3));
  EXPECT_THROW(of_one.solve(longer, longer), std::logic_error);
}

// What is waited for has to be what arrives, in every order of blocks; and what comes first in the list must not wait
// for what comes later.
TEST_P(EveryMatrixOnAGpu, TilesComeAfterWhatTheyWaitFor) {
  const SparseSymmetric matrix = GetParam().make();
  const SupernodalCholesky factor = factored(matrix);
  const Supernodes& supernodes = factor.supernodes();
  const CudaTiles tiles = make_tiles(supernodes);
  auto up = tiles.waiting_up, down = tiles.waiting_down;
  std::vector<std::int32_t> left;
  for (const CudaGroup& group : tiles.groups) left.push_back(group.tiles);
  const auto at = [](std::int32_t index) { return static_cast<std::size_t>(index); };
  for (const CudaTile& tile : tiles.tiles) {
    const std::int32_t parent = supernodes.parent[at(tile.supernode)];
    EXPECT_EQ(tile.upward != 0 ? up[at(tile.supernode)] : parent < 0 ? up.back() : down[at(parent)], 0);
    if (--left[at(tile.group)] > 0) continue;
    if (tile.upward != 0)
      --up[parent < 0 ? up.size() - 1 : at(parent)];
    else
      --down[at(tile.supernode)];
  }
  for (const auto& counters : {up, down, left}) EXPECT_EQ(counters, std::vector<std::int32_t>(counters.size()));
}

// Without the arrows: 3 000 supernodes of one column take seconds here, and "diagonal" has 1 000 of them.
std::vector<Case> quick_cases() {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [](const Case& one) { return one.name.starts_with("arrow"); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Factor, EveryMatrixOnAGpu, testing::ValuesIn(quick_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(CudaFactor, NamesTheGpuThatHasNoRoom) {
  device::testing::CudaShimEngine shim;
  const SupernodalCholesky factor = factored(kuhn_grid(4));
  shim.set("fake_memory", std::size_t{100});
  EXPECT_ANY_THROW(CudaFactor(shim.engine, factor));
}

}  // namespace
}  // namespace proxima::factor
