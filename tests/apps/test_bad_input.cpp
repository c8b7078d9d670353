// Every fault of the input ends with one clear message, exit status 2 and no output folder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

struct Fault {
  const char* name;
  const char* pointer;
  const char* value;
  const char* message;
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.pointer << " = " << fault.value; }

class BadInput : public SceneFolder, public testing::WithParamInterface<Fault> {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    write_file(folder / "broken.cpp", "#include <proxima/dsl.hpp>\nPROXIMA_ENERGY(broken) { return dett(1); }\n");
    write_file(folder / "empty.cpp", "#include <proxima/dsl.hpp>\n");
    write_file(folder / "flat.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 1 1 0\n");
    write_file(folder / "flat.ele", "1 4 0\n0 0 1 2 3\n");
    write_file(folder / "points.node", "1 3 0 0\n0 0 0 0\n");
    write_file(folder / "points.ele", "0 4 0\n");
    write_file(folder / "rubbish.msh", "this is no mesh\n");
  }
};

TEST_P(BadInput, ExitsWithTwoAndLeavesNoFolder) {
  auto scene = bar(2);
  scene[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  write_scene(scene);
  const auto result = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(result.err, StartsWith("proxima: "));
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

const Fault faults[] = {
    {"UnknownKey", "/gravty", "[0, 0, 1]", "did you mean 'gravity'"},
    {"UnknownParameter", "/materials/0/parameters/mu", "1", "no parameter 'mu'"},
    {"PoissonAtHalf", "/materials/0/parameters/nu", "0.5", "'nu' is 0.5"},
    {"ModulusZero", "/materials/0/parameters/E", "0", "'E' is 0"},
    {"TimeStepZero", "/time/step", "0", "time.step: found 0"},
    {"TimeStepOfNoSquare", "/time/step", "1e-170",
     "scene.json: a step of 1e-170 s cannot be solved at the node that is at ("},
    {"DensityZero", "/materials/0/density", "0", "materials[0].density: found 0"},
    {"EmptySelection", "/dirichlet/0/select/box", R"({"lower": [9, 9, 9], "upper": [10, 10, 10]})",
     "no node is inside"},
    {"EmptyRegion", "/materials/0/region", R"({"sphere": {"centre": [9, 9, 9], "radius": 1}})", "centroid is inside"},
    {"MissingMesh", "/mesh", R"({"file": "absent.msh"})", "absent.msh: no such file"},
    {"MissingEnergy", "/materials/0/energy", "\"absent.cpp\"", "absent.cpp: no such file"},
    {"EnergyDoesNotCompile", "/materials/0/energy", "\"broken.cpp\"", "broken.cpp:2:"},
    {"NoEnergyInFile", "/materials/0/energy", "\"empty.cpp\"", "empty.cpp"},
    {"DegenerateTet", "/mesh", R"({"file": "flat.node"})", "flat.node"},
    {"MeshWithoutTets", "/mesh", R"({"file": "points.ele"})", "points.ele"},
    {"NotAMesh", "/mesh", R"({"file": "rubbish.msh"})", "rubbish.msh"},
};

INSTANTIATE_TEST_SUITE_P(Faults, BadInput, testing::ValuesIn(faults),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST_F(BadInput, MissingSceneAndBrokenSyntax) {
  const auto missing = proxima({"run", "absent.json", "-o", "out"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("absent.json: no such file"));
  write_file(folder / "scene.json", "{\n  \"mesh\": }");
  const auto broken = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, HasSubstr("scene.json:2:11:"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

// Contact may make something of it, so it is a warning.
TEST_F(BadInput, BodiesThatOverlapAreNamed) {
  auto scene = bar(1);
  Json low = {{"name", "low"}, {"mesh", scene["mesh"]}, {"materials", scene["materials"]}}, high = low;
  high["name"] = "high";
  high["materials"][0]["name"] = "other";
  high["place"]["translate"] = {0.1, 0, 0.1};
  scene.erase("mesh");
  scene.erase("materials");
  scene["bodies"] = {low, high};
  scene["contact"]["bodies"] = true;
  write_scene(scene);
  auto result = proxima({"run", "scene.json", "-o", "apart"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, testing::Not(HasSubstr("overlap")));
  scene["bodies"][1]["place"]["translate"][2] = 0.099;
  write_scene(scene);
  result = proxima({"run", "scene.json", "-o", "inside"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(" overlap at the start: node"));
  EXPECT_THAT(result.err, HasSubstr("is 0.001 m inside"));
}

Json list_of(const char* entries) { return Json::parse(fmt::format("[{}]", entries)); }

struct OptimizeFault {
  const char* name;
  const char* loss;
  const char* variable;
  const char* message;
};
void PrintTo(const OptimizeFault& fault, std::ostream* stream) { *stream << fault.loss << " " << fault.variable; }

class BadOptimize : public SceneFolder, public testing::WithParamInterface<OptimizeFault> {};

TEST_P(BadOptimize, ExitsWithTwoAndLeavesNoFolder) {
  auto scene = bar(2);
  scene["loss"] = list_of(GetParam().loss);
  scene["optimize"]["variables"] = list_of(GetParam().variable);
  write_scene(scene);
  const auto result = proxima({"optimize", "scene.json", "-o", "out"});
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("scene.json"));
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

constexpr const char* centre = R"({"centre_of_mass": [0, 0, 0]})";
constexpr const char* modulus = R"({"parameter": "E", "lower": 1e3, "upper": 1e6})";
const OptimizeFault optimize_faults[] = {
    {"UnknownVariable", centre, R"({"parameter": "Nu", "lower": 0.1, "upper": 0.2})", "did you mean 'nu'"},
    {"BoundsOutsideInterval", centre, R"({"parameter": "nu", "lower": 0, "upper": 0.5})", "0.5"},
    {"StartOutsideBounds", centre, R"({"parameter": "E", "lower": 1e5, "upper": 1e6})", "start"},
    {"DensityPerElement", centre, R"({"parameter": "density", "lower": 1, "upper": 1e4, "sharing": "per_element"})",
     "density"},
    {"TwiceTheSame", centre,
     R"({"parameter": "E", "lower": 1e3, "upper": 1e6}, {"parameter": "E", "lower": 1e3, "upper": 1e6})",
     "two variables"},
    {"MissingRecording", R"({"trajectory": "absent"})", modulus, "absent: no such file"},
    {"EmptyLossSelection",
     R"({"nodes": {"select": {"sphere": {"centre": [9, 9, 9], "radius": 1}}, "displacement": [0, 0, 0]}})", modulus,
     "loss[0].nodes.select"},
};

INSTANTIATE_TEST_SUITE_P(Faults, BadOptimize, testing::ValuesIn(optimize_faults),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST_F(BadInput, OptimizeIntoTheRecording) {
  auto scene = bar(2);
  scene["loss"] = Json::parse(R"([{"trajectory": "recorded"}])");
  scene["optimize"]["variables"] = list_of(modulus);
  write_scene(scene);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
  const auto result = proxima({"optimize", "scene.json", "-o", "recorded", "--overwrite"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("loss[0].trajectory lies in the output folder"));
  EXPECT_TRUE(fs::exists(folder / "recorded/trajectory.bin"));
}

TEST_F(BadInput, RecordingOfAnotherScene) {
  auto scene = bar(2);
  write_scene(scene);
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
  scene["loss"] = Json::parse(R"([{"trajectory": "recorded"}])");
  scene["optimize"]["variables"] = list_of(modulus);
  const auto message = [&](const char* pointer, const char* value) {
    auto other = scene;
    other[Json::json_pointer(pointer)] = Json::parse(value);
    write_scene(other);
    const auto result = proxima({"optimize", "scene.json", "-o", "out"});
    EXPECT_EQ(result.status, 2);
    EXPECT_FALSE(fs::exists(folder / "out"));
    return result.err;
  };
  EXPECT_THAT(message("/mesh/box/cells", "[2, 1, 1]"), HasSubstr("recorded has 45 nodes, the scene's mesh has 12"));
  EXPECT_THAT(message("/time/step", "0.02"), HasSubstr("ends after 0.02 s, 2 steps of 0.01 s; step 2 of the scene"));
  EXPECT_THAT(message("/time/steps", "5"), HasSubstr("ends after step 2, step 5 is asked for"));
  auto bytes = read_file(folder / "recorded/trajectory.bin");
  bytes[bytes.size() / 2] ^= 1;
  write_file(folder / "recorded/trajectory.bin", bytes);
  EXPECT_THAT(message("/time/steps", "2"), HasSubstr("is damaged after step 0, step 2 is asked for"));
}

}  // namespace
}  // namespace proxima::test
