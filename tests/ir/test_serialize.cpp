#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/serialize.hpp"

namespace proxima::ir {
namespace {

Kernel sample_kernel(bool other_order) {
  Kernel kernel;
  kernel.name = other_order ? "second" : "first";
  kernel.corners = 4;
  kernel.inputs = {{"positions", Access::nodal, 3}, {"volume", Access::element, 1}};
  kernel.outputs = {{"energy", Access::element, 2}};
  Graph& graph = kernel.graph;
  Expression x{&graph, {}}, y{&graph, {}};
  if (other_order) {  // other nodes first, and some that nothing needs
    y = {&graph, graph.input(1)};
    (void)(y.apply(Op::tanh) * 17);
    x = {&graph, graph.input(0)};
  } else {
    x = {&graph, graph.input(0)};
    y = {&graph, graph.input(1)};
  }
  const Expression product = other_order ? y.apply(Op::sin) * x.apply(Op::cos) : x.apply(Op::cos) * y.apply(Op::sin);
  kernel.results = {(product + 1e-15).node, select(less(x, y), x, y).node};
  return kernel;
}

TEST(Serialize, KeyDependsOnTheComputationOnly) {
  const Kernel kernel = sample_kernel(false);
  EXPECT_EQ(key_bytes(kernel), key_bytes(sample_kernel(true)));

  Kernel located = kernel;
  located.graph.intern_file("a.cpp");
  EXPECT_EQ(key_bytes(kernel), key_bytes(located));

  for (int change = 0; change < 4; ++change) {
    Kernel other = kernel;
    if (change == 0) other.results[0] = other.graph.apply(Op::neg, std::array{other.results[0]});
    if (change == 1) other.inputs[1].access = Access::uniform;
    if (change == 2) std::swap(other.results[0], other.results[1]);
    if (change == 3) other.corners = 3;
    EXPECT_NE(key_bytes(kernel), key_bytes(other)) << "change " << change;
  }
}

TEST(Serialize, KeyTellsConstantsApart) {
  const auto with_constant = [](double value) {
    Kernel kernel;
    kernel.inputs = {{"x", Access::element, 1}};
    kernel.outputs = {{"y", Access::element, 1}};
    kernel.results = {(Expression{&kernel.graph, kernel.graph.input(0)} * value).node};
    return key_bytes(kernel);
  };
  EXPECT_NE(with_constant(0.1), with_constant(std::nextafter(0.1, 1)));
  EXPECT_NE(with_constant(0.0), with_constant(-0.0));
}

TEST(Serialize, KernelComesBackAsItWas) {
  const Kernel kernel = sample_kernel(true);
  const auto back = kernel_from_bytes(to_bytes(kernel));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(to_bytes(*back), to_bytes(kernel));
  EXPECT_EQ(back->name, kernel.name);
  EXPECT_EQ(key_bytes(*back), key_bytes(kernel));
  std::vector<double> x(13, 0.25);
  x[1] = 0.5;
  EXPECT_EQ(evaluate<double>(*back, x), evaluate<double>(kernel, x));
}

Energy sample_energy() {
  Energy energy;
  energy.name = "spring";
  energy.file = "spring.cpp";
  const auto file = energy.graph.intern_file("spring.cpp");
  energy.graph.intern_file("other.hpp");
  const NodeId stiffness = energy.graph.input(energy.parameter_slot(0));
  energy.density = energy.graph.apply(Op::mul, std::array{stiffness, energy.graph.input(0)}, {file, 7});
  energy.parameters = {{"k", "Pa", 2, 0, std::numeric_limits<double>::infinity(), {file, 3}, true}};
  energy.inputs = {{InputKind::history, "memory", 2, {0.5, 1}, {energy.density, stiffness}, {file, 4}},
                   {InputKind::time_step, "time_step", 1, {}, {}, {}}};
  energy.projection = {.weight = stiffness, .closest = std::vector<NodeId>(9, stiffness)};
  return energy;
}

TEST(Serialize, EnergyComesBackWithItsSourceLines) {
  const Energy energy = sample_energy();
  const auto back = energy_from_bytes(to_bytes(energy));
  ASSERT_TRUE(back.has_value());
  EXPECT_NE(to_text(*back).find("spring.cpp:7"), std::string::npos);
  EXPECT_EQ(back->parameters[0].where.line, 3u);
  EXPECT_EQ(back->graph.files()[back->parameters[0].where.file], "spring.cpp");
  EXPECT_EQ(to_bytes(*back), to_bytes(energy));
}

// x -> x / 2 while it is above 1, in `trips` at most.
Graph halving(std::uint32_t trips) {
  const auto body = std::make_shared<Graph>();
  const NodeId x = body->input(0), one = body->input(1);
  Loop loop{.body = body, .next = {}, .again = body->apply(Op::less, std::array{one, x}), .max_trips = trips};
  loop.next = {body->apply(Op::mul, std::array{body->constant(0.5), x})};
  Graph graph;
  graph.part(graph.loop(loop, std::array{graph.input(0), graph.constant(1)}), 0);
  return graph;
}

TEST(Serialize, LoopsComeBackAndTheirBodiesCount) {
  Kernel kernel;
  kernel.inputs = {{"x", Access::element, 1}};
  kernel.graph = halving(10);
  kernel.results = {NodeId{static_cast<std::uint32_t>(kernel.graph.size() - 1)}};
  const auto back = kernel_from_bytes(to_bytes(kernel));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(to_bytes(*back), to_bytes(kernel));
  EXPECT_EQ(evaluate<double>(*back, std::array{12.0})[0], 0.75);
  Kernel shorter = kernel;
  shorter.graph = halving(2);
  EXPECT_EQ(evaluate<double>(shorter, std::array{12.0})[0], 3);
  EXPECT_NE(key_bytes(shorter), key_bytes(kernel));
}

TEST(Serialize, DamagedBytesAreNotReadAndNeverCrash) {
  const std::string bytes = to_bytes(sample_kernel(false));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(kernel_from_bytes(std::string_view(bytes).substr(0, length)).has_value()) << length;
  EXPECT_FALSE(kernel_from_bytes(bytes + "x").has_value());
  EXPECT_FALSE(energy_from_bytes(bytes).has_value());
  for (std::size_t i = 0; i < bytes.size(); ++i) {  // any answer will do, as long as there is one
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    (void)kernel_from_bytes(damaged);
  }
  const std::string energy = to_bytes(sample_energy());
  for (std::size_t i = 0; i < energy.size(); ++i) {
    std::string damaged = energy;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
    (void)energy_from_bytes(damaged);
  }
}

}  // namespace
}  // namespace proxima::ir
