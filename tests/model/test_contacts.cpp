// Obstacles and pairs of contact in scenes: what becomes of them, and one fault at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiler/dsl/include/proxima/dsl.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/build.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace {
using namespace proxima::dsl;

PROXIMA_FUNCTION(ellipsoid) {
  auto x = input<3>("x");
  auto a = parameter("a", metre, 1).positive();
  output("phi", norm(vector(x[0] / a, x[1], x[2])) - 1);
}
PROXIMA_FUNCTION(of_two) {
  auto x = input<3>("x");
  auto y = input("y");
  output("phi", x[0] + y);
}
}  // namespace

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
    {"name": "high", "mesh": {"box": {"cells": [1, 1, 1], "lower": [0, 0, 2], "upper": [1, 1, 3]}},
     "materials": [{"name": "hard", "energy": "toy.cpp", "density": 1000}]}],
  "obstacles": [
    {"name": "ground", "plane": {}, "friction": 0.4},
    {"name": "tray", "box": {"size": [4, 5, 6]}, "inside": true,
     "motion": [{"time": 0, "translation": [0, 0, 1]}, {"time": 1, "rotation": [0, 0, 0.5]}]},
    {"name": "egg", "function": {"file": "egg.cpp", "parameters": {"a": 2}},
     "place": {"translate": [0, 0, -5], "rotate": [0.1, 0, 0]}},
    {"name": "hills", "height_field": {"expression": "x + 10*y", "points": [3, 2], "length": 4, "width": 2}},
    {"name": "pill", "capsule": {"length": 2, "radius": 0.25}},
    {"name": "can", "cylinder": {"height": 3, "radius": 0.5}, "friction_direction": [0, 0, 2], "friction_across": 0.6},
    {"name": "ball", "sphere": {"radius": 0.5}},
    {"name": "grid", "distance_grid": {"file": "grid.txt", "points": [2, 2, 2], "lower": [0, 0, 0], "upper": [1, 2, 3]}},
    {"name": "rock", "surface": {"file": "rock.obj", "scale": 0.5}}],
  "contact": {"friction": 0.2, "restitution": 0.1, "thickness": 0.01, "bodies": true, "pairs": [
    {"between": ["ground", "high"], "friction": 0.9},
    {"between": ["high", "low"], "restitution": 0.5},
    {"between": ["high", "high"], "thickness": 0.02},
    {"between": ["can", "low"], "friction_across": 0.7, "friction_direction": [1, 2, 3], "friction_crossed": 0.8},
    {"between": ["low", "egg"], "touch": false}]},
  "time": {"step": 0.01, "steps": 5}
})";

class Contacts : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    write_file(folder / "toy.cpp", "");
    write_file(folder / "grid.txt", "1 2 3 4\n5 6 7 8\n");
    write_file(folder / "rock.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
  }
  // With the value at a JSON pointer put in, or taken out.
  Model build(const std::string& pointer = "", const std::string& value = "",
              const char* function = "ellipsoid") const {
    Json scene = Json::parse(good);
    if (!pointer.empty() && value.empty())
      scene[Json::json_pointer(pointer).parent_pointer()].erase(Json::json_pointer(pointer).back());
    else if (!pointer.empty())
      scene[Json::json_pointer(pointer)] = Json::parse(value);
    return build_scene(scene, function);
  }
  Model build_scene(const Json& scene, const char* function = "ellipsoid") const {
    return build_named(scene, [&](const fs::path&, const std::string&) {
      return std::make_shared<const ir::Function>(dsl::find_function(function));
    });
  }
  std::string fault(const std::string& pointer, const std::string& value, const char* function = "ellipsoid") {
    return fault_of([&] { build(pointer, value, function); });
  }
};

double distance(const Obstacle& obstacle, const Vector3& x) {
  const auto& shape = std::get<AnalyticDistance>(obstacle.shape);
  std::vector<double> slots(x.begin(), x.end());
  for (const auto& parameter : shape.parameters) slots.insert(slots.end(), parameter.begin(), parameter.end());
  return ir::evaluate<double>(shape.function->graph, roots_of(*shape.function), slots)[0];
}

