// Optimisations that are killed and go on: the same bytes at the end, after whichever evaluation. What is found, from
// several starts and with noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/optimize_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(Optimize, KilledAgainAndAgainItEndsWithTheSameBytes) {
  write_scene(search(9, 3));
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "whole"}).status, 0);
  int killed = 0;
  for (const int wanted : {1, 2, 7, 8, 16, 21}) {
    const auto result = proxima({"optimize", "scene.json", "-o", "killed", "--resume"},
                                [&] { return evaluations("killed") >= wanted; });
    if (result.status == 0) continue;  // it was faster than we
    ASSERT_EQ(result.status, 128 + 9) << result.err;
    ++killed;
    EXPECT_EQ(Json::parse(read_file(folder / "killed/result.json"))["state"], "running");
    EXPECT_THAT(read_file(folder / "killed/loss.svg"), HasSubstr("</svg>"));
  }
  EXPECT_GE(killed, 3);
  const auto result = proxima({"optimize", "scene.json", "-o", "killed", "--resume"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("resumed after"));
  expect_same("killed", "whole");
}

TEST_F(Optimize, KilledInTheMotionFoundItEndsWithTheSameBytes) {
  write_scene(search(4, 1));
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "whole"}).status, 0);
  const auto killed =
      proxima({"optimize", "scene.json", "-o", "killed"}, [&] { return fs::exists(folder / "killed/trajectory.bin"); });
  EXPECT_TRUE(killed.status == 128 + 9 || killed.status == 0) << killed.err;
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "killed", "--resume"}).status, 0);
  expect_same("killed", "whole");
}

class OptimizeBy : public Optimize, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, OptimizeBy, testing::Values("lbfgsb", "adam"),
                         [](const auto& row) { return std::string(row.param); });

TEST_P(OptimizeBy, GoesOnAfterEveryEvaluation) {
  constexpr int evaluations = 6;
  write_scene(search(evaluations, 1, GetParam()));
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "whole"}).status, 0);
  for (int k = 1; k <= evaluations; ++k) {
    write_scene(search(k, 1, GetParam()));
    const auto result = proxima({"optimize", "scene.json", "-o", "parts", "--resume"});
    ASSERT_EQ(result.status, 0) << result.err;
  }
  expect_same("parts", "whole");
}

TEST_F(Optimize, RefusesToGoOnWithSomethingElse) {
  const std::vector<std::string> resume = {"optimize", "scene.json", "-o", "out", "--resume"};
  write_scene(search(2, 1));
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "out"}).status, 0);
  const auto before = results("out");
  for (const auto& [pointer, value] : {std::pair{"/gravity/2", "-9"},
                                       {"/optimize/variables/0/upper", "6e5"},
                                       {"/optimize/method", "\"adam\""},
                                       {"/optimize/starts", "2"},
                                       {"/loss/0/weight", "2"},
                                       {"/adjoint", R"({"tolerance": 1e-7})"}}) {
    auto scene = search(2, 1);
    scene[Json::json_pointer(pointer)] = Json::parse(value);
    write_scene(scene);
    expect_refused(resume, "another scene");
  }
  write_scene(search(2, 1));
  const auto file = folder / "out/evaluations.bin";
  const auto whole = read_file(file);
  write_file(file, whole.substr(0, whole.size() - 5));
  expect_refused(resume, "evaluations.bin: is damaged");
  write_file(file, whole);
  EXPECT_EQ(results("out"), before);
  expect_refused({"optimize", "scene.json", "-o", "out"}, "--resume");
  write_scene(bar(5), "other.json");
  ASSERT_EQ(proxima({"run", "other.json", "-o", "run"}).status, 0);
  expect_refused({"optimize", "scene.json", "-o", "run", "--resume"}, "not of an optimization");
}

