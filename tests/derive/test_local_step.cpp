// Local steps in their three forms and the adjoint of each, for every energy at every state where they are defined.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiler/derive/local_step.hpp"
#include "compiler/derive/local_step_fields.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/spectral_energies.hpp"
#include "tests/derive/trials.hpp"

namespace proxima::test {
namespace {

using derive::LocalForm;
using derive::Quantity;

ir::Kernel step(const ir::Energy& energy, LocalForm form) {
  return derive::local_step(energy, form, std::vector<bool>(energy.parameters.size(), true));
}
ir::Kernel adjoint(const ir::Energy& energy, LocalForm form) {
  return derive::local_step_adjoint(energy, form, std::vector<bool>(energy.parameters.size(), true));
}

class LocalSteps : public testing::TestWithParam<std::string> {
 protected:
  const Trial& trial_ = trial_named(GetParam());
  const ir::Energy& energy_ = trial_.energy;
  const ir::Kernel psi_ = derive::strain_kernel(energy_, Quantity::energy);
  const ir::Kernel stress_ = derive::strain_kernel(energy_, Quantity::forces);

  Fields at(const Extended& strain, long double weight) const {
    Fields fields = trial_.fields;
    fields["strain"] = strain;
    fields["weight"] = {weight};
    return fields;
  }
  // A weight of the size of the energy's stiffness.
  long double stiffness() const {
    Fields fields = trial_.fields;
    const long double weight = run<long double>(derive::rest_weight(energy_), fields).at("weight")[0];
    return std::isfinite(weight) && weight > 0 ? weight : 1;
  }
  long double objective(const Fields& fields, const Extended& p) const {
    Fields moved = fields;
    moved["strain"] = p;
    const Extended apart = test::moved(p, fields.at("strain"), -1);
    return run<long double>(psi_, moved).at("energy")[0] + fields.at("weight")[0] / 2 * dot(apart, apart);
  }

