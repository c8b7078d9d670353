// Loops as machine code against the interpreter: lanes stop on their own, loops nest, and run where values are uniform.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include "compiler/ir/expression.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using ir::Access;
using ir::Expression;
using ir::Graph;
using ir::Loop;
using ir::NodeId;
using ir::Op;

// sqrt(a) by Newton's method from `start`, in as many trips as it takes: carried (x, trips), captured (a, tolerance).
Loop heron(std::uint32_t max_trips) {
  const auto body = std::make_shared<Graph>();
  const auto in = [&](std::uint32_t slot) { return Expression{body.get(), body->input(slot)}; };
  const Expression x = in(0), trips = in(1), a = in(2), tolerance = in(3);
  const Expression bound = tolerance * (a + 1.0);  // hoisted
  const Expression residual = x * x - a;
  return {.body = body,
          .next = {(x - residual / (2.0 * x)).node, (trips + 1.0).node},
          .again = less(bound, residual.apply(Op::abs)).node,
          .max_trips = max_trips};
}

ir::Kernel with_heron(Access access_of_a, std::uint32_t max_trips) {
  ir::Kernel kernel;
  kernel.name = "heron";
  kernel.inputs = {{"start", access_of_a, 1}, {"a", access_of_a, 1}, {"tolerance", Access::uniform, 1}};
  kernel.outputs = {{"root", Access::element, 1}, {"trips", Access::element, 1}, {"sum", Access::element, 1}};
  const auto in = [&](std::uint32_t slot) { return kernel.graph.input(slot); };
  const NodeId bundle = kernel.graph.loop(heron(max_trips), std::array{in(0), kernel.graph.constant(0), in(1), in(2)});
  const NodeId root = kernel.graph.part(bundle, 0), trips = kernel.graph.part(bundle, 1);
  kernel.results = {root, trips, kernel.graph.apply(Op::add, std::array{root, trips})};
  return kernel;
}

testing::Batch heron_batch(const ir::Kernel& kernel, std::size_t elements = 101) {
  testing::Batch batch = testing::random_batch(kernel, elements, 1, 0.5, 900);
  for (double& tolerance : batch.fields[2]) tolerance = 1e-3;
  return batch;
}

void expect_equal_everywhere(const ir::Kernel& kernel, const testing::Batch& batch) {
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision), batch, target.cpu);
  }
}

TEST(Loops, EachLaneTakesItsOwnNumberOfTrips) {
  const ir::Kernel kernel = with_heron(Access::element, 50);
  testing::Batch batch = heron_batch(kernel);
  batch.fields[0][3] = std::sqrt(batch.fields[1][3]);  // takes none
  batch.fields[1][4] = std::nan("");                   // never goes on
  expect_equal_everywhere(kernel, batch);
  const testing::TemporaryFolder folder;
  const auto trips = testing::run(*Engine(folder.path()).compile(kernel), batch)[1];
  EXPECT_EQ(trips[3], 0);
  EXPECT_GT(*std::max_element(trips.begin(), trips.end()), 8);
}

TEST(Loops, StopAtTheirMostTrips) {
  for (const std::uint32_t most : {0u, 1u, 2u}) {
    const ir::Kernel kernel = with_heron(Access::element, most);
    expect_equal_everywhere(kernel, heron_batch(kernel));
  }
}

TEST(Loops, RunOncePerLaunchWhereAllIsUniform) {
  const ir::Kernel kernel = with_heron(Access::uniform, 50);
  expect_equal_everywhere(kernel, heron_batch(kernel));
}

// sum over n = 1.. of heron(a + n) while the sum is below a bound: the inner loop's start is carried by the outer one.
TEST(Loops, Nest) {
  const auto body = std::make_shared<Graph>();
  const auto in = [&](std::uint32_t slot) { return Expression{body.get(), body->input(slot)}; };
  const Expression sum = in(0), n = in(1), a = in(2), tolerance = in(3), most = in(4);
  const Expression of = a + n;
  const NodeId inner =
      body->loop(heron(40), std::array{(1.0 + 0.1 * sum).node, body->constant(0), of.node, tolerance.node});
  const Expression root{body.get(), body->part(inner, 0)}, trips{body.get(), body->part(inner, 1)};
  const Loop outer{.body = body,
                   .next = {(sum + root + 0.001 * trips).node, (n + 1.0).node},
                   .again = less(sum, most).node,
                   .max_trips = 30};
  ir::Kernel kernel;
  kernel.name = "nested";
  kernel.inputs = {{"a", Access::element, 1}, {"most", Access::element, 1}, {"tolerance", Access::uniform, 1}};
  kernel.outputs = {{"sum", Access::element, 1}, {"n", Access::element, 1}};
  const auto slot = [&](std::uint32_t k) { return kernel.graph.input(k); };
  const NodeId zero = kernel.graph.constant(0);
  const NodeId bundle = kernel.graph.loop(outer, std::array{zero, kernel.graph.constant(1), slot(0), slot(2), slot(1)});
  kernel.results = {kernel.graph.part(bundle, 0), kernel.graph.part(bundle, 1)};
  testing::Batch batch = testing::random_batch(kernel, 77, 1, 0.5, 40);
  batch.fields[2] = {1e-2};
  expect_equal_everywhere(kernel, batch);
}