TEST_F(Contacts, ObstaclesAreAsTheSceneHasThem) {
  const auto model = build();
  ASSERT_EQ(model.obstacles.size(), 9u);
  EXPECT_EQ(distance(model.obstacles[0], {1, 2, 3}), 3);
  EXPECT_EQ(distance(model.obstacles[1], {0, 0, 2.5}), 0.5);  // a container
  EXPECT_EQ(distance(model.obstacles[1], {2.25, 0, 0}), -0.25);
  EXPECT_EQ(model.obstacles[1].motion.size(), 2u);
  EXPECT_EQ(model.obstacles[1].motion[1].rotation, (Vector3{0, 0, 0.5}));
  EXPECT_EQ(distance(model.obstacles[2], {2, 0, 0}), 0);
  EXPECT_EQ(model.obstacles[2].motion[0].translation, (Vector3{0, 0, -5}));
  EXPECT_EQ(model.obstacles[2].motion[0].rotation, (Vector3{0.1, 0, 0}));
  EXPECT_THAT(std::get<HeightField>(model.obstacles[3].shape).heights, ElementsAre(-12, -10, -8, 8, 10, 12));
  EXPECT_EQ(distance(model.obstacles[4], {0, 0, 2}), 0.75);
  EXPECT_EQ(distance(model.obstacles[5], {0, 0, 2}), 0.5);
  EXPECT_EQ(distance(model.obstacles[6], {0, 3, 4}), 4.5);
  EXPECT_EQ(std::get<DistanceGrid>(model.obstacles[7].shape).spacing, (Vector3{1, 2, 3}));
  const auto& rock = std::get<ClosedSurface>(model.obstacles[8].shape);
  EXPECT_EQ(rock.triangles.size(), 4u);
  EXPECT_EQ(rock.nodes[1], (Vector3{1, 0, 0}));
  double volume = 0;  // six times that within; above 0 where triangles face outwards, as they do not in the file
  for (const auto& [a, b, c] : rock.triangles)
    volume += mesh::triple_product(rock.nodes[static_cast<std::size_t>(a)], rock.nodes[static_cast<std::size_t>(b)],
                                   rock.nodes[static_cast<std::size_t>(c)]);
  EXPECT_DOUBLE_EQ(volume, 1);
}

TEST_F(Contacts, PairsAreEveryBodyWithEveryObstacleAndWhatIsListed) {
  const auto model = build();
  ASSERT_EQ(model.contacts.size(), 2u * 9 - 1 + 1 + 1);
  const auto expect = [&](std::int32_t body, bool with_obstacle, std::int32_t other, double friction,
                          double restitution, double thickness = 0) {
    for (const auto& pair : model.contacts) {
      if (pair.body != body || pair.with_obstacle != with_obstacle || pair.other != other) continue;
      EXPECT_EQ(pair.friction, friction);
      EXPECT_EQ(pair.restitution, restitution);
      EXPECT_EQ(pair.thickness, thickness);
      return true;
    }
    return false;
  };
  EXPECT_TRUE(expect(0, true, 0, 0.4, 0.1));
  EXPECT_TRUE(expect(1, true, 0, 0.9, 0.1));
  EXPECT_TRUE(expect(0, true, 1, 0.2, 0.1));
  EXPECT_FALSE(expect(0, true, 2, 0, 0));  // low passes through the egg
  EXPECT_TRUE(expect(1, true, 2, 0.2, 0.1));
  EXPECT_TRUE(expect(0, false, 1, 0.2, 0.5, 0.01));
  EXPECT_TRUE(expect(1, false, 1, 0.2, 0.1, 0.02));
  EXPECT_FALSE(expect(0, false, 0, 0, 0));
}

