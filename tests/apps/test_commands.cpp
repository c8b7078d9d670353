#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Commands : public SceneFolder {};

TEST_F(Commands, HelpNamesEveryCommand) {
  const auto result = proxima({"--help"});
  EXPECT_EQ(result.status, 0);
  for (const char* command : {"run", "report", "optimize", "gradcheck", "schema", "explain", "check", "emit"})
    EXPECT_THAT(result.out, HasSubstr(command));
  EXPECT_EQ(proxima({"run", "--help"}).status, 0);
}

TEST_F(Commands, VersionSaysWhatItWasBuiltWithAndRunsOn) {
  const auto result = proxima({"--version"});
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"proxima 0.", "LLVM 19", "vectors of", "cache"}) EXPECT_THAT(result.out, HasSubstr(part));
}

TEST_F(Commands, WrongArgumentsExitWithTwo) {
  EXPECT_EQ(proxima({}).status, 2);
  const auto slip = proxima({"rum"});
  EXPECT_EQ(slip.status, 2);
  EXPECT_THAT(slip.err, HasSubstr("rum"));
  EXPECT_EQ(proxima({"run", "scene.json"}).status, 2);  // no output folder
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "out", "--threads", "-1"}).status, 2);
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "out", "--resume", "--overwrite"}).status, 2);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Commands, RunTakesAnotherSolverAndSaysSoInItsScene) {
  write_scene(bar(3));
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "out", "--solver", "jacobi"}).status, 2);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "first"}).status, 0);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "second", "--solver", "lbfgs"}).status, 0);
  EXPECT_EQ(Json::parse(read_file(folder / "second" / "scene.json"))["solver"]["method"], "lbfgs");
  const auto a = model::TrajectoryReader(folder / "first").read(3),
             b = model::TrajectoryReader(folder / "second").read(3);
  EXPECT_NE(a.positions, b.positions);
  for (std::size_t i = 0; i < a.positions.size(); ++i) EXPECT_NEAR(a.positions[i], b.positions[i], 1e-7);
  // The method decides the last bits, so a run is not gone on with by another.
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "first", "--resume", "--solver", "lbfgs"}).status, 2);
}

TEST_F(Commands, ComparingSolversPrintsATableAndWritesNothing) {
  write_scene(bar(2));
  const auto before = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  const auto result = proxima({"run", "scene.json", "--solver", "compare"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), before);
  for (const char* method : {"auto", "newton", "anderson", "lbfgs", "admm"})
    EXPECT_THAT(result.out, testing::ContainsRegex(std::string("\n") + method + " +2/2 "));
}

TEST_F(Commands, SchemaListsTheKeys) {
  const auto result = proxima({"schema"});
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"materials", "density", "kg/m^3", "gradient_tolerance"})
    EXPECT_THAT(result.out, HasSubstr(part));
  EXPECT_THAT(proxima({"schema", "--markdown"}).out, HasSubstr("| `time.step` | number > 0 | s | required |"));
}

TEST_F(Commands, RunWritesWhatItSays) {
  auto scene = bar(5);
  scene["output"]["every"] = 2;
  write_scene(scene);
  const auto result = proxima({"run", "scene.json", "-o", "made/out"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("45 nodes, 96 tets, 0.2 x 0.1 x 0.1 m, volume 0.002 m^3, mass 2 kg"));
  EXPECT_THAT(result.out, HasSubstr("E = 30000 Pa"));
  const auto out = folder / "made" / "out";
  for (const char* name :
       {"frame_000000.vtu", "frame_000002.vtu", "frame_000004.vtu", "frame_000005.vtu", "motion.pvd", "scene.json"}) {
    EXPECT_TRUE(fs::exists(out / name)) << name;
  }
  EXPECT_FALSE(fs::exists(out / "frame_000001.vtu"));
  const model::TrajectoryReader trajectory(out);
  ASSERT_EQ(trajectory.frames(), 6);
  const auto first = trajectory.read(0), last = trajectory.read(5);
  const std::size_t tip = 3 * 4;  // node (4, 0, 0), the free end
  EXPECT_EQ(last.positions[0], first.positions[0]);
  EXPECT_LT(last.positions[tip + 2], first.positions[tip + 2] - 1e-3);
  const auto summary = Json::parse(read_file(out / "summary.json"));
  EXPECT_EQ(summary["steps"], 5);
  EXPECT_LE(summary["largest_residual"], 1e-6);
}

TEST_F(Commands, RunIsTheSameForAnyThreadCount) {
  write_scene(bar(5));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "one", "--threads", "1"}).status, 0);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "three", "--threads", "3"}).status, 0);
  EXPECT_EQ(read_file(folder / "one/trajectory.bin"), read_file(folder / "three/trajectory.bin"));
}

