// The stiffness at rest of every measure, and its derivative by the parameters.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "tests/derive/measures.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;

class RestWeight : public testing::TestWithParam<std::string> {
 protected:
  const Sample& sample_ = sample_named(GetParam());
  const ir::Energy& energy_ = sample_.energy;
  const Fields fields_ = completed(sample_.shape, sample_.fields);
  const ir::Kernel weight_ = derive::rest_weight(energy_);
};

// The components of the strain along which the curvature is taken, and the strain at rest.
std::pair<std::vector<std::size_t>, Extended> rest_of(const ir::Energy& energy, const Fields& fields) {
  switch (energy.measure) {
    case ir::Measure::deformation_gradient:
      return {{0, 4, 8}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    case ir::Measure::surface_deformation_gradient:
      return {{0, 3}, {1, 0, 0, 1, 0, 0}};
    case ir::Measure::edge_vector:
      return {{0}, {fields.at("rest_length")[0], 0, 0}};
    case ir::Measure::node_positions:
      break;
  }
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < energy.strain_components(); ++k) all.push_back(k);
  return {all, fields.at("rest_positions")};
}

TEST_P(RestWeight, IsTheMeanCurvatureOrTheWeightOfTheProjection) {
  const auto [axes, rest] = rest_of(energy_, fields_);
  Fields fields = fields_;
  fields["strain"] = fields["previous"] = rest;
  long double mean = 0;
  for (const std::size_t axis : axes) {
    fields["strain_direction"] = Extended(rest.size(), 0);
    fields["strain_direction"][axis] = 1;
    const auto curved = run<long double>(derive::strain_kernel(energy_, Quantity::hessian_vector), fields);
    mean += curved.at("stress")[axis] / static_cast<long double>(axes.size());
  }
  if (energy_.projection) mean = fields_.at("parameter:k")[0];
  EXPECT_NEAR(static_cast<double>(run<long double>(weight_, fields_).at("weight")[0] / mean), 1, 1e-15);
  EXPECT_GT(mean, 0);
}

TEST_P(RestWeight, HasADerivativeByEachParameter) {
  if (GetParam() == "stretched_fibres_on_tetrahedron") {  // inside a matrix that is decomposed: a third derivative
    EXPECT_THROW(derive::rest_weight_gradient(energy_), Error);
    return;
  }
  const Fields result = run<long double>(derive::rest_weight_gradient(energy_), fields_);
  EXPECT_EQ(result.at("weight"), run<long double>(weight_, fields_).at("weight"));
  for (std::size_t k = 0; k < energy_.parameters.size(); ++k) {
    const auto f = [&](long double h) {
      Fields moved = fields_;
      moved["parameter:" + energy_.parameters[k].name][0] += h;
      return run<long double>(weight_, moved).at("weight")[0];
    };
    const long double h = 1e-4L;
    const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
    EXPECT_NEAR(static_cast<double>(result.at("parameters")[k]), static_cast<double>(difference), 1e-11);
  }
}

// 2 mu + lambda of E and nu, and its derivatives.
TEST(RestWeightOfMaterials, FollowsYoungsModulusAndPoissonsRatio) {
  const long double E = 2.5e5L, nu = 0.4L;
  const Fields fields = {{"parameter:E", {E}}, {"parameter:nu", {nu}}};
  for (const char* name : {"neo_hookean", "stable_neo_hookean", "st_venant_kirchhoff"}) {
    const Fields result = run<long double>(derive::rest_weight_gradient(energy_named(name)), fields);
    const long double by_E = 1 / (1 + nu) + nu / ((1 + nu) * (1 - 2 * nu));
    const auto by_nu = [&](long double x) {  // d/dnu of the same for E = 1
      const long double q = (1 + x) * (1 - 2 * x);
      return -1 / ((1 + x) * (1 + x)) + (q + x * (1 + 4 * x)) / (q * q);
    };
    EXPECT_NEAR(static_cast<double>(result.at("weight")[0] / (E * by_E)), 1, 1e-16) << name;
    EXPECT_NEAR(static_cast<double>(result.at("parameters")[0] / by_E), 1, 1e-16) << name;
    EXPECT_NEAR(static_cast<double>(result.at("parameters")[1] / (E * by_nu(nu))), 1, 1e-16) << name;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Sample& sample : samples())
    if (sample.shape.corners != 8) result.push_back(sample.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Samples, RestWeight, testing::ValuesIn(names()), [](const auto& each) { return each.param; });

}  // namespace
}  // namespace proxima::test