TEST_F(Contacts, FrictionMayHaveADirection) {
  const auto model = build();
  EXPECT_EQ(model.obstacles[5].friction_direction, (Vector3{0, 0, 2}));
  for (const auto& pair : model.contacts) {
    const bool of_can = pair.with_obstacle && pair.other == 5;
    EXPECT_EQ(pair.friction_across, !of_can ? 0 : pair.body == 0 ? 0.7 : 0.6);
    EXPECT_EQ(pair.friction_direction, (of_can && pair.body == 0 ? Vector3{1, 2, 3} : Vector3{}));
    EXPECT_EQ(pair.friction_crossed, of_can && pair.body == 0 ? 0.8 : 0);
    EXPECT_FALSE(pair.penalty);
  }
}

// In the order of the names, whichever body comes first.
TEST_F(Contacts, DirectionsOfTwoBodiesAreThoseOfTheirNames) {
  for (const bool swapped : {false, true}) {
    auto pair = Json::parse(R"({"friction_across": 0.5, "friction_crossed": 0.6, "friction_direction": [1, 0, 0],
                                "other_direction": [0, 2, 0]})");
    pair["between"] = swapped ? Json{"high", "low"} : Json{"low", "high"};
    const auto model = build("/contact/pairs/1", pair.dump());
    const auto found = std::find_if(model.contacts.begin(), model.contacts.end(), [](const ContactPair& other) {
      return !other.with_obstacle && other.other != other.body;
    });
    ASSERT_NE(found, model.contacts.end());
    EXPECT_EQ(found->friction_direction, (swapped ? Vector3{0, 2, 0} : Vector3{1, 0, 0}));
    EXPECT_EQ(found->other_direction, (swapped ? Vector3{1, 0, 0} : Vector3{0, 2, 0}));
  }
}

TEST_F(Contacts, MayBeByPenalty) {
  Json scene = Json::parse(good);
  scene["contact"]["penalty"] = Json::parse(R"({"stiffness": 1e5, "exponent": 3})");
  scene["contact"]["restitution"] = 0;
  scene["contact"]["pairs"].erase(1);
  const auto built = [&] { return build_scene(scene); };
  EXPECT_THAT(fault_of(built), HasSubstr("contact.penalty: is of solver.contact \"penalty\" only"));
  scene["solver"]["contact"] = "penalty";
  for (const auto& pair : built().contacts) {
    ASSERT_TRUE(pair.penalty);
    EXPECT_EQ(pair.penalty->stiffness, 1e5);
    EXPECT_EQ(pair.penalty->exponent, 3);
    EXPECT_EQ(pair.penalty->slip_speed, 1e-3);
  }
  scene["contact"]["restitution"] = 0.5;
  EXPECT_THAT(fault_of(built), HasSubstr("neither restitution nor static friction"));
  scene["contact"].erase("penalty");
  EXPECT_THAT(fault_of(built), HasSubstr("which needs its stiffness"));
}

TEST_F(Contacts, TheOnlyBodyIsCalledBody) {
  Json scene = Json::parse(good);
  scene["mesh"] = scene["bodies"][0]["mesh"];
  scene["materials"] = scene["bodies"][0]["materials"];
  scene.erase("bodies");
  scene["obstacles"] = Json::parse(R"([{"name": "ground", "half_space": {}}])");
  scene["contact"] = Json::parse(R"({"pairs": [{"between": ["ground", "body"], "friction": 0.7}], "self": true})");
  write_file(folder / "scene.json", scene.dump());
  const auto model = build_model(read_scene(folder / "scene.json"), [](const fs::path&, const std::string&) {
                       return test::named_energy();
                     }).model;
  ASSERT_EQ(model.contacts.size(), 2u);
  EXPECT_EQ(model.contacts[0].friction, 0.7);
  EXPECT_FALSE(model.contacts[1].with_obstacle);
}

