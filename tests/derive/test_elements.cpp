// Element kernels of every measure, shape and kind of input: values against the strain and energy computed by hand,
// every derivative against differences in extended precision, and the laws of mechanics.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "compiler/support/error.hpp"
#include "tests/derive/measures.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using Vector3 = Eigen::Vector3<long double>;

class Elements : public testing::TestWithParam<std::string> {
 protected:
  const Sample& sample_ = sample_named(GetParam());
  const Fields fields_ = completed(sample_.shape, sample_.fields);

  Fields outputs(Quantity quantity, const Fields& fields) const {
    return run<long double>(element_kernel(sample_, quantity), completed(sample_.shape, fields));
  }
  Extended forces(const Fields& fields) const { return outputs(Quantity::forces, fields).at("forces"); }
  Fields with(const std::string& name, const Extended& values) const {
    Fields changed = sample_.fields;
    changed[name] = values;
    return changed;
  }
  long double power(const Fields& fields) const { return dot(forces(fields), fields.at("direction")); }
  long double size_of_forces() const {
    long double size = 0;
    for (long double force : forces(sample_.fields)) size = std::max(size, std::fabs(force));
    return size;
  }

  // Whether `output` is the derivative of the power along the direction by the field.
  void expect_is_derivative(const Extended& output, const std::string& field) const {
    SCOPED_TRACE(field);
    const Extended d = random_vector(output.size(), 77);
    const auto f = [&](long double h) { return power(with(field, moved(sample_.fields.at(field), d, h))); };
    const long double slope = dot(output, d);
    EXPECT_NE(slope, 0);
    EXPECT_GE(observed_order(f, slope, 1e-3L, size_of_forces()), 1.9L);
    const long double h = 1e-4L;
    const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
    EXPECT_NEAR(static_cast<double>(slope / difference), 1, 1e-9);
  }
};

TEST_P(Elements, EnergyIsThatOfTheStrainTimesTheVolume) {
  Fields at_strain = fields_;
  at_strain["strain"] = strain_at(sample_, fields_, fields_.at("positions"));
  at_strain["previous"] = strain_at(sample_, fields_, fields_.at("previous"));
  const long double volume = fields_.contains("gradients") ? fields_.at("volume")[0] : 1;
  const auto density = run<long double>(derive::strain_kernel(sample_.energy, Quantity::state), at_strain);
  const auto energy = outputs(Quantity::energy, sample_.fields).at("energy")[0];
  EXPECT_NEAR(static_cast<double>(energy / (volume * density.at("density")[0])), 1, 1e-17);
  const auto state = outputs(Quantity::state, sample_.fields);
  for (std::size_t k = 0; k < sample_.energy.strain_components(); ++k)
    EXPECT_NEAR(static_cast<double>(state.at("stress")[k]), static_cast<double>(density.at("stress")[k]), 1e-13);
  EXPECT_EQ(state.at("density").size(), 1u);
}

TEST_P(Elements, ForcesAreTheDerivativeOfTheEnergy) {
  const Extended& d = sample_.fields.at("direction");
  const auto f = [&](long double h) {
    return outputs(Quantity::energy, with("positions", moved(sample_.fields.at("positions"), d, h))).at("energy")[0];
  };
  const long double h = 1e-4L, slope = dot(forces(sample_.fields), d);
  EXPECT_GE(observed_order(f, slope, 1e-3L, size_of_forces()), 1.9L);
  const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  EXPECT_NEAR(static_cast<double>(slope / difference), 1, 1e-9);
  const auto both = outputs(Quantity::energy_forces, sample_.fields);
  EXPECT_EQ(both.at("forces"), forces(sample_.fields));
  EXPECT_EQ(both.at("energy")[0], f(0));
}

TEST_P(Elements, HessianIsTheDerivativeOfTheForcesAndSymmetric) {
  const auto applied = [&](const Extended& d) {
    return outputs(Quantity::hessian_vector, with("direction", d)).at("forces");
  };
  const Extended d = sample_.fields.at("direction"), e = random_vector(d.size(), 5);
  EXPECT_NEAR(static_cast<double>(dot(e, applied(d)) / dot(d, applied(e))), 1, 1e-14);
  const auto f = [&](long double h) {
    return dot(e, forces(with("positions", moved(sample_.fields.at("positions"), d, h))));
  };
  EXPECT_GE(observed_order(f, dot(e, applied(d)), 1e-3L, size_of_forces()), 1.9L);
}