  // Whether the adjoint of a step is the derivative of its p by each field that the adjoint has an output for.
  void expect_adjoint_is_right(const ir::Kernel& forward, const ir::Kernel& backward, const Fields& fields,
                               const Extended& p) const {
    constexpr double tolerance = 1e-7;
    Fields with_bar = fields;
    with_bar["p"] = p;
    with_bar["p_bar"] = random_vector(p.size(), 51);
    const Fields exact = run<long double>(backward, with_bar), rounded = run<double>(backward, with_bar);
    const auto check = [&](const std::string& field, const Extended& bar, const Extended& bar_rounded) {
      SCOPED_TRACE(field);
      const Extended& x = fields.at(field);
      long double size = 0;
      for (long double entry : x) size = std::max(size, std::fabs(entry));
      const Extended d = random_vector(x.size(), 52);
      const long double h = 1e-5L * size;
      const auto f = [&](long double t) {
        Fields changed = fields;
        changed[field] = moved(x, d, t);
        return dot(run<long double>(forward, changed).at("p"), with_bar.at("p_bar"));
      };
      const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      long double terms = 1 / size;
      for (std::size_t k = 0; k < d.size(); ++k) terms = std::max(terms, std::fabs(bar[k] * d[k]));
      EXPECT_NEAR(static_cast<double>(dot(bar, d)), static_cast<double>(difference),
                  tolerance * static_cast<double>(terms));
      for (std::size_t k = 0; k < bar.size(); ++k)
        EXPECT_NEAR(static_cast<double>(bar_rounded[k]), static_cast<double>(bar[k]),
                    tolerance * static_cast<double>(terms));
    };
    for (const auto& [name, bar] : exact) {
      if (name != "parameters") {
        check(name, bar, rounded.at(name));
        continue;
      }
      for (std::size_t k = 0; k < bar.size(); ++k)
        check("parameter:" + energy_.parameters[k].name, {bar[k]}, {rounded.at(name)[k]});
    }
    EXPECT_EQ(exact.at("strain").size(), p.size());
    EXPECT_EQ(exact.contains("weight"), fields.contains("weight") && !run<double>(forward, fields).contains("weight"));
    EXPECT_EQ(exact.contains("parameters"), !energy_.parameters.empty());
  }
};

TEST_P(LocalSteps, ProximalPointIsOptimal) {
  const ir::Kernel kernel = step(energy_, LocalForm::proximal);
  for (const auto& [state, F] : trial_.strains)
    for (const long double factor : {0.3L, 1.0L, 10.0L}) {
      if (!has_smooth_minimum(trial_.name, state)) continue;
      SCOPED_TRACE(state + " with " + std::to_string(static_cast<double>(factor)) + " times the stiffness");
      const Fields fields = at(F, factor * stiffness());
      const Fields result = run<double>(kernel, fields);
      const Extended& p = result.at("p");
      Fields moved = fields;
      moved["strain"] = p;
      const Extended P = run<long double>(stress_, moved).at("stress");
      long double defect = 0, terms = 0;
      for (std::size_t k = 0; k < p.size(); ++k) {
        defect = std::max(defect, std::fabs(P[k] - fields.at("weight")[0] * (F[k] - p[k])));
        terms = std::max({terms, std::fabs(P[k]), fields.at("weight")[0] * std::fabs(F[k])});
      }
      EXPECT_LE(defect, 1e-12L * terms);
      EXPECT_LE(result.at("residual")[0], 1e-13L);
      EXPECT_GT(result.at("pivot")[0], -1e-12L * fields.at("weight")[0]);  // 0 in a valley
      EXPECT_LE(result.at("iterations")[0], 35);
      EXPECT_GE(result.at("iterations")[0], 1);
    }
}

TEST_P(LocalSteps, ProximalAdjointIsTheDerivative) {
  const ir::Kernel kernel = step(energy_, LocalForm::proximal), backward = adjoint(energy_, LocalForm::proximal);
  for (const auto& [state, F] : trial_.strains) {
    SCOPED_TRACE(state);
    if (!has_smooth_minimum(trial_.name, state) || !is_differentiable(state)) continue;
    const Fields fields = at(F, stiffness());
    expect_adjoint_is_right(kernel, backward, fields, run<long double>(kernel, fields).at("p"));
  }
}

TEST_P(LocalSteps, ExplicitStepAndItsAdjoint) {
  if (trial_.name == "spectral_largest") return;  // has kinks where stretches are equal
  const ir::Kernel kernel = step(energy_, LocalForm::explicit_), backward = adjoint(energy_, LocalForm::explicit_);
  for (const auto& [state, F] : trial_.strains) {
    SCOPED_TRACE(state);
    const Fields fields = at(F, 2 * stiffness());
    const long double psi = run<long double>(psi_, fields).at("energy")[0];
    if (!(psi < 1e6L * stiffness()) || state == "rank_two" || !is_differentiable(state)) continue;
    const Extended p = run<long double>(kernel, fields).at("p"), P = run<long double>(stress_, fields).at("stress");
    for (std::size_t k = 0; k < p.size(); ++k)
      EXPECT_NEAR(static_cast<double>(p[k]), static_cast<double>(F[k] - P[k] / fields.at("weight")[0]),
                  1e-15 * (1 + std::fabs(static_cast<double>(p[k]))));
    expect_adjoint_is_right(kernel, backward, fields, p);
  }
}

TEST_P(LocalSteps, ProjectiveStepAndItsAdjoint) {
  if (!energy_.projection) {
    EXPECT_THROW(step(energy_, LocalForm::projective), Error);
    EXPECT_THROW(adjoint(energy_, LocalForm::projective), Error);
    return;
  }
  const ir::Kernel kernel = step(energy_, LocalForm::projective), backward = adjoint(energy_, LocalForm::projective);
  for (const auto& [state, F] : trial_.strains) {
    SCOPED_TRACE(state);
    const Fields fields = at(F, 1);
    const Fields result = run<long double>(kernel, fields);
    const Extended& p = result.at("p");
    const Extended apart = moved(p, F, -1), P = run<long double>(stress_, fields).at("stress");
    for (std::size_t k = 0; k < p.size(); ++k)  // the stress is that of a spring to the closest point
      EXPECT_NEAR(static_cast<double>(P[k]), static_cast<double>(-result.at("weight")[0] * apart[k]), 1e-14);
    expect_adjoint_is_right(kernel, backward, fields, p);
  }
}

INSTANTIATE_TEST_SUITE_P(Energies, LocalSteps, testing::ValuesIn(trial_names()),
                         [](const auto& each) { return each.param; });

// The quadratic energies have their proximal point in closed form: ARAP, between F and the rotation.
TEST(ProximalStep, OfArapIsBetweenFAndTheRotation) {
  const ir::Energy energy = spectral_energy("arap").energy;
  const ir::Kernel kernel = step(energy, LocalForm::proximal);
  for (const State& state : spectral_states()) {
    if (state.name == "rank_one" || state.name == "opposite_stretches") continue;
    SCOPED_TRACE(state.name);
    const Numbers F = flat(state.F);
    const Fields result = run<double>(kernel, {{"strain", Extended(F.begin(), F.end())}, {"weight", {3}}});
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(state.F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d U = svd.matrixU();
    if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
    const Eigen::Matrix3d R = U * svd.matrixV().transpose();
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(static_cast<double>(result.at("p")[static_cast<std::size_t>(k)]),
                  (R(k / 3, k % 3) + 3 * state.F(k / 3, k % 3)) / 4, 1e-13);
    EXPECT_LE(result.at("iterations")[0], 2);
  }
}

TEST(ProximalStep, TakesFewIterationsNearRest) {
  for (const char* name : {"neo_hookean", "stable_neo_hookean", "st_venant_kirchhoff", "mooney_rivlin", "fung"}) {
    const Trial& trial = trial_named(name);
    const ir::Kernel kernel = step(trial.energy, LocalForm::proximal);
    const auto weight = run<double>(derive::rest_weight(trial.energy), trial.fields).at("weight");
    for (const auto& [state, F] : trial.strains) {
      if (!is_one_of(state, {"rest", "rotated", "two_equal_stretches", "general", "three_equal_stretches"})) continue;
      Fields fields = trial.fields;
      fields["strain"] = F;
      fields["weight"] = weight;
      EXPECT_LE(run<double>(kernel, fields).at("iterations")[0], state == "rest" || state == "rotated" ? 1 : 6)
          << name << " " << state;
    }
  }
}

// Isotropic energies are recognised; the general iteration gives the same points and adjoints.
TEST(ProximalStep, IsTheSameInStretchesAndInComponents) {
  for (const char* name : {"neo_hookean", "stable_neo_hookean", "spectral_hencky"}) {
    SCOPED_TRACE(name);
    const Trial& trial = trial_named(name);
    ir::Energy hidden = trial.energy;  // dissipation hides the form; the time step is 1
    hidden.dissipation = true;
    ASSERT_TRUE(derive::principal_potential(trial.energy));
    ASSERT_FALSE(derive::principal_potential(hidden));
    for (const auto& [state, F] : trial.strains) {
      if (!is_differentiable(state)) continue;
      SCOPED_TRACE(state);
      Fields fields = trial.fields;
      fields["strain"] = F;
      fields["weight"] = run<double>(derive::rest_weight(trial.energy), trial.fields).at("weight");
      fields["time_step"] = {1};
      fields["p"] = run<double>(step(trial.energy, LocalForm::proximal), fields).at("p");
      const Extended other = run<double>(step(hidden, LocalForm::proximal), fields).at("p");
      fields["p_bar"] = random_vector(9, 61);
      const auto bar = run<double>(adjoint(trial.energy, LocalForm::proximal), fields).at("strain");
      const auto other_bar = run<double>(adjoint(hidden, LocalForm::proximal), fields).at("strain");
      for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(static_cast<double>(fields["p"][k]), static_cast<double>(other[k]), 1e-12);
        EXPECT_NEAR(static_cast<double>(bar[k]), static_cast<double>(other_bar[k]), 1e-9);
      }
    }
  }
}

TEST(ProximalStep, IsRefusedForMoreThanTwelveComponents) {
  ir::Energy energy;
  energy.name = "long_stencil";
  energy.measure = ir::Measure::node_positions;
  energy.stencil = 5;
  energy.density = energy.graph.input(0);
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      message([&] { step(energy, LocalForm::proximal); }),
      "the energy 'long_stencil' has no proximal local step: it is a function of 15 numbers, the limit is 12; use "
      "the explicit step");
  EXPECT_EQ(message([&] { adjoint(energy, LocalForm::proximal); }).substr(0, 26), "the energy 'long_stencil' ");
  EXPECT_EQ(message([&] { step(energy, LocalForm::explicit_); }), "");
}

}  // namespace
}  // namespace proxima::test
