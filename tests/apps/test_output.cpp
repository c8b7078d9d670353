// The files of a run beside its trajectory: what is in them, and that they agree with each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/proxima/step_table.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Output : public SceneFolder {
 protected:
  void run(const Json& scene) const {
    write_scene(scene);
    const Result result = proxima({"run", "scene.json", "-o", "out"});
    ASSERT_EQ(result.status, 0) << result.err;
  }
  Json summary() const { return Json::parse(read_file(folder / "out/summary.json")); }
};

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

TEST_F(Output, SummaryIsTheSumOfTheSteps) {
  run(bar(6));
  const auto steps = app::read_steps(folder / "out/steps.csv");
  EXPECT_EQ(steps.damaged, 0);
  const Json totals = summary();
  EXPECT_THAT(keys_of(totals),
              ElementsAre("steps", "seconds", "iterations", "a_solves", "hessian_products", "gradients",
                          "line_search_halvings", "steps_with_negative_curvature", "largest_residual", "last_step",
                          "seconds_by_phase", "peak_memory_MB", "machine", "versions"));
  EXPECT_EQ(totals["steps"], 6);
  for (const char* column : {"iterations", "a_solves", "hessian_products", "gradients", "seconds"})
    EXPECT_EQ(totals[column].get<double>(), sum(steps.column(column))) << column;
  EXPECT_GT(totals["a_solves"], 6);
  EXPECT_EQ(totals["largest_residual"].get<double>(), std::ranges::max(steps.column("residual")));
  EXPECT_EQ(keys_of(totals["last_step"]), steps.names);
  for (const auto& name : steps.names)
    EXPECT_EQ(totals["last_step"][name].get<double>(), steps.column(name).back()) << name;
}

TEST_F(Output, SummarySaysWhereTheTimeWentAndOnWhat) {
  run(bar(3));
  const Json totals = summary();
  const Json& phases = totals["seconds_by_phase"];
  EXPECT_THAT(keys_of(phases), ElementsAre("load", "factor", "steps", "output", "compile", "total"));
  const double parts = phases["load"].get<double>() + phases["factor"].get<double>() + phases["steps"].get<double>() +
                       phases["output"].get<double>();
  EXPECT_LE(parts, phases["total"].get<double>());
  EXPECT_GE(phases["steps"].get<double>(), totals["seconds"].get<double>());
  EXPECT_THAT(keys_of(totals["machine"]), ElementsAre("processor", "cores", "threads", "level", "vector_bits"));
  EXPECT_THAT(totals["machine"]["level"].get<std::string>(), HasSubstr("x86-64"));
  EXPECT_THAT(keys_of(totals["versions"]), ElementsAre("proxima", "llvm", "compiler"));
  EXPECT_GT(totals["peak_memory_MB"], 10);
  EXPECT_LT(totals["peak_memory_MB"], 100000);
}

// Free fall: momentum is m g t, whatever the material, and angular momentum turns with the arm of the weight.
TEST_F(Output, StepsHaveTheMomentum) {
  auto scene = bar(4);
  scene.erase("dirichlet");
  run(scene);
  const auto steps = app::read_steps(folder / "out/steps.csv");
  const double mass = 2, g = 9.81;
  const auto time = steps.column("time_s"), momentum = steps.column("momentum_z_Ns");
  const auto angular = steps.column("angular_momentum_y_Nms");
  ASSERT_EQ(time.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(momentum[k], -mass * g * time[k], 1e-6);
    EXPECT_NEAR(angular[k], 0.1 * mass * g * time[k], 1e-6);  // L_y = z p_x - x p_z, the centre at x = 0.1 m
  }
  EXPECT_NEAR(steps.column("momentum_x_Ns").back(), 0, 1e-6);
}

TEST_F(Output, ProgressIsPlainLinesWhereThereIsNoTerminal) {
  write_scene(bar(3));
  const Result result = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_THAT(result.err,
              testing::MatchesRegex("run 3/3  [0-9.]+ s  [0-9]+ iterations, [0-9]+ A-solves, residual [0-9.e-]+\n"));
}

TEST(StepTable, LinesThatAreCutOrNoNumbersAreCounted) {
  const fs::path file = fs::temp_directory_path() / "proxima_step_table.csv";
  write_file(file, "step,residual\n1,0.5\n2,half\n3\n4,0.25\n5,0.1");
  const auto table = app::read_steps(file);
  fs::remove(file);
  EXPECT_THAT(table.column("step"), ElementsAre(1, 4));
  EXPECT_THAT(table.column("residual"), ElementsAre(0.5, 0.25));
  EXPECT_EQ(table.damaged, 3);  // the last line has no end: its number may go on
  EXPECT_TRUE(table.column("seconds").empty());
  EXPECT_FALSE(table.has("seconds"));
  EXPECT_TRUE(app::read_steps(file).names.empty());
}

}  // namespace
}  // namespace proxima::test
