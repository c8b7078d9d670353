// Work of several threads that goes to a GPU together, by stand-ins for it (tests/cuda_shim), against each alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "compiler/ir/expression.hpp"
#include "runtime/device/cuda_batch.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/gpu/device_run.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::device {
namespace {

using ::testing::HasSubstr;

class Batches : public ::testing::Test {
 protected:
  // `world(k)` for each on a thread with a seat.
  template <class World>
  void run_together(CudaBatch& batch, int worlds, const World& world) {
    {
      std::vector<std::jthread> threads;
      for (int k = 0; k < worlds; ++k)
        threads.emplace_back([&, k] {
          CudaBatch::Seat seat(batch);
          world(k);
        });
    }
    batch.finish();
  }

  // Numbers that a world computes, of its own count of rounds, by temporary vectors, copies, zeros and sums.
  std::vector<double> work(int world, std::size_t size) {
    const auto algebra = std::make_shared<CudaAlgebra>(shim_.engine);
    const auto vector = [&](double first) {
      std::vector<double> values(size);
      for (std::size_t i = 0; i < size; ++i) values[i] = first / static_cast<double>(i + 1);
      CudaVector result(algebra, size);
      result.write(values);
      return result;
    };
    CudaVector y = vector(world + 1.0);
    std::vector<double> found;
    for (int round = 0; round < 4 + world; ++round) {
      const CudaVector x = vector(round - 0.5 * world);
      add_scaled(y, 0.25, x);
      if (round % 3 == world % 3) scale_and_add(y, -0.5, x);
      CudaVector z = like(y);
      copy(y, z);
      negate(z);
      found.push_back(dot(z, x));
    }
    found.resize(found.size() + size);
    y.read(std::span(found).last(size));
    set_zero(y);  // is still to be done when the world has ended
    return found;
  }

  testing::CudaShimEngine shim_;
};

TEST_F(Batches, GiveEachWorldTheBitsThatItHasAloneInFewerLaunches) {
  constexpr int worlds = 6;
  for (const std::size_t size : {3, 300, 20000}) {  // the last is too large to be copied with others
    std::vector<std::vector<double>> alone, together(worlds);
    int launches = shim_.launches();
    for (int k = 0; k < worlds; ++k) alone.push_back(work(k, size));
    const int of_single = shim_.launches() - launches;
    for (const int at_a_time : {1, 3, worlds}) {
      CudaBatch batch(shim_.engine, worlds, at_a_time);
      launches = shim_.launches();
      run_together(batch, worlds, [&](int k) { together[static_cast<std::size_t>(k)] = work(k, size); });
      EXPECT_EQ(together, alone);
      EXPECT_EQ(shim_.launches() - launches, batch.launches());
      EXPECT_LT(batch.launches(), of_single);  // copies are launches, here
      EXPECT_GT(batch.requests(), 3 * batch.launches());
    }
  }
}

// Each with blocks of its own: as many as the largest has are launched, and those past a world's own do nothing.
TEST_F(Batches, OfDifferentSizesShareLaunches) {
  constexpr std::array<std::size_t, 4> sizes{5, 3000, 0, 1500};
  CudaBatch batch(shim_.engine, static_cast<int>(sizes.size()), 1);
  std::vector<std::vector<double>> found(sizes.size());
  std::vector<double> sums(sizes.size());
  run_together(batch, static_cast<int>(sizes.size()), [&](int k) {
    const auto world = static_cast<std::size_t>(k);
    const auto algebra = std::make_shared<CudaAlgebra>(shim_.engine);
    CudaVector x(algebra, sizes[world]), y(algebra, sizes[world]);
    x.write(std::vector<double>(sizes[world], k + 1.0));
    copy(x, y);
    add_scaled(y, 2, x);
    sums[world] = dot(x, y);
    found[world].resize(sizes[world]);
    y.read(found[world]);
  });
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double x = static_cast<double>(k) + 1;
    EXPECT_EQ(found[k], std::vector<double>(sizes[k], 3 * x)) << k;
    EXPECT_EQ(sums[k], 3 * x * x * static_cast<double>(sizes[k])) << k;
  }
  // Zeros of both, x itself, the copy, the sum, two kernels of a product, and two numbers or vectors that are read.
  EXPECT_LE(batch.launches(), 9);
}