// The condition is made of what `next` computes too, a carried value goes through unchanged, another is swapped.
TEST(Loops, CarriedValuesMayBeExchanged) {
  const auto body = std::make_shared<Graph>();
  const Expression a{body.get(), body->input(0)}, b{body.get(), body->input(1)}, c{body.get(), body->input(2)};
  const Loop loop{
      .body = body, .next = {b.node, (a * c).node, c.node}, .again = less(a * c, 1.0).node, .max_trips = 25};
  ir::Kernel kernel;
  kernel.name = "exchange";
  kernel.inputs = {{"x", Access::element, 3}};
  kernel.outputs = {{"y", Access::element, 3}};
  const auto slot = [&](std::uint32_t k) { return kernel.graph.input(k); };
  const NodeId bundle = kernel.graph.loop(loop, std::array{slot(0), slot(1), slot(2)});
  for (std::uint32_t k = 0; k < 3; ++k) kernel.results.push_back(kernel.graph.part(bundle, k));
  expect_equal_everywhere(kernel, testing::random_batch(kernel, 50, 1, 0.1, 2));
}

// Long before and after a loop, so that its operands and parts cross from one function to another.
TEST(Loops, InHugeKernels) {
  ir::Kernel kernel = with_heron(Access::element, 20);
  Expression before{&kernel.graph, kernel.graph.input(1)};
  for (int k = 0; k < 1500; ++k) before = 0.5 * before + 1.0 / (1.0 + before);
  const NodeId bundle = kernel.graph.loop(
      heron(20), std::array{kernel.graph.input(0), kernel.graph.constant(0), before.node, kernel.graph.input(2)});
  Expression after{&kernel.graph, kernel.graph.part(bundle, 0)};
  for (int k = 0; k < 1500; ++k) after = 0.5 * after + 1.0 / (1.0 + after);
  kernel.results[2] = (after + before + Expression{&kernel.graph, kernel.graph.part(bundle, 1)}).node;
  expect_equal_everywhere(kernel, heron_batch(kernel, 17));
}

// A body that is cut into several functions in all its parts: what is computed before the loop, the condition, the next
// values. Two carried values change places, one stays, and a short loop is inside.
TEST(Loops, WithHugeBodies) {
  const auto body = std::make_shared<Graph>();
  const auto in = [&](std::uint32_t slot) { return Expression{body.get(), body->input(slot)}; };
  const Expression x = in(0), y = in(1), fixed = in(2), a = in(4), tolerance = in(5);
  const auto chain = [](Expression of, int length) {
    for (int k = 0; k < length; ++k) of = 0.5 * of + 1.0 / (1.0 + of * of);
    return of;
  };
  const Expression before = chain(a, 700), limit = chain(x, 700), after = chain(y + before, 700);
  const NodeId inner = body->loop(heron(5), std::array{after.node, body->constant(0), a.node, tolerance.node});
  const Expression root{body.get(), body->part(inner, 0)};
  const Expression pull = 0.5 * x + 0.25 * after + 0.001 * root;
  const Loop loop{.body = body,
                  .next = {y.node, pull.node, fixed.node, (in(3) + 1.0).node},
                  .again = less(in(3) + 0.01 * limit, 4.5).node,
                  .max_trips = 9};
  ir::Kernel kernel;
  kernel.name = "huge_body";
  kernel.inputs = {{"x", Access::element, 4}, {"tolerance", Access::uniform, 1}};
  kernel.outputs = {{"y", Access::element, 4}};
  const auto slot = [&](std::uint32_t k) { return kernel.graph.input(k); };
  const NodeId bundle =
      kernel.graph.loop(loop, std::array{slot(0), slot(1), slot(2), kernel.graph.constant(0), slot(3), slot(4)});
  for (std::uint32_t k = 0; k < 4; ++k) kernel.results.push_back(kernel.graph.part(bundle, k));
  testing::Batch batch = testing::random_batch(kernel, 25, 1, 0.5, 2);
  batch.fields[1] = {1e-2};
  expect_equal_everywhere(kernel, batch);
}

}  // namespace
}  // namespace proxima::jit