TEST_F(Contacts, FaultsAreNamed) {
  const auto in = [&](const std::string& pointer, const std::string& value, const std::string& expected,
                      const char* function = "ellipsoid") {
    EXPECT_THAT(fault(pointer, value, function), HasSubstr(expected)) << pointer << " " << value;
  };
  in("/obstacles/1/name", "\"ground\"", "obstacles[1]: there is an obstacle 'ground' already");
  in("/obstacles/1/name", "\"low\"", "'low' is the name of a body, too");
  in("/obstacles/0/plane", "", "obstacles[0]: exactly one of");
  in("/obstacles/0/box", R"({"size": [1, 1, 1]})", "obstacles[0]: exactly one of");
  in("/obstacles/0/plane/at", "3", "unknown key 'obstacles[0].plane.at'");
  in("/obstacles/1/box/size", "[1, 0, 1]", "obstacles[1].box.size: found [1,0,1]");
  in("/obstacles/6/sphere/radius", "-1", "obstacles[6].sphere.radius: found -1");
  in("/obstacles/1/place", "{}", "obstacles[1]: has both a place and a motion");
  in("/obstacles/1/motion/1/time", "0", "obstacles[1].motion: time 0 follows 0; times must increase");
  in("/obstacles/0/friction", "-0.1", "obstacles[0].friction: found -0.1");
  in("/obstacles/0/friction_across", "0", "obstacles[0].friction_across: found 0");
  in("/obstacles/0/friction_across", "0.3", "friction across a direction is 0.3, but neither side has a direction");
  in("/obstacles/0/friction_direction", "[1, 0, 0]", "along which its coefficient is 0.4 and across it 0; both must");
  in("/contact/pairs/3/friction_crossed", "", "friction where directions cross is 0; it must be above 0");
  in("/contact/pairs/0/friction_direction", "[1, 0, 0]", "along which its coefficient is 0.9 and across it 0");
  in("/contact/pairs/0/other_direction", "[1, 0, 0]", "of a second body, and there is none");
  in("/contact/pairs/2/other_direction", "[1, 0, 0]", "of a second body, and there is none");
  in("/contact/pairs/1/other_direction", "[1, 0, 0]", "along which its coefficient is 0.2 and across it 0");
  in("/contact/pairs/2", R"({"between": ["high", "high"], "friction_across": 0.5, "friction_direction": [1, 0, 0]})",
     "friction where directions cross is 0; it must be above 0");
  in("/obstacles/0/restitution", "1.1", "obstacles[0].restitution: found 1.1");
  in("/obstacles/3/inside", "true", "obstacles[3].inside: is for closed shapes");
  in("/obstacles/3/height_field/points", "[1, 2]", "obstacles[3].height_field.points: found [1,2]");
  in("/obstacles/3/height_field/points", "[100000, 100000]", "a grid of 10000000000 points is asked for");
  in("/obstacles/3/height_field/expression", "\"x +\"", "obstacles[3].height_field.expression: the expression");
  in("/obstacles/3/height_field/file", "\"grid.txt\"", "exactly one of 'file', 'expression'");
  in("/obstacles/7/distance_grid/points", "[2, 2, 3]", "has 8 numbers; its points need 12");
  in("/obstacles/7/distance_grid/upper", "[1, 2, 0]", "upper must be above lower");
  in("/obstacles/7/distance_grid/file", "\"none.txt\"", "none.txt");
  in("/obstacles/8/surface/file", "\"none.obj\"", "none.obj");
  in("/obstacles/2/function/parameters/a", "-1", "'a'");
  in("/obstacles/2/function/parameters", R"({"b": 1})", "has no parameter 'b'");
  in("/obstacles/2/name", "\"egg\"", "a signed distance has one input of 3", "of_two");
  in("/contact/pairs/0/between", R"(["ground"])", "contact.pairs[0].between: has 1 names");
  in("/contact/pairs/0/between", R"(["ground", "higher"])", "there is no body or obstacle 'higher'; did you mean");
  in("/contact/pairs/0/between", R"(["ground", "tray"])", "both are obstacles");
  in("/contact/thickness", "-1", "contact.thickness: found -1");
  in("/contact/pairs/0/thickness", "0.1", "contact.pairs[0].thickness: is of bodies only");
  in("/contact/friction", "-1", "contact.friction: found -1");
}

