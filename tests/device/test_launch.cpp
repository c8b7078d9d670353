#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "compiler/ir/expression.hpp"
#include "runtime/device/launch.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::device {
namespace {

std::vector<std::int32_t> random_elements(std::size_t elements, int nodes) {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int32_t> node(0, nodes - 1);
  std::vector<std::int32_t> result(4 * elements);
  for (auto& entry : result) entry = node(random);
  return result;
}

TEST(Tiling, PutsElementsInLanesAndRepeatsTheLastOne) {
  const auto nodes = random_elements(11, 30);
  std::vector<double> values(11 * 3);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
  for (const int lanes : {1, 2, 4, 8, 16}) {
    const Tiling tiling = Tiling::make(nodes, 4, lanes);
    const auto width = static_cast<std::size_t>(lanes);
    ASSERT_EQ(tiling.elements, 11u);
    ASSERT_EQ(tiling.tiles, (11 + width - 1) / width);
    const auto field = tiling.field(values, 3);
    ASSERT_EQ(field.size(), tiling.tiles * width * 3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data()) % 64, 0u);
    for (std::size_t slot = 0; slot < tiling.tiles * width; ++slot) {
      const std::size_t element = std::min<std::size_t>(slot, 10), tile = slot / width, lane = slot % width;
      for (std::size_t c = 0; c < 4; ++c)
        EXPECT_EQ(tiling.nodes[(tile * 4 + c) * width + lane], nodes[4 * element + c]);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(field[(tile * 3 + c) * width + lane], values[3 * element + c]);
    }
  }
}

// A kernel over all kinds of fields whose results depend on rounding.
ir::Kernel example() {
  ir::Kernel kernel;
  kernel.name = "example";
  kernel.corners = 4;
  kernel.inputs = {{"x", ir::Access::nodal, 3}, {"weight", ir::Access::element, 1}, {"scale", ir::Access::uniform, 1}};
  kernel.outputs = {{"forces", ir::Access::element, 12}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  ir::Expression sum = in(13);
  for (std::uint32_t k = 0; k < 12; ++k) sum = sum + in(k)*in(12);
  for (std::uint32_t k = 0; k < 12; ++k) kernel.results.push_back((in(k) / sum).node);
  return kernel;
}

class Launch : public ::testing::Test {
 protected:
  ~Launch() override { set_threads(0); }

  // Element results and their sums at the nodes, 5003 elements on 900 nodes.
  std::pair<AlignedVector<double>, std::vector<double>> run() {
    const auto nodes = random_elements(5003, 900);
    const jit::testing::Batch batch = jit::testing::random_batch(kernel_, 5003, 900, 0.5, 2);
    const Tiling tiling = Tiling::make(nodes, 4, compiled_->lanes);
    const auto weights = tiling.field(batch.fields[1], 1);
    AlignedVector<double> forces(tiling.scalars(12));
    const void* inputs[] = {batch.fields[0].data(), weights.data(), batch.fields[2].data()};
    void* outputs[] = {forces.data()};
    launch(*compiled_, tiling, inputs, outputs);
    std::vector<double> sums(3 * 900);
    NodeGather(tiling, 900).add(forces, sums);
    return {std::move(forces), std::move(sums)};
  }

  jit::testing::TemporaryFolder folder_;
  jit::Engine engine_{folder_.path()};
  const ir::Kernel kernel_ = example();
  std::shared_ptr<const jit::CompiledKernel> compiled_ = engine_.compile(kernel_);
};

TEST_F(Launch, HasTheSameBitsForAnyThreadCount) {
  set_threads(1);
  const auto expected = run();
  for (const int threads : {2, 3, 8}) {
    set_threads(threads);
    for (int repeat = 0; repeat < 3; ++repeat) EXPECT_EQ(run(), expected);
  }
}

TEST_F(Launch, RefusesWhatDoesNotFitTheKernel) {
  const auto nodes = random_elements(3, 5);
  const Tiling tiling = Tiling::make(nodes, 4, compiled_->lanes);
  const void* inputs[3] = {};
  void* outputs[1] = {};
  EXPECT_THROW(launch(*compiled_, tiling, std::span(inputs, 2), outputs), std::logic_error);
  EXPECT_THROW(launch(*compiled_, tiling, inputs, std::span(outputs, 0)), std::logic_error);
  EXPECT_THROW(launch(*compiled_, Tiling::make(nodes, 4, compiled_->lanes * 2), inputs, outputs), std::logic_error);
  EXPECT_THROW(launch(*compiled_, Tiling::make(nodes, 3, compiled_->lanes), inputs, outputs), std::logic_error);
}

TEST(NodeGather, IsThePlainLoopOverElements) {
  const std::size_t elements = 1003, nodes = 150;
  const auto connectivity = random_elements(elements, static_cast<int>(nodes) - 2);  // the last two have no element
  std::mt19937 random(6);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> forces(12 * elements);
  for (double& entry : forces) entry = number(random);
  std::vector<double> start(3 * nodes);
  for (double& entry : start) entry = number(random);

  std::vector<double> sums(3 * nodes);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t axis = 0; axis < 3; ++axis)
        sums[3 * static_cast<std::size_t>(connectivity[4 * e + c]) + axis] += forces[12 * e + 3 * c + axis];
  std::vector<double> expected = start;
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += sums[k];

  for (const int lanes : {1, 4, 8}) {
    const Tiling tiling = Tiling::make(connectivity, 4, lanes);
    std::vector<double> found = start;
    // Padding lanes hold something else, which must not be gathered.
    auto tiled = tiling.field(forces, 12);
    for (std::size_t slot = elements; slot < tiling.tiles * static_cast<std::size_t>(lanes); ++slot)
      for (int c = 0; c < 12; ++c) tiled[tiling.at(slot, c, 12)] = 1e30;
    NodeGather(tiling, nodes).add(tiled, found);
    EXPECT_EQ(found, expected);  // the same order of summation, hence the same bits
  }
}

}  // namespace
}  // namespace proxima::device
