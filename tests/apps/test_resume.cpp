// A run that is killed, at any moment, leaves readable files, and resuming ends with the bytes of an uninterrupted run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Resume : public SceneFolder {
 protected:
  // What must not depend on interruptions: states and pictures. The log has times in it.
  std::map<std::string, std::string> results(const std::string& name) const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      const auto file = entry.path().filename().string();
      if (file != "steps.csv" && file != "summary.json") found[file] = read_file(entry);
    }
    return found;
  }

  // Names only: binary files are no use on a screen.
  void expect_same(const std::string& name, const std::string& other) const {
    const auto found = results(name), wanted = results(other);
    EXPECT_EQ(found.size(), wanted.size());
    for (const auto& [file, content] : wanted) {
      EXPECT_TRUE(found.contains(file) && found.at(file) == content) << name << "/" << file << " differs";
    }
  }

  // A run of four steps, and one that is stopped and resumed after each of them; `change` is made to every scene.
  template <class Change>
  void expect_it_goes_on_at_every_step(const Change& change) {
    const auto scene = [&](int steps) {
      auto result = bar(steps);
      change(result);
      return result;
    };
    write_scene(scene(4));
    ASSERT_EQ(proxima({"run", "scene.json", "-o", "whole"}).status, 0);
    for (int steps = 1; steps <= 4; ++steps) {
      write_scene(scene(steps));
      const auto result = proxima({"run", "scene.json", "-o", "parts", "--resume"});
      ASSERT_EQ(result.status, 0) << result.err;
    }
    expect_same("parts", "whole");
  }

  void expect_readable(const std::string& name) const {
    if (!fs::exists(folder / name / model::trajectory_name)) return;
    const int frames = model::TrajectoryReader(folder / name).frames();
    EXPECT_GE(frames, 1);
    std::size_t pictures = 0;
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      if (entry.path().extension() != ".vtu" || entry.path().string().find(".tmp-") != std::string::npos) continue;
      EXPECT_THAT(read_file(entry), HasSubstr("</VTKFile>")) << entry.path();
      ++pictures;
    }
    EXPECT_LE(pictures, static_cast<std::size_t>(frames));
    if (!fs::exists(folder / name / "motion.pvd")) return;
    const auto series = read_file(folder / name / "motion.pvd");
    EXPECT_THAT(series, HasSubstr("</VTKFile>"));
    for (std::size_t at = 0; (at = series.find("frame_", at)) != std::string::npos; at += 6) {
      EXPECT_TRUE(fs::exists(folder / name / series.substr(at, 16))) << series.substr(at, 16);
    }
  }
};

// Kills come after a chosen number of states, so that each falls into the run however busy the machine is, and a random
// part of a step later.
TEST_F(Resume, KilledAgainAndAgainItEndsWithTheSameBytes) {
  constexpr int steps = 120, kills = 6;
  write_scene(bar(steps));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "whole"}).status, 0);
  const auto whole_size = fs::file_size(folder / "whole" / model::trajectory_name);

  std::mt19937 random(7);
  std::uniform_int_distribution<int> part_of_a_step(0, 4000);  // microseconds
  int killed = 0;
  for (int k = 1; k <= kills; ++k) {
    const auto wanted = whole_size * static_cast<std::uintmax_t>(k) / (2 * kills);
    const auto result = proxima({"run", "scene.json", "-o", "killed", "--resume"}, [&] {
      std::error_code absent;
      const auto size = fs::file_size(folder / "killed" / model::trajectory_name, absent);
      if (absent || size < wanted) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(part_of_a_step(random)));
      return true;
    });
    if (result.status == 0) continue;  // it was faster than we
    ASSERT_EQ(result.status, 128 + 9) << result.err;
    ++killed;
    expect_readable("killed");
  }
  EXPECT_GE(killed, 2);
  const auto last = proxima({"run", "scene.json", "-o", "killed", "--resume"});
  ASSERT_EQ(last.status, 0) << last.err;
  expect_same("killed", "whole");
}

// Before the first state there is nothing to go on with, and the run begins anew.
TEST_F(Resume, KilledBeforeItsFirstStateItStarts) {
  write_scene(bar(5));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "whole"}).status, 0);
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "killed"}, [&] { return fs::exists(folder / "killed"); }).status,
            128 + 9);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "killed", "--resume"}).status, 0);
  expect_same("killed", "whole");
}