TEST_F(Contacts, ModelsMadeByHandAreChecked) {
  const auto good_model = build();
  const auto fault_in = [&](auto change) {
    auto model = good_model;
    change(model);
    return fault_of([&] { validate(model); });
  };
  EXPECT_EQ(fault_in([](Model&) {}), "");
  EXPECT_THAT(fault_in([](Model& m) { m.obstacles[0].motion.clear(); }), HasSubstr("'ground': has no key frame"));
  EXPECT_THAT(fault_in([](Model& m) { m.obstacles[1].motion[0].time = 3; }), HasSubstr("times must increase"));
  EXPECT_THAT(fault_in([](Model& m) { m.obstacles[1].motion[0].translation[0] = NAN; }), HasSubstr("is not finite"));
  EXPECT_THAT(fault_in([](Model& m) { m.obstacles[1].name = "ground"; }), HasSubstr("two obstacles 'ground'"));
  EXPECT_THAT(fault_in([](Model& m) { std::get<AnalyticDistance>(m.obstacles[6].shape).parameters = {{0.0}}; }),
              HasSubstr("radius"));
  EXPECT_THAT(fault_in([](Model& m) { std::get<HeightField>(m.obstacles[3].shape).heights.pop_back(); }),
              HasSubstr("5 heights are given, its grid has 6 points"));
  EXPECT_THAT(fault_in([](Model& m) { std::get<DistanceGrid>(m.obstacles[7].shape).spacing[2] = 0; }),
              HasSubstr("a spacing of 0 m along z"));
  EXPECT_THAT(fault_in([](Model& m) { std::get<ClosedSurface>(m.obstacles[8].shape).triangles[1][2] = 9; }),
              HasSubstr("triangle 1 of its surface has node 9"));
  EXPECT_THAT(fault_in([](Model& m) { std::get<ClosedSurface>(m.obstacles[8].shape).triangles.pop_back(); }),
              HasSubstr("'rock': its surface is open at the edge between nodes"));
  EXPECT_THAT(fault_in([](Model& m) {
                auto& triangle = std::get<ClosedSurface>(m.obstacles[8].shape).triangles[2];
                std::swap(triangle[0], triangle[1]);
              }),
              HasSubstr("go along the edge from node"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts[0].body = 2; }), HasSubstr("body 2 does not exist"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts[0].other = 9; }), HasSubstr("obstacle 9 does not exist"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts[0].friction = -1; }),
              HasSubstr("body 'low' with obstacle 'ground': the coefficient of friction is -1"));
  EXPECT_THAT(fault_in([](Model& m) { m.obstacles[0].friction_direction[1] = NAN; }),
              HasSubstr("'ground': its direction of friction is not finite"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts[1].penalty = Penalty{1, 2, 1}; }), HasSubstr("some have none"));
  EXPECT_THAT(fault_in([](Model& m) {
                for (auto& pair : m.contacts) pair.penalty = Penalty{1, 1, 1};
              }),
              HasSubstr("an exponent of 1"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts[0].restitution = 2; }), HasSubstr("restitution is 2"));
  EXPECT_THAT(fault_in([](Model& m) { m.integrator = Integrator::bdf2; }),
              HasSubstr("restitution is 0.1; the integrator bdf2"));
  EXPECT_THAT(fault_in([](Model& m) {
                m.integrator = Integrator::quasi_static;
                m.dirichlet.resize(1);
                for (std::size_t n = 1; n < m.mesh.nodes.size(); ++n)
                  m.dirichlet[0].nodes.push_back(static_cast<std::int32_t>(n));
              }),
              HasSubstr("nothing bounces in steps of quasi_static"));
  EXPECT_EQ(fault_in([](Model& m) {
              m.integrator = Integrator::bdf2;
              for (auto& pair : m.contacts) pair.restitution = 0;
            }),
            "");
  EXPECT_THAT(fault_in([](Model& m) { m.contacts.back().thickness = -1; }), HasSubstr("the thickness is -1 m"));
  EXPECT_THAT(fault_in([](Model& m) { m.contacts.push_back(m.contacts[0]); }), HasSubstr("is listed twice"));
}

}  // namespace
}  // namespace proxima::model
