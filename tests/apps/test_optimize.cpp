// Optimisations that are killed and go on, from several starts, over several scenes, in several processes: always the
// same bytes at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class Optimize : public SceneFolder {
 protected:
  // A bar whose material is to be found from its recorded motion.
  Json search(int max_evaluations, int starts, const std::string& method = "lbfgsb") const {
    auto scene = bar(5);
    scene["output"]["every"] = 0;
    scene["loss"] = Json::parse(R"([{"trajectory": "recorded"}])");
    scene["optimize"] = Json::parse(R"({"variables": [
      {"parameter": "E", "start": 1.2e5, "lower": 5e3, "upper": 5e5, "scale": "log", "truth": 3e4},
      {"parameter": "nu", "start": 0.1, "lower": 0, "upper": 0.45, "truth": 0.3}]})");
    scene["optimize"]["max_evaluations"] = max_evaluations;
    scene["optimize"]["starts"] = starts;
    scene["optimize"]["method"] = method;
    return scene;
  }

  void SetUp() override {
    SceneFolder::SetUp();
    write_scene(bar(5));
    ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
  }

  // Everything but seconds.
  std::map<std::string, std::string> results(const std::string& name) const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder / name)) {
      const auto file = fs::relative(entry, folder / name).string();
      if (!entry.is_regular_file() || file.ends_with("steps.csv") || file.ends_with("summary.json") ||
          file == "evaluations.bin" || file.ends_with("scene.json"))
        continue;
      found[file] = file == "loss.csv" ? without_seconds(read_file(entry)) : read_file(entry);
    }
    return found;
  }

  static std::string without_seconds(const std::string& table) {
    std::istringstream lines(table);
    std::string result;
    for (std::string line; std::getline(lines, line); result += line + "\n")
      for (int column = 0; column < 2; ++column) line.resize(line.rfind(','));
    return result;
  }

  void expect_same(const std::string& name, const std::string& other) const {
    const auto found = results(name), wanted = results(other);
    EXPECT_EQ(found.size(), wanted.size());
    EXPECT_GE(wanted.size(), 4u);
    for (const auto& [file, content] : wanted)
      EXPECT_TRUE(found.contains(file) && found.at(file) == content) << name << "/" << file << " differs";
  }

  int evaluations(const std::string& name) const {
    const auto file = folder / name / "result.json";
    return fs::exists(file) ? Json::parse(read_file(file))["evaluations"].get<int>() : 0;
  }

  void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
    const auto result = proxima(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(words));
  }
};

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
                                       {"/solver", R"({"adjoint_tolerance": 1e-7})"}}) {
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

class SeveralScenes : public Optimize {
 protected:
  // The same material under two loads; each scene has a variable that the other lacks.
  void SetUp() override {
    Optimize::SetUp();
    auto one = search(16, 2), two = search(16, 2);
    two["gravity"] = Json::parse("[3, 5, 0]");
    two["loss"][0]["trajectory"] = "recorded_two";
    two["time"]["step"] = 0.02;
    two["optimize"]["variables"][1] =
        Json::parse(R"({"parameter": "density", "start": 1500, "lower": 500, "upper": 2000})");
    auto recorded = two;
    recorded.erase("loss");
    recorded.erase("optimize");
    write_scene(recorded, "recorded_two.json");
    ASSERT_EQ(proxima({"run", "recorded_two.json", "-o", "recorded_two"}).status, 0);
    write_scene(one, "one.json");
    write_scene(two, "two.json");
  }
  static std::vector<std::string> into(const std::string& name) {
    return {"optimize", "one.json", "two.json", "-o", name};
  }
  void allow(int evaluations) const {
    auto scene = Json::parse(read_file(folder / "one.json"));
    scene["optimize"]["max_evaluations"] = evaluations;
    write_scene(scene, "one.json");
  }
};

TEST_F(SeveralScenes, ShareVariablesAndAddLosses) {
  allow(40);
  const auto result = proxima(into("both"));
  ASSERT_EQ(result.status, 0) << result.err;
  const auto found = Json::parse(read_file(folder / "both/result.json"));
  ASSERT_EQ(found["variables"].size(), 3u);  // E, nu, density
  EXPECT_NEAR(found["variables"][0]["found"].get<double>(), 3e4, 3e2) << result.out;
  EXPECT_NEAR(found["variables"][1]["found"].get<double>(), 0.3, 3e-3) << result.out;
  EXPECT_NEAR(found["variables"][2]["found"].get<double>(), 1000, 10) << result.out;
  for (const char* name : {"one", "two"}) {
    EXPECT_EQ(model::TrajectoryReader(folder / "both" / name).frames(), 6);
    EXPECT_TRUE(fs::exists(folder / "both" / name / "scene.json"));
  }
  // The loss at the first start is the sum of the two scenes' own.
  const auto first_loss = [&](const std::string& name) {
    const auto table = read_file(folder / name / "loss.csv");
    return std::stod(table.substr(table.find("\n1,1,") + 5));
  };
  for (const char* name : {"one", "two"})
    ASSERT_EQ(proxima({"optimize", std::string(name) + ".json", "-o", std::string("only_") + name}).status, 0);
  EXPECT_NEAR(first_loss("both") / (first_loss("only_one") + first_loss("only_two")), 1, 1e-14);
}

TEST_F(SeveralScenes, MustAgreeOnWhatTheyShare) {
  auto two = Json::parse(read_file(folder / "two.json"));
  two["optimize"]["variables"][0]["start"] = 1e5;
  write_scene(two, "two.json");
  expect_refused(into("out"), "the variable 'E' is in both");
  fs::create_directories(folder / "other");
  write_scene(two, "other/one.json");
  expect_refused({"optimize", "one.json", "other/one.json", "-o", "out"}, "another scene is called 'one'");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

// Two starts and two scenes: four evaluations at a time at most.
TEST_F(SeveralScenes, HaveTheSameBytesInAnyNumberOfProcesses) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no mpirun";
  if (proxima({"--version"}).out.find("without MPI") != std::string::npos) GTEST_SKIP() << "built without MPI";
  const auto by = [](const char* count) {
    std::vector<std::string> launcher = {"mpirun", "--oversubscribe", "-n", count};
    if (::geteuid() == 0) launcher.insert(launcher.begin() + 1, "--allow-run-as-root");
    return launcher;
  };
  ASSERT_EQ(proxima(into("alone")).status, 0);
  for (const char* count : {"2", "3"}) {
    const auto name = std::string("by_") + count;
    const auto result = proxima(into(name), {}, by(count));
    ASSERT_EQ(result.status, 0) << result.out << result.err;
    expect_same(name, "alone");
  }
  // Three processes go on with what one began.
  allow(4);
  ASSERT_EQ(proxima(into("parts")).status, 0);
  allow(16);
  auto resume = into("parts");
  resume.emplace_back("--resume");
  const auto resumed = proxima(resume, {}, by("3"));
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("resumed after 8 evaluations"));
  expect_same("parts", "alone");
  // An error ends them all.
  const auto refused = proxima(into("alone"), {}, by("2"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("is not empty"));
}

}  // namespace
}  // namespace proxima::test
