// User functions in scenes: what they observe and drive, and one fault at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/dsl/include/proxima/dsl.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/build.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace {
using namespace proxima::dsl;

PROXIMA_FUNCTION(brain) {
  auto time = input("time");
  auto ends = input<12>("ends");
  auto speed = input<3>("speed");
  auto w = weights<2>("w");
  auto k = parameter("k", pascal, 2e5).positive();
  output("E", k * (2 + tanh(w[0] * time + ends[0])));
  output("nu", join(0.1 * tanh(w[1] * speed[0]), 0.1 * tanh(ends[1] + ends[2] + speed[1])));
}
}  // namespace

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* good = R"({
  "mesh": {"box": {"cells": [2, 1, 1], "lower": [0, 0, 0], "upper": [2, 1, 1]}},
  "materials": [
    {"name": "left", "energy": "toy.cpp", "density": 1000,
     "region": {"box": {"lower": [0, 0, 0], "upper": [1, 1, 1]}}},
    {"name": "right", "energy": "toy.cpp", "density": 3000}],
  "controllers": [{
    "name": "brain",
    "function": {
      "file": "brain.cpp",
      "inputs": {
        "time": "time",
        "ends": {"of": "displacement", "select": {"box": {"lower": [0, 0, 0], "upper": [0, 1, 1]}}, "each": true,
                 "relative_to": "all"},
        "speed": {"of": "velocity", "select": "all", "mean": "mass"}},
      "parameters": {"w": 0.5}},
    "drives": [{"output": "E", "materials": ["left", "right"], "parameter": "E"},
               {"output": "nu", "materials": ["right", "left"], "parameter": "nu"}]}],
  "time": {"step": 0.01, "steps": 5}
})";

class Functions : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    write_file(folder / "toy.cpp", "");
  }
  Model build(const std::string& pointer = "", const std::string& value = "") const {
    Json scene = Json::parse(good);
    if (!pointer.empty() && value.empty())
      scene[Json::json_pointer(pointer).parent_pointer()].erase(Json::json_pointer(pointer).back());
    else if (!pointer.empty())
      scene[Json::json_pointer(pointer)] = Json::parse(value);
    write_file(folder / "scene.json", scene.dump());
    return build_model(
               read_scene(folder / "scene.json"),
               [](const fs::path&, const std::string&) { return test::named_energy(); },
               [](const fs::path&, const std::string&) {
                 return std::make_shared<const ir::Function>(dsl::find_function("brain"));
               })
        .model;
  }
};

TEST_F(Functions, ObserveAndDriveWhatTheSceneSays) {
  const Model model = build();
  ASSERT_EQ(model.controllers.size(), 1u);
  const Controller& controller = model.controllers[0];
  EXPECT_THAT(controller.parameters, ElementsAre(ElementsAre(0.5, 0.5), ElementsAre(2e5)));
  EXPECT_EQ(controller.inputs[0].of, Observation::Of::time);
  const auto& ends = controller.inputs[1];
  EXPECT_EQ(ends.of, Observation::Of::position);
  ASSERT_EQ(ends.points.size(), 4u);
  ASSERT_EQ(ends.points[2].nodes.size(), 13u);  // itself, and minus the mean of all 12
  EXPECT_EQ(ends.points[2].weights[0], 1);
  EXPECT_DOUBLE_EQ(ends.points[2].weights[5], -1.0 / 12);
  EXPECT_DOUBLE_EQ(ends.points[2].offset[0], 1);  // x = 0 against the mean 1
  const auto& speed = controller.inputs[2].points[0];
  const auto mass = lumped_mass(model);
  EXPECT_DOUBLE_EQ(speed.weights[7], mass[static_cast<std::size_t>(speed.nodes[7])] / 4000);
  ASSERT_EQ(controller.drives.size(), 4u);
  const auto expect_drive = [&](std::size_t k, std::array<std::size_t, 4> expected) {
    const Drive& drive = controller.drives[k];
    EXPECT_EQ((std::array{drive.output, drive.component, drive.region, drive.parameter}), expected) << k;
  };
  expect_drive(0, {0, 0, 0, 0});
  expect_drive(1, {0, 0, 1, 0});
  expect_drive(2, {1, 0, 1, 1});
  expect_drive(3, {1, 1, 0, 1});
  for (const auto& region : model.regions) EXPECT_THAT(region.driven, ElementsAre(1, 1));
}

TEST_F(Functions, TakeWeightsFromAFile) {
  write_file(folder / "w.txt", "0.25\n-3\n");
  EXPECT_THAT(build("/controllers/0/function/parameters/w", R"({"file": "w.txt"})").controllers[0].parameters[0],
              ElementsAre(0.25, -3));
  write_file(folder / "w.txt", "0.25\n");
  EXPECT_THAT(fault_of([&] { build("/controllers/0/function/parameters/w", R"({"file": "w.txt"})"); }),
              HasSubstr("controllers[0].function: 'w' has 1 values, it needs 2"));
}

struct Fault {
  const char *name, *pointer, *value, *message;
};
class FunctionFault : public Functions, public testing::WithParamInterface<Fault> {};

TEST_P(FunctionFault, IsExplained) {
  EXPECT_THAT(fault_of([&] { build(GetParam().pointer, GetParam().value); }), HasSubstr(GetParam().message));
}

constexpr Fault faults[] = {
    {"MissingInput", "/controllers/0/function/inputs/speed", "",
     "scene.json: controllers[0].function.inputs.speed: is missing; the function 'brain' asks for it"},
    {"UnknownInput", "/controllers/0/function/inputs/speeed", "\"time\"",
     "the function 'brain' has no input 'speeed'; did you mean 'speed'?"},
    {"InputOfAnotherSize", "/controllers/0/function/inputs/ends/each", "false",
     "its input 'ends' has 12 components, 3 are given"},
    {"UnknownWord", "/controllers/0/function/inputs/time", "\"clock\"", "inputs.time: found \"clock\""},
    {"UnknownParameter", "/controllers/0/function/parameters/gain", "1",
     "the function 'brain' has no parameter 'gain'; it has w, k"},
    {"ParameterOutside", "/controllers/0/function/parameters/k", "-1", "'k' is -1, it must satisfy 0 < k"},
    {"NoOutputNamed", "/controllers/0/drives/0/output", "\"\"",
     "controllers[0].drives[0].output: is missing; the function 'brain' has 2 outputs"},
    {"UnknownOutput", "/controllers/0/drives/0/output", "\"F\"", "the function 'brain' has no output 'F'"},
    {"OneMaterialForTwo", "/controllers/0/drives/1/materials", "[\"left\"]",
     "1 are listed, the output 'nu' has 2 components"},
    {"UnknownMaterial", "/controllers/0/drives/0/materials", "[\"middle\"]",
     "there is no material 'middle'; there are left, right"},
    {"UnknownDriven", "/controllers/0/drives/0/parameter", "\"G\"",
     "material 'left' has no parameter 'G'; it has E, nu"},
    {"DrivenTwice", "/controllers/0/drives/1/parameter", "\"E\"", "parameter 'E' of region 'right' is driven twice"},
    {"NoDrives", "/controllers/0/drives", "[]", "controllers[0].drives: is empty"},
};
INSTANTIATE_TEST_SUITE_P(All, FunctionFault, testing::ValuesIn(faults),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace proxima::model
