// The Moreau envelope as an energy: its value and stress against the local step, its derivatives against differences,
// at every state where they exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiler/derive/local_step.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/trials.hpp"
#include "tests/support/symmetric_eigen.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;

bool is_of_positions(const ir::Energy& energy) {
  return energy.measure == ir::Measure::edge_vector || energy.measure == ir::Measure::node_positions;
}

// By what it is, not by trying: every test process asks for the names of all tests.
bool has_envelope(const Trial& trial) {
  return !trial.energy.dissipation && !is_of_positions(trial.energy) &&
         trial.energy.find(ir::InputKind::history) == nullptr && trial.name != "stretched_fibres_on_tetrahedron";
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& trial : trials())
    if (has_envelope(trial) && has_smooth_minimum(trial.name, "general")) result.push_back(trial.name);
  return result;
}

double largest(const Extended& values) {
  long double result = 0;
  for (const long double value : values) result = std::max(result, std::fabs(value));
  return static_cast<double>(result);
}

class Envelopes : public testing::TestWithParam<std::string> {
 protected:
  // Calls check(fields) at each state where the minimum is smooth, with several weights. The fields of the envelope and
  // those of the local step of the energy itself.
  template <class Check>
  void at_each_state(Check check) const {
    int states = 0;
    for (const auto& [state, F] : trial_.strains)
      for (const long double factor : {0.3L, 1.0L, 10.0L}) {
        if (!has_smooth_minimum(trial_.name, state) || !is_differentiable(state)) continue;
        if (trial_.name == "mixed_functions" && factor < 1) continue;  // has several minima
        Fields fields = trial_.fields;
        const long double stiffness = run<long double>(derive::rest_weight(trial_.energy), fields).at("weight")[0];
        if (!(stiffness > 0)) continue;
        SCOPED_TRACE(state + " with " + std::to_string(static_cast<double>(factor)) + " times the stiffness");
        fields["strain"] = F;
        fields["weight"] = {factor * stiffness};
        fields["parameter:proximal_weight"] = {factor};
        fields["strain_direction"] = random_vector(F.size(), 71);
        check(fields);
        ++states;
      }
    EXPECT_GT(states, 3);
  }
  ir::Kernel kernel(Quantity quantity) const { return derive::strain_kernel(envelope_, quantity); }

  // The derivative of f(fields) by a field along d, by differences.
  template <class Function>
  static long double difference(const Function& f, const Fields& fields, const std::string& field, const Extended& d) {
    const long double h = 2e-5L * std::max(largest(fields.at(field)), 1e-3);
    const auto at = [&](long double t) {
      Fields changed = fields;
      changed[field] = moved(fields.at(field), d, t);
      return f(changed);
    };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }

  const Trial& trial_ = trial_named(GetParam());
  const ir::Energy envelope_ = derive::moreau_envelope(trial_.energy);
};

TEST_P(Envelopes, AreWhatTheLocalStepGives) {
  const ir::Kernel value = kernel(Quantity::energy), stress = kernel(Quantity::forces);
  const ir::Kernel psi = derive::strain_kernel(trial_.energy, Quantity::energy);
  const ir::Kernel step = derive::local_step(trial_.energy, derive::LocalForm::proximal,
                                             std::vector<bool>(trial_.energy.parameters.size(), true));
  at_each_state([&](const Fields& fields) {
    const Extended& F = fields.at("strain");
    const Extended p = run<long double>(step, fields).at("p"), P = run<double>(stress, fields).at("stress");
    const Extended apart = moved(F, p, -1);
    const long double w = fields.at("weight")[0];
    for (std::size_t k = 0; k < F.size(); ++k)
      EXPECT_NEAR(static_cast<double>(P[k]), static_cast<double>(w * apart[k]),
                  1e-12 * static_cast<double>(w) * std::max(largest(F), 1.0));
    Fields inside = fields;
    inside["strain"] = p;
    const long double expected = run<long double>(psi, inside).at("energy")[0] + w / 2 * dot(apart, apart);
    EXPECT_NEAR(static_cast<double>(run<double>(value, fields).at("energy")[0]), static_cast<double>(expected),
                1e-12 * static_cast<double>(std::fabs(expected) + w));
  });
}

TEST_P(Envelopes, HaveExactDerivatives) {
  const ir::Kernel value = kernel(Quantity::energy), stress = kernel(Quantity::forces);
  const ir::Kernel product = kernel(Quantity::hessian_vector), pull_back = kernel(Quantity::pull_back);
  at_each_state([&](const Fields& fields) {
    const Extended d = fields.at("strain_direction");
    const double w = static_cast<double>(fields.at("weight")[0]),
                 size = w * std::max(largest(fields.at("strain")), 1.0);
    const auto energy_at = [&](const Fields& at) { return run<long double>(value, at).at("energy")[0]; };
    const Extended P = run<double>(stress, fields).at("stress");
    EXPECT_NEAR(static_cast<double>(dot(P, d)), static_cast<double>(difference(energy_at, fields, "strain", d)),
                1e-9 * size);
    const auto along = [&](const Extended& e) {
      return [&stress, e](const Fields& at) { return dot(run<long double>(stress, at).at("stress"), e); };
    };
    const Extended e = random_vector(d.size(), 72), Hd = run<double>(product, fields).at("stress");
    EXPECT_NEAR(static_cast<double>(dot(Hd, e)), static_cast<double>(difference(along(e), fields, "strain", d)),
                1e-7 * w);
    Fields pulled = run<double>(pull_back, fields);
    for (std::size_t k = 0; k < envelope_.parameters.size(); ++k)
      pulled["parameter:" + envelope_.parameters[k].name] = {pulled.at("parameters")[k]};
    pulled.erase("parameters");
    for (const auto& [field, bar] : pulled) {
      SCOPED_TRACE(field);
      const Extended by = random_vector(bar.size(), 73);
      const long double scale = std::max(largest(fields.at(field)), 1e-3);
      EXPECT_NEAR(static_cast<double>(dot(bar, by) * scale),
                  static_cast<double>(difference(along(d), fields, field, by) * scale), 1e-7 * size);
    }
  });
}

