#include "runtime/model/obstacle_shapes.hpp"

#include <array>
#include <proxima/dsl.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/expression.hpp"

namespace {

using namespace proxima::dsl;

// |(a, b)| with a derivative of 0 at 0.
Scalar length(const Scalar& a, const Scalar& b) {
  auto square = a * a + b * b;
  return select(square > 0, sqrt(square), 0);
}

// The distance to what is below 0 in every one of q, where the axes of q are at right angles. On the surface itself the
// inner branch has the normal, of the axis that is nearest.
Scalar corner(const Scalar& a, const Scalar& b) {
  auto deepest = max(a, b);
  return select(deepest > 0, length(max(a, 0), max(b, 0)), deepest);
}

PROXIMA_FUNCTION(proxima_half_space) {
  auto x = input<3>("x");
  output("distance", x[2]);
}

PROXIMA_FUNCTION(proxima_box) {
  auto x = input<3>("x");
  auto half_x = parameter("half_x", metre, 0.5).positive();
  auto half_y = parameter("half_y", metre, 0.5).positive();
  auto half_z = parameter("half_z", metre, 0.5).positive();
  auto a = abs(x[0]) - half_x;
  auto b = abs(x[1]) - half_y;
  auto c = abs(x[2]) - half_z;
  auto deepest = max(max(a, b), c);
  auto outside = square(max(a, 0)) + square(max(b, 0)) + square(max(c, 0));
  output("distance", select(deepest > 0, sqrt(outside), deepest));
}

PROXIMA_FUNCTION(proxima_sphere) {
  auto x = input<3>("x");
  auto radius = parameter("radius", metre, 0.5).positive();
  auto square = squared_norm(x);
  output("distance", select(square > 0, sqrt(square), 0) - radius);
}

PROXIMA_FUNCTION(proxima_capsule) {
  auto x = input<3>("x");
  auto half_length = parameter("half_length", metre, 0.5).positive();
  auto radius = parameter("radius", metre, 0.25).positive();
  auto beyond = max(abs(x[2]) - half_length, 0);
  auto square = x[0] * x[0] + x[1] * x[1] + beyond * beyond;
  output("distance", select(square > 0, sqrt(square), 0) - radius);
}

PROXIMA_FUNCTION(proxima_cylinder) {
  auto x = input<3>("x");
  auto half_height = parameter("half_height", metre, 0.5).positive();
  auto radius = parameter("radius", metre, 0.5).positive();
  output("distance", corner(length(x[0], x[1]) - radius, abs(x[2]) - half_height));
}

}  // namespace

namespace proxima::model {
namespace {

constexpr std::array<ObstacleShape, 5> table = {{{"half_space", "proxima_half_space"},
                                                 {"box", "proxima_box"},
                                                 {"sphere", "proxima_sphere"},
                                                 {"capsule", "proxima_capsule"},
                                                 {"cylinder", "proxima_cylinder"}}};

}  // namespace

std::span<const ObstacleShape> obstacle_shapes() { return table; }

std::shared_ptr<const ir::Function> obstacle_shape(std::string_view name) {
  static const auto functions = [] {
    std::vector<std::shared_ptr<const ir::Function>> all;
    all.reserve(table.size());
    for (const auto& row : table)
      all.push_back(std::make_shared<const ir::Function>(dsl::find_function(std::string(row.function))));
    return all;
  }();
  for (std::size_t k = 0; k < table.size(); ++k)
    if (table[k].name == name) return functions[k];
  throw std::logic_error("no obstacle has the shape " + std::string(name));
}

std::shared_ptr<const ir::Function> inside_out(const ir::Function& distance) {
  ir::Graph graph = distance.graph;
  std::vector<ir::NodeId> roots = roots_of(distance);
  for (auto& root : roots) root = (-ir::Expression{&graph, root}).node;
  return std::make_shared<const ir::Function>(with_roots(distance, std::move(graph), roots));
}

}  // namespace proxima::model
