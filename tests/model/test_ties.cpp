// Ties in scenes: what becomes of them, and one fault at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "compiler/support/file.hpp"
#include "runtime/model/build.hpp"
#include "runtime/model/trajectory.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* good = R"({
  "bodies": [
    {"name": "low", "mesh": {"box": {"cells": [1, 1, 1], "lower": [0, 0, 0], "upper": [1, 1, 1]}},
     "materials": [{"name": "soft", "energy": "toy.cpp", "density": 1000}]},
    {"name": "high", "mesh": {"box": {"cells": [1, 1, 1], "lower": [0.25, 0.5, 1], "upper": [0.5, 0.75, 2]}},
     "materials": [{"name": "hard", "energy": "toy.cpp", "density": 1000}]}],
  "ties": [
    {"name": "glue", "select": {"body": "high", "box": {"lower": [0, 0, 1], "upper": [1, 1, 1]}}, "to_body": "low"},
    {"name": "hook", "select": {"body": "high", "nodes": [7]}, "to": [1, 2, 3]},
    {"name": "pins", "select": {"body": "low", "nodes": [2, 0]}}],
  "time": {"step": 0.01, "steps": 5}
})";

class TiesInScenes : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    write_file(folder / "toy.cpp", "");
  }
  Model build(const Json& scene) const {
    return build_named(scene,
                       [](const fs::path&, const std::string&) { return std::shared_ptr<const ir::Function>(); });
  }
  std::string fault(const std::string& pointer, const std::string& value) {
    Json scene = Json::parse(good);
    scene[Json::json_pointer(pointer)] = Json::parse(value);
    return fault_of([&] { build(scene); });
  }
};

TEST_F(TiesInScenes, HoldToBodiesToPointsAndToPlaces) {
  const auto model = build(Json::parse(good));
  ASSERT_EQ(model.ties.size(), 3u);
  const auto& glue = model.ties[0];
  ASSERT_EQ(glue.tied.size(), 4u);
  for (const auto& tied : glue.tied) {
    Vector3 off{};
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += tied.weights[k];
      for (std::size_t i = 0; i < 3; ++i)
        off[i] += tied.weights[k] * model.mesh.nodes[static_cast<std::size_t>(tied.nodes[k])][i];
      EXPECT_EQ(tied.nodes[k] < 8, k > 0);
    }
    EXPECT_NEAR(sum, 0, 1e-15);
    for (const double value : off) EXPECT_NEAR(value, 0, 1e-15);
    EXPECT_EQ(tied.weights[0], 1);
  }
  EXPECT_EQ(model.ties[1].to, (Vector3{1, 2, 3}));
  ASSERT_EQ(model.ties[1].tied.size(), 1u);
  EXPECT_EQ(model.ties[1].tied[0].at, (Vector3{}));
  EXPECT_THAT(model.ties[1].tied[0].nodes, ElementsAre(15, -1, -1, -1));
  ASSERT_EQ(model.ties[2].tied.size(), 2u);
  EXPECT_EQ(model.ties[2].tied[1].at, model.mesh.nodes[2]);
  EXPECT_EQ(model.ties[2].to, (Vector3{}));
}

TEST_F(TiesInScenes, CountForWhatASceneIs) {
  auto model = build(Json::parse(good));
  const auto before = fingerprint(model);
  model.ties[1].to[0] += 1e-9;
  EXPECT_NE(fingerprint(model), before);
}

TEST_F(TiesInScenes, FaultsAreNamed) {
  const auto in = [&](const std::string& pointer, const std::string& value, const std::string& expected) {
    EXPECT_THAT(fault(pointer, value), HasSubstr(expected)) << pointer << " " << value;
  };
  in("/ties/1/name", "\"glue\"", "ties[1]: there is a tie 'glue' already");
  in("/ties/1/to_body", "\"low\"", "ties[1]: has both 'to' and 'to_body'");
  in("/ties/0/to_body", "\"lou\"", "ties[0].to_body: there is no body 'lou'; did you mean 'low'?");
  in("/ties/0/to_body", "\"high\"", "belongs to the body that it is to be tied to");
  in("/ties/0/select", R"({"body": "high", "nodes": [7]})",
     "ties[0]: node 7 of body 'high' is 1 m from the surface of body 'low' at rest; at most");
  in("/ties/0/select", R"({"body": "high", "nodes": [70]})", "ties[0].select: ");
  in("/ties/0/stiffness", "3", "unknown key 'ties[0].stiffness'");
  in("/ties/1/to", "[1, 2]", "ties[1].to: found [1,2]");
}

TEST_F(TiesInScenes, ModelsMadeByHandAreChecked) {
  const auto model = build(Json::parse(good));
  const auto fault_in = [&](auto change) {
    auto changed = model;
    change(changed);
    return fault_of([&] { validate(changed); });
  };
  EXPECT_EQ(fault_in([](Model&) {}), "");
  EXPECT_THAT(fault_in([](Model& m) { m.ties[1].name = "glue"; }), HasSubstr("there are two ties 'glue'"));
  EXPECT_THAT(fault_in([](Model& m) { m.dirichlet = {{{m.ties[1].tied[0].nodes[0]}, {}, {}}}; }),
              HasSubstr("tie 'hook': node 7 of body 'high' is held (dirichlet) and cannot be tied to a point as well"));
  EXPECT_THAT(
      fault_in([](Model& m) { m.ties[2].tied[1] = m.ties[1].tied[0]; }),
      HasSubstr("tie '" + model.ties[2].name + "': node 7 of body 'high' is tied to a point by tie 'hook' already"));
  EXPECT_THAT(fault_in([](Model& m) { m.ties[1].to[2] = NAN; }), HasSubstr("tie 'hook': where it holds its nodes"));
  EXPECT_THAT(fault_in([](Model& m) { m.ties[0].tied[2].weights[1] = INFINITY; }), HasSubstr("its node 2 is not"));
  EXPECT_THAT(fault_in([](Model& m) { m.ties[0].tied[0].nodes[0] = -1; }), HasSubstr("node -1 does not exist"));
  EXPECT_THAT(fault_in([](Model& m) { m.ties[0].tied[0].nodes[3] = 99; }), HasSubstr("node 99 does not exist"));
  EXPECT_THAT(fault_in([](Model& m) { std::swap(m.ties[2].tied[0], m.ties[2].tied[1]); }),
              HasSubstr("node 0 comes after node 2; they must increase"));
  EXPECT_THAT(fault_in([](Model& m) {
                m.contacts = {{.body = 0, .with_obstacle = false, .other = 1, .penalty = Penalty{1, 2, 1}}};
              }),
              HasSubstr("tie 'glue': contact is by a penalty"));
}

}  // namespace
}  // namespace proxima::model
