#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>

#include "compiler/emit/chunks.hpp"
#include "compiler/emit/schedule.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::emit {
namespace {

using ir::Access;
using ir::Expression;
using ir::NodeId;

// A kernel over one element field of `size` numbers and one uniform field of one.
struct Example {
  explicit Example(std::uint32_t size) {
    kernel.name = "example";
    kernel.inputs = {{"x", Access::element, size}, {"u", Access::uniform, 1}};
    for (std::uint32_t k = 0; k <= size; ++k) in.push_back({&kernel.graph, kernel.graph.input(k)});
  }
  void result(Expression value) {
    kernel.outputs.push_back({fmt::format("y{}", kernel.results.size()), Access::element, 1});
    kernel.results.push_back(value.node);
  }
  ir::Kernel kernel;
  std::vector<Expression> in;
};

// Operands before users, every node once, every result stored once and after its value.
void expect_valid(const ScheduledKernel& scheduled) {
  const ir::Kernel& kernel = *scheduled.kernel;
  std::map<NodeId, int> evaluated;
  std::map<std::uint32_t, int> stored;
  const auto check = [&](const Step& step) {
    if (step.kind == Step::Kind::store) {
      EXPECT_TRUE(evaluated.contains(step.node));
      EXPECT_EQ(step.node, kernel.results.at(step.result));
      ++stored[step.result];
      return;
    }
    for (const NodeId operand : kernel.graph.operands(step.node)) EXPECT_TRUE(evaluated.contains(operand));
    EXPECT_EQ(++evaluated[step.node], 1);
  };
  for (const Step& step : scheduled.once) check(step);
  for (const Step& step : scheduled.each_tile) check(step);
  EXPECT_EQ(stored.size(), kernel.results.size());
  for (const auto& [result, times] : stored) EXPECT_EQ(times, 1) << result;
}

TEST(Schedule, WhatIsUniformIsComputedOncePerLaunch) {
  Example example(2);
  const Expression u = example.in[2];
  example.result(example.in[0] * (u * u + 2) + example.in[1]);
  example.result(u / 3);
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  expect_valid(scheduled);
  for (const Step& step : scheduled.each_tile)
    if (step.kind == Step::Kind::evaluate) {
      EXPECT_NE(step.node, u.node);
      EXPECT_NE(step.node, (u * u).node);
    }
  EXPECT_EQ(scheduled.once.size(), 6u);  // u, u*u, 2, u*u + 2, 3, u/3
}

TEST(Schedule, DeadNodesAreNotComputed) {
  Example example(2);
  const Expression dead = example.in[0] * example.in[1];
  example.result(example.in[0] + 1);
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  expect_valid(scheduled);
  for (const Step& step : scheduled.each_tile) EXPECT_NE(step.node, dead.node);
}

TEST(Schedule, AnInputIsLoadedJustBeforeItsFirstUse) {
  Example example(8);
  Expression sum = example.in[0];
  for (std::uint32_t k = 1; k < 8; ++k) sum = sum + example.in[k];
  example.result(sum);
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  expect_valid(scheduled);
  EXPECT_LE(scheduled.most_alive, 2);
}

TEST(Schedule, OneResultIsFinishedBeforeTheNextIsBegun) {
  // 40 independent results of three products each: in the order of construction 120 products would be alive at once.
  Example example(4);
  std::vector<std::vector<Expression>> products(40);
  for (std::uint32_t k = 0; k < 3; ++k)
    for (std::uint32_t r = 0; r < 40; ++r) products[r].push_back(example.in[k] * (example.in[3] + double(r)));
  for (const auto& p : products) example.result(p[0] * p[1] + p[2]);
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  expect_valid(scheduled);
  EXPECT_LE(scheduled.most_alive, 8);
}

TEST(Schedule, ADeepGraphNeedsNoDeepStack) {
  Example example(2);
  Expression chain = example.in[0];
  for (int k = 0; k < 200000; ++k) chain = chain * example.in[1] + 1;
  example.result(chain);
  expect_valid(schedule(example.kernel, 16));
}

// Carried x, captured c: x becomes x * exp(c) while x < c * c.
TEST(Schedule, WhatALoopOnlyCapturesIsComputedBeforeIt) {
  const auto body = std::make_shared<ir::Graph>();
  const Expression x{body.get(), body->input(0)}, c{body.get(), body->input(1)};
  const Expression factor = c.apply(ir::Op::exp), bound = c * c, next = x * factor, again = less(x, bound);
  const ir::Loop loop{.body = body, .next = {next.node}, .again = again.node, .max_trips = 5};
  Example example(2);
  const NodeId bundle = example.kernel.graph.loop(loop, std::array{example.in[0].node, example.in[1].node});
  example.result({&example.kernel.graph, example.kernel.graph.part(bundle, 0)});
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  ASSERT_EQ(scheduled.loops.size(), 1u);
  const ScheduledLoop& inner = scheduled.loops.begin()->second;
  const auto nodes = [](const std::vector<Step>& steps) {
    std::vector<NodeId> result;
    for (const Step& step : steps) result.push_back(step.node);
    return result;
  };
  EXPECT_EQ(nodes(inner.before), (std::vector{c.node, factor.node, bound.node}));
  EXPECT_EQ(nodes(inner.test), (std::vector{x.node, again.node}));
  EXPECT_EQ(nodes(inner.advance), (std::vector{next.node}));
  EXPECT_EQ(inner.size(), 6u);
}

TEST(Schedule, PartsFollowTheirLoopEvenInShortChunks) {
  const auto body = std::make_shared<ir::Graph>();
  const Expression x{body.get(), body->input(0)}, y{body.get(), body->input(1)};
  const ir::Loop loop{.body = body, .next = {y.node, (x + y).node}, .again = less(y, 9.0).node, .max_trips = 50};
  Example example(2);
  const NodeId bundle = example.kernel.graph.loop(loop, std::array{example.in[0].node, example.in[1].node});
  const Expression a{&example.kernel.graph, example.kernel.graph.part(bundle, 0)};
  const Expression b{&example.kernel.graph, example.kernel.graph.part(bundle, 1)};
  example.result(a);
  example.result(b * example.in[0]);
  const ScheduledKernel scheduled = schedule(example.kernel, 16);
  const Chunks chunks = cut(scheduled, 1);
  for (const auto chunk : chunks.sections[1])
    for (std::size_t k = 0; k < chunk.size(); ++k)
      if (chunk[k].node == b.node && chunk[k].kind == Step::Kind::evaluate) {
        ASSERT_GE(k, 2u);
        EXPECT_EQ(chunk[0].node, bundle);
      }
}

TEST(Schedule, ATruthValueIsNoResult) {
  Example example(2);
  example.result(less(example.in[0], example.in[1]));
  EXPECT_THROW(schedule(example.kernel, 16), std::logic_error);
}

}  // namespace
}  // namespace proxima::emit
