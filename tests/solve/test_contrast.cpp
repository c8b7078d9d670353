// Steps of strongly heterogeneous bodies are solved whatever the contrast, by Newton with A^-1 and with M.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/contrast.hpp"

namespace proxima {
namespace {

struct Case {
  const char* energy;
  int slow_modes;
};

class Contrast : public testing::TestWithParam<Case> {
 protected:
  std::shared_ptr<const ir::Energy> energy() {
    const std::string file = fmt::format(PROXIMA_SOURCE_DIR "/dsl_examples/{}.cpp", GetParam().energy);
    return std::make_shared<ir::Energy>(engine_.load_energy(file));
  }

  void expect_solved(const model::Model& model) {
    const solve::Objective objective(model, engine_, factor::Storage::fp32, GetParam().slow_modes);
    const solve::StepSettings settings{.tolerance = 1e-6};
    int steps = 0;
    solve::simulate(objective, model, settings, solve::initial_state(model),
                    [&](int, const solve::State&, const solve::StepReport& report) {
                      ++steps;
                      EXPECT_LE(report.residual, 1e-6) << "step " << steps;
                    });
    EXPECT_EQ(steps, model.steps);
  }

  jit::Engine engine_;
};

TEST_P(Contrast, OfTenThousandIsSolvedInTheCantilever) {
  auto model = bodies::make_contrast_cantilever(energy(), 1e4);
  model.steps = 4;
  expect_solved(model);
}

class ContrastOfTheArmadillo : public Contrast {};

TEST_P(ContrastOfTheArmadillo, OfTenThousandIsSolved) {
  const auto file = bodies::armadillo_file();
  if (!file) GTEST_SKIP() << "armadillo_10k.node is absent; set PROXIMA_SHARED_DATA to its folder";
  expect_solved(bodies::make_contrast_armadillo(*file, energy(), 1e4, 0.2));  // 1.5 rad is for the bench
}

std::string name_of(const testing::TestParamInfo<Case>& chosen) {
  return fmt::format("{}_{}", chosen.param.energy, chosen.param.slow_modes > 0 ? "M" : "A");
}

// One of them: a step of this body takes many seconds.
INSTANTIATE_TEST_SUITE_P(Energies, ContrastOfTheArmadillo, testing::Values(Case{"corotated", 0}), name_of);
INSTANTIATE_TEST_SUITE_P(Energies, Contrast,
                         testing::Values(Case{"corotated", 0}, Case{"corotated", 12}, Case{"neo_hookean", 0},
                                         Case{"neo_hookean", 12}),
                         name_of);

}  // namespace
}  // namespace proxima
