// Equilibria that are known in closed form: patches, and prisms of linear elasticity with their order of convergence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "tests/solve/equilibrium.hpp"

namespace proxima {
namespace {

using mesh::Shape;
using mesh::Vector3;

// Patch tests: where the boundary of a distorted patch is moved by an affine map, so is all of it.

struct Patch {
  const char* name;
  Shape shape;
  const char* file;
  std::vector<double> parameters;
};

Vector3 affine(const Vector3& x) {
  return {1.3 * x[0] + 0.2 * x[1] + 0.1 * x[2] + 0.5, -0.1 * x[0] + 1.2 * x[1], 0.3 * x[0] + 1.1 * x[2]};
}

model::Model make_patch(const Patch& patch) {
  mesh::Mesh mesh;
  if (patch.shape == Shape::tetrahedron) mesh = mesh::make_box({3, 3, 3}, {0, 0, 0}, {1, 1, 1});
  if (patch.shape == Shape::hexahedron) mesh = mesh::make_hexahedra({3, 3, 3}, {0, 0, 0}, {1, 1, 1});
  const bool flat = mesh.nodes.empty();
  if (flat) mesh = mesh::make_triangle_grid({4, 4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const bool lattice = patch.shape == Shape::edge;  // in equilibrium by its symmetry, so it must not be distorted
  std::vector<std::size_t> boundary;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    Vector3& x = mesh.nodes[n];
    const bool inside = std::all_of(x.begin(), x.begin() + (flat ? 2 : 3), [](double c) { return c > 0 && c < 1; });
    if (!inside) boundary.push_back(n);
    for (int i = 0; i < (flat ? 2 : 3) && inside && !lattice; ++i)
      x[i] += 0.04 * std::sin(12.9898 * static_cast<double>(3 * n) + i + 1);
  }
  mesh::Elements elements = mesh::elements(mesh, flat ? Shape::triangle : patch.shape);
  if (lattice) {
    elements = mesh::edges_of(elements);
    mesh.blocks.clear();
  }
  auto model = bodies::make_quasi_static(std::move(mesh), std::move(elements), bodies::shipped(patch.file, patch.file),
                                         patch.parameters);
  for (const auto node : boundary) bodies::hold(model, node, affine);
  return model;
}

class PatchTest : public testing::TestWithParam<Patch> {};

TEST_P(PatchTest, ReproducesAnAffineField) {
  auto model = make_patch(GetParam());
  const auto expected = bodies::positions_of(model, affine);
  model.initial_positions = expected;
  for (std::size_t i = 0; i < expected.size(); ++i)
    model.initial_positions[i] += 0.02 * std::sin(12.9898 * static_cast<double>(i));
  EXPECT_LT(bodies::largest_distance(bodies::equilibrium(model), expected), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PatchTest,
                         testing::Values(Patch{"tetrahedra", Shape::tetrahedron, "neo_hookean", {1e5, 0.4}},
                                         Patch{"hexahedra", Shape::hexahedron, "neo_hookean", {1e5, 0.4}},
                                         Patch{"triangles", Shape::triangle, "membrane", {1e-3, 1e6, 0.3}},
                                         Patch{"edges", Shape::edge, "mass_spring", {100}}),
                         [](const auto& which) { return std::string(which.param.name); });

// Saint-Venant's solutions (Timoshenko and Goodier, "Theory of Elasticity", 1970, sections 96 and 102), which
// leave the sides of a prism free of load. Its ends are held where the solution has them.

constexpr double young = 1e5, poisson = 0.3, density = 1000, gravity = -9.81;
constexpr Vector3 prism = {1, 0.5, 0.5};

// A thick beam bent to the curvature 0.2 per metre.
Vector3 bent(const Vector3& x) {
  const double curvature = 0.2, y = x[1] - prism[1] / 2, z = x[2] - prism[2] / 2;
  return {x[0] + curvature * x[0] * z, x[1] - poisson * curvature * y * z,
          x[2] - curvature / 2 * (x[0] * x[0] + poisson * (z * z - y * y))};
}

// A bar that hangs in a field of gravity along x, its lower end at x = 0 without load.
Vector3 hanging(const Vector3& x) {
  const double strain = -density * gravity / young, y = x[1], z = x[2];  // a unit of length above the lower end
  return {x[0] + strain / 2 * (x[0] * x[0] + poisson * (y * y + z * z)), x[1] - poisson * strain * x[0] * y,
          x[2] - poisson * strain * x[0] * z};
}

struct Prism {
  const char* name;
  Shape shape;
  bodies::Field solution;
  bool hangs;
};

// Root mean square distance of the nodes from the solution, `cells` across.
double prism_error(const Prism& prism_case, int cells) {
  const std::array count = {2 * cells, cells, cells};
  auto mesh = prism_case.shape == Shape::tetrahedron ? mesh::make_box(count, {0, 0, 0}, prism)
                                                     : mesh::make_hexahedra(count, {0, 0, 0}, prism);
  auto elements = mesh::elements(mesh, prism_case.shape);
  auto model = bodies::make_quasi_static(std::move(mesh), std::move(elements), bodies::shipped("linear_elasticity"),
                                         {young, poisson});
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    const double x = model.mesh.nodes[node][0];
    if (x == prism[0] || (x == 0 && !prism_case.hangs)) bodies::hold(model, node, prism_case.solution);
  }
  if (prism_case.hangs) model.gravity = {gravity, 0, 0};
  auto distance = bodies::equilibrium(model);
  device::add_scaled(distance, -1, bodies::positions_of(model, prism_case.solution));
  return device::norm(distance) / std::sqrt(static_cast<double>(model.mesh.nodes.size()));
}

class SaintVenant : public testing::TestWithParam<Prism> {};

TEST_P(SaintVenant, IsApproachedWithOrderTwo) {
  const double coarse = prism_error(GetParam(), 6), fine = prism_error(GetParam(), 12);
  EXPECT_GT(fine, 1e-6);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Prisms, SaintVenant,
                         testing::Values(Prism{"bent_tetrahedra", Shape::tetrahedron, bent, false},
                                         Prism{"bent_hexahedra", Shape::hexahedron, bent, false},
                                         Prism{"hanging_tetrahedra", Shape::tetrahedron, hanging, true},
                                         Prism{"hanging_hexahedra", Shape::hexahedron, hanging, true}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace proxima