// The preconditioner that also deflates: the same motion, fewer A-solves, and the same bits for any number of threads.
TEST_F(Commands, RunWithDeflationIsTheSameMotionInFewerSolves) {
  auto scene = bar(10);
  scene["materials"][0]["parameters"]["nu"] = 0.45;
  scene["solver"]["tolerance"] = 1e-9;
  write_scene(scene);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "plain"}).status, 0);
  scene["solver"]["deflation"] = 12;
  write_scene(scene);
  for (const std::string threads : {"1", "2", "4"}) {
    const auto result = proxima({"run", "scene.json", "-o", threads, "--threads", threads});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(read_file(folder / threads / "trajectory.bin"), read_file(folder / "1/trajectory.bin")) << threads;
  }
  const auto solves = [&](const std::string& name) {
    return Json::parse(read_file(folder / name / "summary.json"))["a_solves"].get<int>();
  };
  EXPECT_LT(2 * solves("1"), solves("plain"));
  const auto found = model::TrajectoryReader(folder / "1").read(10),
             wanted = model::TrajectoryReader(folder / "plain").read(10);
  EXPECT_NE(found.positions, wanted.positions);  // rounding says that another way was taken
  for (std::size_t i = 0; i < wanted.positions.size(); ++i) EXPECT_NEAR(found.positions[i], wanted.positions[i], 1e-8);
}

// The first run of a material compiles its kernels, later ones load them.
TEST_F(Commands, RunIsTheSameWithAndWithoutTheCache) {
  write_scene(bar(5));
  ::setenv("PROXIMA_CACHE", (folder / "cache").c_str(), 1);
  const auto first = proxima({"run", "scene.json", "-o", "first"});
  const auto second = proxima({"run", "scene.json", "-o", "second"});
  ::unsetenv("PROXIMA_CACHE");
  ASSERT_EQ(first.status + second.status, 0) << first.err << second.err;
  EXPECT_THAT(first.out, HasSubstr(" 0 from the cache"));
  EXPECT_THAT(second.out, HasSubstr("kernels: 0 compiled"));
  EXPECT_EQ(read_file(folder / "first/trajectory.bin"), read_file(folder / "second/trajectory.bin"));
}

TEST_F(Commands, RunOfTheResolvedCopyIsTheSameRun) {
  write_scene(bar(3));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "a"}).status, 0);
  const auto result = proxima({"run", "a/scene.json", "-o", "b"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(read_file(folder / "a/trajectory.bin"), read_file(folder / "b/trajectory.bin"));
  EXPECT_EQ(read_file(folder / "a/scene.json"), read_file(folder / "b/scene.json"));
}

TEST_F(Commands, FullFolderIsRefusedAndOverwriteKeepsWhatIsNotOurs) {
  write_scene(bar(3));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "out"}).status, 0);
  write_file(folder / "out/notes.txt", "mine");
  const auto refused = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--overwrite"));
  write_scene(bar(2));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "out", "--overwrite"}).status, 0);
  EXPECT_EQ(read_file(folder / "out/notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(folder / "out/frame_000003.vtu"));
  EXPECT_EQ(model::TrajectoryReader(folder / "out").frames(), 3);
  write_file(folder / "file", "");
  EXPECT_THAT(proxima({"run", "scene.json", "-o", "file"}).err, HasSubstr("is a file"));
}

// Records a motion, then finds the material that made it from a start five times too stiff.
TEST_F(Commands, OptimizeFindsTheMaterialThatWasRecorded) {
  auto scene = bar(8);
  scene["output"]["every"] = 4;
  scene["solver"]["tolerance"] = 1e-8;
  scene["loss"] = Json::parse(R"([{"trajectory": "recorded"}])");
  scene["optimize"] = Json::parse(R"({"variables": [
    {"parameter": "E", "start": 1.5e5, "lower": 1e3, "upper": 1e6, "scale": "log", "truth": 3e4},
    {"parameter": "nu", "start": 0.1, "lower": 0.0, "upper": 0.45, "truth": 0.3}], "max_evaluations": 60})");
  write_scene(scene);
  const auto missing = proxima({"optimize", "scene.json", "-o", "found"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("loss[0].trajectory"));
  EXPECT_FALSE(fs::exists(folder / "found"));

  ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
  const auto result = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto found = Json::parse(read_file(folder / "found/result.json"));
  EXPECT_NEAR(found["variables"][0]["found"].get<double>(), 3e4, 3e2) << result.out;
  EXPECT_NEAR(found["variables"][1]["found"].get<double>(), 0.3, 3e-3) << result.out;
  for (const char* part : {"truth", "found", "evaluations", "forward", "backward", "stopped because"})
    EXPECT_THAT(result.out, HasSubstr(part));
  for (const char* name : {"loss.csv", "loss.svg", "motion.pvd", "frame_000008.vtu"})
    EXPECT_TRUE(fs::exists(folder / "found" / name)) << name;
}

