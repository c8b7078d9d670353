// The large uniaxial stretch of every isotropic hyperelastic energy that is shipped, against its analytic curve.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "runtime/mesh/element_meshes.hpp"
#include "tests/solve/equilibrium.hpp"

namespace proxima {
namespace {

using mesh::Shape;
using mesh::Vector3;

// Sides are free, so each energy's principal stresses give the stretch across and the pull.

using Stresses = std::function<double(double along, double across, bool of_side)>;  // P_1 or P_2 at (s1, s2, s2), Pa

struct Material {
  const char* name;
  const char* file;
  std::vector<double> parameters;
  Stresses stress;
};

constexpr double E = 1e5, nu = 0.35, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

const std::vector<Material> materials = {
    {"linear_elasticity",
     "linear_elasticity",
     {E, nu},
     [](double a, double b, bool side) { return 2 * mu * ((side ? b : a) - 1) + lambda * (a + 2 * b - 3); }},
    {"corotated",
     "corotated",
     {E, nu},
     [](double a, double b, bool side) { return 2 * mu * ((side ? b : a) - 1) + lambda * (a + 2 * b - 3); }},
    {"st_venant_kirchhoff",
     "st_venant_kirchhoff",
     {E, nu},
     [](double a, double b, bool side) {
       const double s = side ? b : a;
       return s * (mu * (s * s - 1) + lambda / 2 * (a * a + 2 * b * b - 3));
     }},
    {"neo_hookean",
     "neo_hookean",
     {E, nu},
     [](double a, double b, bool side) {
       const double s = side ? b : a;
       return mu * (s - 1 / s) + lambda * std::log(a * b * b) / s;
     }},
    {"stable_neo_hookean",
     "stable_neo_hookean",
     {E, nu},
     [](double a, double b, bool side) {
       const double bulk = lambda + mu, J = a * b * b, s = side ? b : a;
       return mu * s + bulk * (J - 1 - mu / bulk) * J / s;
     }},
    {"hencky",
     "hencky",
     {E, nu},
     [](double a, double b, bool side) {
       const double s = side ? b : a;
       return (2 * mu * std::log(s) + lambda * std::log(a * b * b)) / s;
     }},
    {"corotated_with_barrier",
     "volume_barrier",
     {E, nu},
     [](double a, double b, bool side) {
       const double s = side ? b : a;
       return 2 * mu * (s - 1) + lambda * std::log(a * b * b) / s;
     }},
    {"arap", "arap", {5e4}, [](double a, double b, bool side) { return 2 * 5e4 * ((side ? b : a) - 1); }},
    {"mooney_rivlin",
     "mooney_rivlin",
     {3e4, 5e3, 1e5},
     [](double a, double b, bool side) {
       const double J = a * b * b, s = side ? b : a, others = side ? a * a + b * b : 2 * b * b;
       return 2 * 1e5 * (J - 1) * J / s - 2 * (3e4 + 2 * 5e3) / s + 2 * 3e4 * s + 2 * 5e3 * s * others;
     }},
    {"fung",
     "fung",
     {2e4, 2, 2e5},
     [](double a, double b, bool side) {
       const double J = a * b * b, s = side ? b : a, I = (a * a + 2 * b * b) / std::pow(J, 2.0 / 3);
       return 2e4 / 2 * std::exp(2 * (I - 3)) * (2 * s / std::pow(J, 2.0 / 3) - 2 * I / (3 * s)) +
              2e5 * std::log(J) / s;
     }},
    {"ogden",
     "ogden",
     {6.3e5, 1.3, 0.012e5, 5, -0.1e5, -2, 1e7},
     [](double a, double b, bool side) {
       const double J = a * b * b, s = side ? b : a;
       double pull = 1e7 / 2 * (J * J - 1);
       for (const auto& [m, p] : {std::pair{6.3e5, 1.3}, {0.012e5, 5.0}, {-0.1e5, -2.0}}) {
         const double third = (std::pow(a, p) + 2 * std::pow(b, p)) / 3;
         pull += m * (std::pow(s, p) - third) / std::pow(J, p / 3);
       }
       return pull / s;
     }},
};

// Where the sides are free of stress, by bisection between 1/2 and 2.
double stretch_across(const Material& material, double along) {
  double low = 0.5, high = 2;
  while (high - low > 1e-15 * high && (low + high) / 2 != low && (low + high) / 2 != high) {
    const double middle = (low + high) / 2;
    (material.stress(along, middle, true) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

class Uniaxial : public testing::TestWithParam<Material> {};

// A cube in two cells. Its ends are held where the curve has them, but for one node that has its share of the pull;
// that node and those between the ends start elsewhere.
TEST_P(Uniaxial, FollowsTheAnalyticCurve) {
  const auto& material = GetParam();
  for (const double along : {0.8, 1.25, 1.6}) {
    const double across = stretch_across(material, along), pull = material.stress(along, across, false);
    const bodies::Field stretched = [&](const Vector3& x) {
      return Vector3{along * x[0], across * x[1], across * x[2]};
    };
    auto mesh = mesh::make_hexahedra({2, 1, 1}, {0, 0, 0}, {1, 1, 1});
    auto elements = mesh::elements(mesh, Shape::hexahedron);
    auto model = bodies::make_quasi_static(std::move(mesh), std::move(elements),
                                           bodies::shipped(material.file, material.name), material.parameters);
    const std::size_t pulled = model.mesh.nodes.size() - 1;
    for (std::size_t node = 0; node < pulled; ++node)
      if (const double x = model.mesh.nodes[node][0]; x == 0 || x == 1) bodies::hold(model, node, stretched);
    model.forces = {{{static_cast<std::int32_t>(pulled)}, {pull / 4, 0, 0}, -1, 2}};
    const auto expected = bodies::positions_of(model, stretched);
    model.initial_positions = expected;
    for (std::size_t i = 0; i < expected.size(); ++i)
      model.initial_positions[i] += 0.03 * std::sin(12.9898 * static_cast<double>(i));
    EXPECT_LT(bodies::largest_distance(bodies::equilibrium(model), expected), 1e-8) << "at a stretch of " << along;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, Uniaxial, testing::ValuesIn(materials),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace proxima