TEST_F(Optimize, WarnsOfVariablesThatDoNotMatterOrEndAtABound) {
  auto scene = search(12, 1);
  scene["loss"] = Json::parse(R"([{"centre_of_mass": [0, 0, 1], "frames": [0]}])");
  write_scene(scene);
  auto result = proxima({"optimize", "scene.json", "-o", "flat"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("or the loss does not depend there on what varies"));
  EXPECT_THAT(result.err, HasSubstr("the loss does not depend on variable 'E'"));
  EXPECT_THAT(result.err, HasSubstr("the loss does not depend on variable 'nu'"));
  scene = search(12, 1);
  auto& modulus = scene["optimize"]["variables"][0];
  modulus["start"] = 6e3;
  modulus["upper"] = 1e4;  // the truth is beyond
  write_scene(scene);
  result = proxima({"optimize", "scene.json", "-o", "bound"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("variable 'E' ended at a bound, where the loss still falls outwards"));
  EXPECT_THAT(result.err, testing::Not(HasSubstr("does not depend")));
}

TEST_F(Optimize, CountsTheMarkersOfARecordingAlone) {
  auto scene = search(1, 1);
  scene["loss"][0]["select"]["nodes"] = {7, 44};
  scene["loss"][0]["frames"] = {3, 5};
  write_scene(scene);
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "found"}).status, 0);
  const model::TrajectoryReader recorded(folder / "recorded"), found(folder / "found");
  double mean = 0;
  for (const int step : {3, 5}) {
    const auto there = recorded.read(step).positions, here = found.read(step).positions;
    for (const std::size_t node : {7, 44})
      for (std::size_t i = 3 * node; i < 3 * node + 3; ++i) mean += std::pow(here[i] - there[i], 2) / 4;
  }
  const double loss = Json::parse(read_file(folder / "found/result.json"))["loss"];
  EXPECT_GT(mean, 0);
  EXPECT_NEAR(loss, mean, 1e-12 * mean);
}

TEST_F(Optimize, TheBestOfSeveralStartsWins) {
  write_scene(search(6, 4));
  const auto result = proxima({"optimize", "scene.json", "-o", "out"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto found = Json::parse(read_file(folder / "out/result.json"));
  ASSERT_EQ(found["starts"].size(), 4u);
  double best = 1;
  for (const auto& start : found["starts"]) best = std::min(best, start["loss"].get<double>());
  EXPECT_EQ(found["loss"], best);
  EXPECT_EQ(found["state"], "finished");
  EXPECT_THAT(result.out, HasSubstr("stopped because " + found["stopped_because"].get<std::string>()));
}

// To 0.1 % from the motion itself; noise of 1 % moves what is found by about as much, and each seed elsewhere.
TEST_F(Optimize, FindsTheMaterialInSpiteOfNoise) {
  const auto found = [&](double noise, int seed) {
    auto scene = search(60, 1);
    scene["loss"][0]["noise"] = noise;
    scene["loss"][0]["seed"] = seed;
    scene["optimize"]["decrease_tolerance"] = 1e-12;
    write_scene(scene);
    EXPECT_EQ(proxima({"optimize", "scene.json", "-o", "out", "--overwrite"}).status, 0);
    const auto variables = Json::parse(read_file(folder / "out/result.json"))["variables"];
    return std::pair{variables[0]["found"].get<double>() / 3e4 - 1, variables[1]["found"].get<double>() / 0.3 - 1};
  };
  const auto exact = found(0, 1), noisy = found(0.01, 1), other = found(0.01, 2);
  EXPECT_NEAR(exact.first, 0, 1e-3);
  EXPECT_NEAR(exact.second, 0, 1e-3);
  for (const auto& [modulus, ratio] : {noisy, other}) {
    EXPECT_NEAR(modulus, 0, 0.03);
    EXPECT_NEAR(ratio, 0, 0.1);
    EXPECT_GT(std::abs(modulus), 1e-5);
  }
  EXPECT_NE(noisy, other);
  EXPECT_EQ(found(0.01, 1), noisy);
}

}  // namespace
}  // namespace proxima::test