TEST_F(Commands, OptimizeTakesAValuePerElement) {
  auto scene = bar(3);
  scene["loss"] = Json::parse(R"([{"centre_of_mass": [0.1, 0.05, 0.0499], "frames": "last"}])");
  scene["optimize"] =
      Json::parse(R"({"variables": [{"parameter": "E", "sharing": "per_element", "lower": 1e3, "upper": 1e6,
                                     "scale": "log"}], "max_evaluations": 4})");
  write_scene(scene);
  const auto result = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto found = Json::parse(read_file(folder / "found/result.json"));
  EXPECT_EQ(found["variables"][0]["found"].size(), 96u);
  EXPECT_THAT(read_file(folder / "found/frame_000003.vtu"), HasSubstr("Name=\"E\""));  // to be seen in ParaView
}

TEST_F(Commands, OptimizeTellsWhatTheAdjointWasAskedFor) {
  auto scene = bar(6);
  scene["loss"] = Json::parse(R"([{"centre_of_mass": [0.1, 0.05, 0.0499], "frames": "last"}])");
  scene["optimize"] = Json::parse(
      R"({"variables": [{"parameter": "E", "lower": 1e3, "upper": 1e6, "scale": "log"}], "max_evaluations": 2})");
  scene["adjoint"] =
      Json::parse(R"({"hessian": "absolute", "estimate_errors": true, "states": "binomial", "memory": 0.02})");
  write_scene(scene);
  const auto result = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: adjoint.hessian changed "));
  EXPECT_THAT(result.out, HasSubstr("estimated relative errors: loss "));
  scene["adjoint"]["memory"] = 0.001;
  write_scene(scene);
  const auto refused = proxima({"optimize", "scene.json", "-o", "little"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("adjoint.memory"));
}

TEST_F(Commands, GradcheckPassesForEveryInput) {
  auto scene = bar(4);
  scene["loss"] = Json::parse(R"([{"centre_of_mass": [0.12, 0.02, 0.01]},
    {"nodes": {"select": {"box": {"lower": [0.2, 0, 0], "upper": [0.2, 0.1, 0.1]}}, "displacement": [0, 0, 0.02]}, "frames": [2, 4]}])");
  scene["solver"]["factor"] = "fp64";
  write_scene(scene);
  const auto result = proxima({"gradcheck", "scene.json", "-o", "check"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const auto report = Json::parse(read_file(folder / "check/gradcheck.json"));
  std::vector<std::string> inputs;
  for (const auto& entry : report) {
    EXPECT_TRUE(entry["passed"]) << entry["input"];
    inputs.push_back(entry["input"]);
  }
  EXPECT_THAT(inputs, testing::ElementsAre("initial positions", "initial velocities", "nodal forces", "E[soft]",
                                           "nu[soft]", "density[soft]", "mass_damping[soft]", "gravity", "rest_shape"));
  const auto again = proxima({"gradcheck", "scene.json", "-o", "check"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("check: is not empty; --overwrite replaces what proxima wrote there\n"));
}

}  // namespace
}  // namespace proxima::test