TEST_P(Elements, PullBacksAreTheDerivativesOfThePower) {
  const auto pulled = outputs(Quantity::pull_back, sample_.fields);
  const auto& parameters = sample_.energy.parameters;
  EXPECT_EQ(pulled.at("parameters").size(), parameters.size());
  for (std::size_t k = 0; k < parameters.size(); ++k)
    expect_is_derivative({pulled.at("parameters")[k]}, "parameter:" + parameters[k].name);
  std::size_t fields = 1;
  for (const ir::Input& input : sample_.energy.inputs)
    if (input.kind == ir::InputKind::direction) {
      ++fields;
      expect_is_derivative(pulled.at("direction:" + input.name), "direction:" + input.name);
    }
  EXPECT_EQ(pulled.size(), fields);
  expect_is_derivative(outputs(Quantity::rest_pull_back, sample_.fields).at("rest"), "rest");
}

TEST_P(Elements, CarriedPullBacksAreTheDerivativesByWhatTheStepStartedFrom) {
  std::size_t fields = 0;
  const auto pulled = outputs(Quantity::carried_pull_back, sample_.fields);
  if (sample_.energy.find(ir::InputKind::previous_strain) != nullptr) {
    expect_is_derivative(pulled.at("previous"), "previous");
    ++fields;
  }
  if (const ir::Input* history = sample_.energy.find(ir::InputKind::history)) {
    expect_is_derivative(pulled.at("history:" + history->name), "history:" + history->name);
    ++fields;
  }
  EXPECT_EQ(pulled.size(), fields);
}

TEST_P(Elements, ForcesBalanceAndHaveNoTorque) {
  if (sample_.energy.find(ir::InputKind::history) != nullptr) return;  // a strain of its own that does not turn
  const Extended f = forces(sample_.fields), x = sample_.fields.at("positions");
  Vector3 sum = Vector3::Zero(), torque = Vector3::Zero();
  for (std::size_t s = 0; s < f.size() / 3; ++s) {
    const Vector3 force(f[3 * s], f[3 * s + 1], f[3 * s + 2]);
    sum += force;
    torque += Vector3(x[3 * s], x[3 * s + 1], x[3 * s + 2]).cross(force);
  }
  EXPECT_LE(sum.norm(), 1e-16L * size_of_forces());
  EXPECT_LE(torque.norm(), 1e-15L * size_of_forces());
}

TEST_P(Elements, RigidMotionsOfTheRestShapeGiveNoForce) {
  if (!sample_.free_of_stress_at_rest) return;
  const Matrix3 R = rotation(0.9, 0.3, -1, 2);
  const auto rigid = [&](long double shift) {
    Extended x;
    const Extended& rest = sample_.fields.at("rest");
    for (std::size_t s = 0; s < rest.size() / 3; ++s)
      for (int i = 0; i < 3; ++i)
        x.push_back(static_cast<long double>(R(i, 0)) * rest[3 * s] +
                    static_cast<long double>(R(i, 1)) * rest[3 * s + 1] +
                    static_cast<long double>(R(i, 2)) * rest[3 * s + 2] + shift);
    return x;
  };
  Fields fields = sample_.fields;
  fields["positions"] = rigid(0.7L);
  fields["previous"] = sample_.fields.at("rest");
  for (auto& [name, values] : fields)  // the viscous strain at rest
    if (name.starts_with("history:")) values = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  // R is a rotation to double precision only.
  for (long double force : forces(fields)) EXPECT_LE(std::fabs(force), 1e-13L * (1 + size_of_forces()));
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Sample& sample : samples()) result.push_back(sample.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Samples, Elements, testing::ValuesIn(names()), [](const auto& each) { return each.param; });

