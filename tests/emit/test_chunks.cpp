#include <gtest/gtest.h>

#include <map>
#include <set>

#include "compiler/emit/chunks.hpp"
#include "compiler/emit/llvm/compile.hpp"
#include "compiler/emit/llvm/print.hpp"
#include "tests/emit/large_kernel.hpp"

namespace proxima::emit {
namespace {

using ir::NodeId;
using testing::large_kernel;

TEST(Chunks, EveryValueIsFoundInItsChunkOrInItsSlot) {
  const ir::Kernel kernel = large_kernel(3000);
  const ScheduledKernel scheduled = schedule(kernel, 16);
  for (const std::size_t longest : {1, 7, 100, 100000}) {
    const Chunks chunks = cut(scheduled, longest);
    std::map<std::uint32_t, NodeId> workspace;
    const auto run = [&](std::span<const Step> chunk) {
      EXPECT_LE(chunk.size(), longest);
      std::set<NodeId> here;
      const auto expect_known = [&](NodeId id) {
        if (here.contains(id) || kernel.graph.is_constant(id)) return;
        const std::uint32_t slot = chunks.slots[id.index];
        ASSERT_LT(slot, chunks.slot_count);
        EXPECT_EQ(workspace.at(slot), id) << "overwritten too early";
      };
      for (const Step& step : chunk) {
        if (step.kind == Step::Kind::store) {
          expect_known(step.node);
          continue;
        }
        for (const NodeId operand : kernel.graph.operands(step.node)) expect_known(operand);
        here.insert(step.node);
        if (const std::uint32_t slot = chunks.slots[step.node.index]; slot != Chunks::no_slot)
          workspace[slot] = step.node;
      }
    };
    for (const auto chunk : chunks.sections[0]) run(chunk);
    for (int tile = 0; tile < 2; ++tile)
      for (const auto chunk : chunks.sections[1]) run(chunk);
  }
}

TEST(Chunks, SlotsAreReused) {
  const ir::Kernel kernel = large_kernel(20000);
  const ScheduledKernel scheduled = schedule(kernel, 16);
  const Chunks chunks = cut(scheduled, 500);
  std::size_t crossing = 0;
  for (const std::uint32_t slot : chunks.slots) crossing += slot != Chunks::no_slot ? 1 : 0;
  EXPECT_GT(crossing, 1000u);
  EXPECT_LT(chunks.slot_count, scheduled.once.size() + static_cast<std::size_t>(scheduled.most_alive) + 500);
  EXPECT_LT(chunks.slot_count, 3 * crossing / 4);
}

TEST(Chunks, AKernelThatFitsHasOneFunction) {
  const std::string text = kernel_as_text(large_kernel(600), Precision::fp64, Target::avx2());
  EXPECT_EQ(text.find("define internal"), std::string::npos);
  EXPECT_EQ(text.find("alloca"), std::string::npos);
}

// A huge kernel takes time and memory in proportion to its length, because no function of it is long.
TEST(Chunks, NoFunctionOfAHugeKernelIsLong) {
  const std::string text = kernel_as_text(large_kernel(50000), Precision::fp64, Target::avx512());
  std::size_t functions = 0, longest = 0;
  for (std::size_t begin = text.find("define "); begin != std::string::npos;) {
    const std::size_t end = text.find("\n}", begin);
    const auto lines = static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                           text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    longest = std::max(longest, lines);
    ++functions;
    begin = text.find("define ", end);
  }
  EXPECT_GT(functions, 30u);
  // A step is about one line, and each of its three operands may have to be restored: an address and a load.
  EXPECT_LT(longest, 8 * longest_function);
}

}  // namespace
}  // namespace proxima::emit