TEST_F(Resume, GoesOnToMoreSteps) {
  write_scene(bar(10));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "whole"}).status, 0);
  write_scene(bar(4));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "parts"}).status, 0);
  write_scene(bar(10));
  const auto result = proxima({"run", "scene.json", "-o", "parts", "--resume"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("resumed after step 4 of 10"));
  expect_same("parts", "whole");
  const auto log = read_file(folder / "parts/steps.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 11);
  EXPECT_EQ(Json::parse(read_file(folder / "parts/summary.json"))["steps"], 10);
}

// BDF2 goes on from two states.
TEST_F(Resume, GoesOnByBdf2AtEveryStep) {
  expect_it_goes_on_at_every_step([](auto& scene) { scene["time"]["integrator"] = "bdf2"; });
}

// What deflates is found anew, to the last bit.
TEST_F(Resume, GoesOnWithDeflationAtEveryStep) {
  expect_it_goes_on_at_every_step([](auto& scene) { scene["solver"]["deflation"] = 12; });
  write_scene(bar(5));
  const auto result = proxima({"run", "scene.json", "-o", "parts", "--resume"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("another scene"));
}

// Worlds side by side leave the bytes of single runs, each in a folder of its name, and go on like these.
TEST_F(Resume, WorldsAreSingleRuns) {
  const auto write = [&](int steps) {
    for (const auto& [name, gravity] : {std::pair{"earth", 9.81}, {"moon", 1.62}, {"mars", 3.71}}) {
      auto scene = bar(steps);
      scene["gravity"] = {0, 0, -gravity};
      write_scene(scene, std::string(name) + ".json");
    }
  };
  write(2);
  auto result = proxima({"run", "earth.json", "--worlds", "moon.json", "mars.json", "-o", "worlds"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, testing::AllOf(HasSubstr("moon: 2 steps: "), HasSubstr("3 worlds: ")));
  write(4);
  result = proxima({"run", "earth.json", "--worlds", "moon.json", "mars.json", "-o", "worlds", "--resume"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const std::string name : {"earth", "moon", "mars"}) {
    ASSERT_EQ(proxima({"run", name + ".json", "-o", "single_" + name}).status, 0);
    expect_same("worlds/" + name, "single_" + name);
  }
  auto other = bar(2);
  other["dirichlet"][0]["select"]["box"]["upper"] = {0, 0.1, 0.05};
  write_scene(other, "other.json");
  result = proxima({"run", "earth.json", "--worlds", "other.json", "-o", "refused"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("other: worlds that run together have one mesh and the same held nodes"));
  EXPECT_FALSE(fs::exists(folder / "refused"));
  result = proxima({"run", "earth.json", "--worlds", "earth.json", "-o", "refused"});
  EXPECT_THAT(result.err, HasSubstr("two worlds are called 'earth'"));
  result = proxima({"run", "earth.json", "--worlds", "moon.json", "--solver", "compare"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--worlds does not go with --solver compare"));
}

TEST_F(Resume, RefusesAnotherScene) {
  write_scene(bar(3));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "out"}).status, 0);
  const auto before = results("out");
  auto other = bar(6);
  other["materials"][0]["parameters"]["E"] = 3.1e4;
  write_scene(other);
  const auto result = proxima({"run", "scene.json", "-o", "out", "--resume"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("another scene"));
  EXPECT_TRUE(results("out") == before);
}

TEST_F(Resume, MendsWhatAKillAtTheWorstMomentLeaves) {
  write_scene(bar(4));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "out"}).status, 0);
  const auto whole = results("out");
  // A state without its picture, half a state, a temporary, a log line too many and one cut short.
  const auto states = read_file(folder / "out/trajectory.bin");
  write_file(folder / "out/trajectory.bin", states.substr(0, states.size() - 100));
  fs::remove(folder / "out/frame_000003.vtu");
  fs::remove(folder / "out/frame_000004.vtu");
  write_file(folder / "out/frame_000004.tmp-12-3.vtu", "half");
  write_file(folder / "out/steps.csv", read_file(folder / "out/steps.csv") + "5,0.0");
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "out", "--resume"}).status, 0);
  EXPECT_TRUE(results("out") == whole);
  const auto log = read_file(folder / "out/steps.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 5);
}

}  // namespace
}  // namespace proxima::test