TEST(ElementKernels, UpdateHistories) {
  const Sample& sample = sample_named("solid_on_tetrahedron");
  const Fields fields = completed(sample.shape, sample.fields);
  const auto updated = run<long double>(element_kernel(sample, Quantity::history_update), fields);
  ASSERT_EQ(updated.size(), 1u);
  const Extended F = strain_at(sample, fields, fields.at("positions"));
  const Extended& before = fields.at("history:viscous");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const long double C = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
      EXPECT_NEAR(static_cast<double>(updated.at("history:viscous")[3 * i + j]),
                  static_cast<double>((C + before[3 * i + j]) / 2), 1e-15);
    }
}

TEST(ElementKernels, PullHistoriesBack) {
  const Sample& sample = sample_named("solid_on_tetrahedron");
  Fields fields = sample.fields;
  fields["history_bar:viscous"] = random_vector(9, 81);
  const auto f = [&](const std::string& name, const Extended& d, long double h) {
    Fields changed = sample.fields;
    changed[name] = moved(changed[name], d, h);
    const auto updated =
        run<long double>(element_kernel(sample, Quantity::history_update), completed(sample.shape, changed));
    return dot(updated.at("history:viscous"), fields.at("history_bar:viscous"));
  };
  const auto pulled =
      run<long double>(element_kernel(sample, Quantity::history_pull_back), completed(sample.shape, fields));
  EXPECT_EQ(pulled.size(), 4u);  // of positions, both parameters, the direction and the history itself
  for (const std::string name : {"positions", "history:viscous"}) {
    const Extended d = random_vector(pulled.at(name).size(), 82);
    const long double h = 1e-3L, difference = (f(name, d, h) - f(name, d, -h)) / (2 * h);  // exact for a square
    EXPECT_NEAR(static_cast<double>(dot(pulled.at(name), d) / difference), 1, 1e-13) << name;
  }
  EXPECT_EQ(pulled.at("parameters"), Extended(2, 0));
  EXPECT_EQ(pulled.at("direction:a"), Extended(3, 0));
}

TEST(ElementKernels, DeclareTheirFieldsInOneOrder) {
  const auto names_of = [](const ir::Kernel& kernel) {
    std::vector<std::string> names;
    for (const ir::Field& field : kernel.inputs) names.push_back(field.name + "/" + std::to_string(field.components));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(element_kernel(sample_named("solid_on_hexahedron"), Quantity::hessian_vector)),
            (Names{"positions/3", "direction/3", "gradients/21", "volume/1", "parameter:mu/1", "parameter:fibre/1",
                   "direction:a/3", "history:viscous/9"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("dissipation_on_tetrahedron"), Quantity::forces)),
            (Names{"positions/3", "previous/3", "gradients/9", "volume/1", "time_step/1", "parameter:eta/1"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("membrane_on_triangle"), Quantity::energy)),
            (Names{"positions/3", "gradients/4", "volume/1", "parameter:k/1", "parameter:warp/1", "direction:a/3"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("membrane_on_quadrilateral"), Quantity::rest_pull_back)),
            (Names{"positions/3", "direction/3", "rest/3", "shape_gradients/6", "quadrature_weight/1", "parameter:k/1",
                   "parameter:warp/1", "direction:a/3"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("spring_on_edge"), Quantity::forces)),
            (Names{"positions/3", "parameter:k/1", "rest_length/1"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("hinge_on_stencil"), Quantity::pull_back)),
            (Names{"positions/3", "direction/3", "parameter:k/1", "rest_positions/12"}));
  EXPECT_EQ(names_of(element_kernel(sample_named("hinge_on_stencil"), Quantity::rest_pull_back)),
            (Names{"positions/3", "direction/3", "rest/3", "parameter:k/1"}));
}

TEST(ElementKernels, RefuseAShapeThatTheMeasureDoesNotExistOn) {
  const auto message = [](const char* name, derive::Shape shape) -> std::string {
    Sample sample = sample_named(name);
    sample.shape = shape;
    try {
      element_kernel(sample, Quantity::forces);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      message("membrane_on_triangle", {4, 3}),
      "the energy 'membrane' is a function of the 3x2 deformation gradient and needs surface elements; the elements "
      "have 4 corners and 3 dimensions");
  EXPECT_NE(message("solid_on_tetrahedron", {3, 2}), "");
  EXPECT_NE(message("spring_on_edge", {3, 2}), "");
  EXPECT_NE(message("hinge_on_stencil", {5, 0}), "");
}

}  // namespace
}  // namespace proxima::test