TEST_P(Envelopes, HaveFilteredHessians) {
  const ir::Kernel exact = kernel(Quantity::hessian_vector), clamped = kernel(Quantity::hessian_vector_clamped);
  Fields fields = trial_.fields;
  for (const auto& [state, F] : trial_.strains)
    if (is_one_of(state, {"general", "deformed"})) fields["strain"] = F;
  fields["parameter:proximal_weight"] = {1};
  const auto n = static_cast<Eigen::Index>(fields["strain"].size());
  Eigen::MatrixXd H(n, n), filtered(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Extended unit(static_cast<std::size_t>(n));
    unit[static_cast<std::size_t>(k)] = 1;
    fields["strain_direction"] = unit;
    const Extended column = run<double>(exact, fields).at("stress"), other = run<double>(clamped, fields).at("stress");
    for (Eigen::Index i = 0; i < n; ++i) {
      H(i, k) = static_cast<double>(column[static_cast<std::size_t>(i)]);
      filtered(i, k) = static_cast<double>(other[static_cast<std::size_t>(i)]);
    }
  }
  const auto eigen = symmetric_eigen(Eigen::MatrixXd(0.5 * (H + H.transpose())));
  const Eigen::MatrixXd expected = eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
  EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
  EXPECT_LT((filtered - expected).norm(), 1e-10 * H.norm());
}

INSTANTIATE_TEST_SUITE_P(Energies, Envelopes, testing::ValuesIn(names()), [](const auto& each) { return each.param; });

// Psi = k/2 |F - 1|^2 with w = k: the point is half way, and what is left is half as stiff, k w/(k + w) in general.
TEST(Envelope, OfASpringIsASofterSpring) {
  ir::Parameter k;
  k.name = "k";
  k.default_value = 8;
  ir::Energy spring = energy_of("spring",
                                [](const F9& F) {
                                  const ir::Expression stiffness{F[0].graph, F[0].graph->input(9)};
                                  ir::Expression sum = F[0].constant(0);
                                  for (std::size_t i = 0; i < 9; ++i)
                                    sum = sum + (F[i] - (i % 4 == 0 ? 1.0 : 0.0)) * (F[i] - (i % 4 == 0 ? 1.0 : 0.0));
                                  return 0.5 * stiffness * sum;
                                },
                                {k});
  const ir::Energy envelope = derive::moreau_envelope(spring);
  const ir::Kernel value = derive::strain_kernel(envelope, Quantity::energy);
  const ir::Kernel product = derive::strain_kernel(envelope, Quantity::hessian_vector);
  for (const long double factor : {0.25L, 1.0L, 7.0L}) {
    const Fields fields = {{"strain", {1.3, 0.1, -0.2, 0.4, 0.7, 0, 0.3, 0, 1.1}},
                           {"strain_direction", random_vector(9, 74)},
                           {"parameter:k", {8}},
                           {"parameter:proximal_weight", {factor}}};
    const double softer = static_cast<double>(8 * factor / (1 + factor));
    EXPECT_NEAR(static_cast<double>(run<double>(value, fields).at("energy")[0]), softer / 2 * 0.49, 1e-14);
    const Extended Hd = run<double>(product, fields).at("stress");
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(static_cast<double>(Hd[i]), softer * static_cast<double>(fields.at("strain_direction")[i]), 1e-14);
    EXPECT_NEAR(static_cast<double>(run<double>(derive::rest_weight(envelope), fields).at("weight")[0]), softer, 1e-14);
  }
}

std::string refusal(const ir::Energy& energy) {
  try {
    derive::moreau_envelope(energy);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Envelope, IsRefusedByNameWhereItHasNoMeaning) {
  using testing::HasSubstr;
  ir::Energy energy = energy_named("neo_hookean");
  energy.dissipation = true;
  EXPECT_THAT(refusal(energy), HasSubstr("the energy 'neo_hookean' has no proximal form: it is one of dissipation"));
  EXPECT_THAT(refusal(derive::moreau_envelope(energy_named("neo_hookean"))), HasSubstr("'proximal_weight'"));
  int histories = 0, others = 0;
  for (const auto& trial : trials()) {
    EXPECT_EQ(refusal(trial.energy).empty(), has_envelope(trial)) << trial.name;
    if (trial.energy.dissipation) continue;
    if (is_of_positions(trial.energy)) {
      EXPECT_THAT(refusal(trial.energy), HasSubstr("function of positions"));
      ++others;
    } else if (trial.name == "stretched_fibres_on_tetrahedron") {
      EXPECT_THAT(refusal(trial.energy), HasSubstr("could not be differentiated by its parameters and directions"));
    } else if (trial.energy.find(ir::InputKind::history) != nullptr) {
      EXPECT_THAT(refusal(trial.energy), HasSubstr("the history '"));
      ++histories;
    }
  }
  EXPECT_GT(histories, 0);
  EXPECT_GT(others, 0);
}

}  // namespace
}  // namespace proxima::test