TEST_F(Batches, LaunchPrintedKernelsTogether) {
  ir::Kernel kernel;
  kernel.name = "rubber.forces";
  kernel.corners = 1;
  kernel.inputs = {{"x", ir::Access::nodal, 1}, {"mu", ir::Access::uniform, 1}, {"volume", ir::Access::element, 1}};
  kernel.outputs = {{"energy", ir::Access::element, 1}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  kernel.results = {(in(0) * in(1) * in(1) + in(2)).node};
  for (const auto precision : {emit::Precision::fp64, emit::Precision::fp32}) {
    const auto loaded = shim_.engine.compile(kernel, precision);
    CudaBatch batch(shim_.engine, 4, 2);
    std::vector<jit::testing::Batch> given;
    for (int k = 0; k < 4; ++k) given.push_back(jit::testing::random_batch(kernel, 130, 20, k, k + 1));
    run_together(batch, 4, [&](int k) {
      const auto& of_world = given[static_cast<std::size_t>(k)];
      const gpu::DeviceRun run(shim_.engine.device(), kernel, precision, of_world);
      run.launch(*loaded);
      jit::testing::expect_equals_interpreter(kernel, precision, run.results(), of_world, "together");
    });
  }
}

TEST_F(Batches, ThatFailFailForAllWhoWait) {
  CudaBatch batch(shim_.engine, 3, 1);
  std::atomic<int> thrown = 0, right = 0;
  run_together(batch, 3, [&](int k) {
    if (k == 2) return;
    const std::vector<double> values{1, 2, 3};
    shim_.set("fake_launch_result", 700);
    try {
      CudaVector x(shim_.algebra, values.size());
      x.write(values);
      std::vector<double> found(3);
      x.read(found);
    } catch (const std::exception& error) {
      EXPECT_THAT(error.what(), HasSubstr("Fake GPU"));
      ++thrown;
    }
    shim_.set("fake_launch_result", 0);
    CudaVector x(shim_.algebra, values.size());
    x.write(values);
    right += testing::CudaShimEngine::values(x) == values ? 1 : 0;
  });
  EXPECT_EQ(thrown, 2);
  EXPECT_EQ(right, 2);
}

TEST_F(Batches, ConstantsAreThereOnce) {
  const std::vector<double> values{1, 2, 3}, others{1, 2, 4};
  const auto constant = [&](const std::vector<double>& of) {
    return shim_.engine.constant(std::as_bytes(std::span(of)));
  };
  auto first = constant(values);
  EXPECT_EQ(first, constant(values));
  EXPECT_NE(first, constant(others));
  std::vector<double> found(3);
  first->read(std::as_writable_bytes(std::span(found)));
  EXPECT_EQ(found, values);
}

// Memory that was given back is handed out again, but not while a queue may still use it; and goes back to the driver
// where there is no other left.
TEST(Memory, IsKept) {
  std::size_t left = 1024;
  std::uint64_t next = 4096;
  std::vector<std::uint64_t> released;
  CudaMemory memory({[&](std::size_t bytes) -> std::uint64_t {
                       if (bytes > left) return 0;
                       left -= bytes;
                       return next += 4096;
                     },
                     [&](std::uint64_t address) {
                       released.push_back(address);
                       left += 512;
                     }});
  const std::uint64_t first = memory.take(512);
  memory.hold();
  memory.give(first, 512);
  const std::uint64_t second = memory.take(512);
  EXPECT_NE(second, first);
  memory.settle();
  EXPECT_EQ(memory.take(512), first);
  memory.give(first, 512);
  memory.unhold();
  memory.give(second, 512);
  EXPECT_NE(memory.take(1024), 0);
  EXPECT_EQ(released.size(), 2);
  EXPECT_EQ(memory.take(1), 0);
}

}  // namespace
}  // namespace proxima::device
