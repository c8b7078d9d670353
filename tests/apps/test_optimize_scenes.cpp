// Several scenes in one optimisation, and several processes: the same bytes for any number of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/optimize_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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
    // In a build with sanitizers: MPI's library has leaks of its own.
    std::vector<std::string> launcher = {"env", "ASAN_OPTIONS=detect_leaks=0", "mpirun", "--oversubscribe", "-n",
                                         count};
    if (::geteuid() == 0) launcher.emplace_back("--allow-run-as-root");
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
