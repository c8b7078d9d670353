// The scenes of dsl_examples/contact run, and what touches in them moves as their first lines say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "runtime/model/scene.hpp"
#include "tests/apps/scene_folder.hpp"
#include "tests/apps/scene_run.hpp"
#include "tests/apps/search_folder.hpp"
#include "tests/solve/diffpd_cantilever.hpp"

namespace proxima::test {
namespace {

using model::Vector3;

constexpr const char* examples = "contact";
bool everywhere(const Vector3&) { return true; }

SceneRun run_scene(const std::string& name, const SceneRun::Change& change = {}) {
  return SceneRun(name, change, examples);
}

// No node is below the ground by more than a millionth of the body, at any time.
void expect_above_ground(const SceneRun& run, double size) {
  double lowest = INFINITY;
  for (const auto& frame : run.frames)
    for (std::size_t i = 2; i < frame.positions.size(); i += 3) lowest = std::min(lowest, frame.positions[i]);
  EXPECT_GT(lowest, -1e-6 * size);
}

TEST(ContactScene, BlockSlidesAsFarAsTheFormulaSays) {
  const SceneRun run = run_scene("slope");
  const double slope = 20 * M_PI / 180, h = run.model.time_step, n = run.last();
  const double expected = 9.81 * (std::sin(slope) - 0.3 * std::cos(slope)) * h * h * n * (n + 1) / 2;
  EXPECT_NEAR(run.centre_of_mass(run.last())[0] - run.centre_of_mass(0)[0], expected, 0.01 * expected);
  EXPECT_GT(run.column("contacts_slip").back(), 70);
  expect_above_ground(run, 0.1);
}

// By the law of contact and by penalties: m (v_{n+1} - v_n)/h is the weight and what the ground does. How steps are
// solved leaves a millionth of forces that are larger than both.
TEST(ContactScene, ObstacleForcesAreWhatChangesMomentum) {
  for (const char* name : {"slope", "creep", "rolling_sphere"}) {
    const SceneRun run = run_scene(name, [](auto& scene) {
      scene["time"]["steps"] = 20;
      scene["solver"]["tolerance"] = 1e-9;
      scene.erase("loss");
      scene.erase("optimize");
    });
    const auto substeps = run.column("substeps");
    EXPECT_THAT(substeps, testing::Each(1)) << name;
    double mass = 0, pushed = 0;
    for (const double m : run.mass) mass += m;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string letter(1, "xyz"[axis]);
      const auto force = run.column("obstacle_force_" + letter + "_N"),
                 momentum = run.column("momentum_" + letter + "_Ns");
      for (std::size_t k = 1; k < force.size(); ++k) {
        const double change = (momentum[k] - momentum[k - 1]) / run.model.time_step;
        EXPECT_NEAR(force[k], change - mass * run.model.gravity[axis], 1e-5 * mass * 9.81) << name << letter << k;
        pushed = std::max(pushed, std::abs(force[k]));
      }
    }
    EXPECT_GT(pushed, 0.5 * mass * 9.81) << name;
  }
}

TEST(ContactScene, BlockOnARougherSlopeStays) {
  const SceneRun run = run_scene("slope", [](auto& scene) { scene["obstacles"][0]["friction"] = 0.5; });
  EXPECT_LT(run.centre_of_mass(run.last())[0], 1e-4);  // it leans
  EXPECT_NEAR(run.centre_of_mass(run.last())[0], run.centre_of_mass(20)[0], 1e-8);
  EXPECT_EQ(run.column("contacts_slip").back(), 0);
}

// Gravity's part along the board is a v + g_n B v / sqrt(v . B v), v the unit vector of the way, B of the ellipse about
// the bisector of the two directions, which are half way between parallel and crossed.
TEST(ContactScene, BlockSlidesWhereTheGroovesOfBothLetIt) {
  const SceneRun run = run_scene("grooves");
  const double bisector = 52.5 * M_PI / 180, along = (0.1 + 0.3) / 2, across = (0.6 + 0.3) / 2;
  const auto& gravity = run.model.gravity;
  const auto rest = [&](double angle) {  // what friction leaves of gravity on a way in this direction
    const double c = std::cos(angle - bisector), s = std::sin(angle - bisector);
    const double size = std::hypot(along * c, across * s), u = along * along * c / size, w = across * across * s / size;
    const double x = u * std::cos(bisector) - w * std::sin(bisector),
                 y = u * std::sin(bisector) + w * std::cos(bisector);
    return std::array{gravity[0] + gravity[2] * x, gravity[1] + gravity[2] * y};
  };
  double lower = 0, upper = bisector;
  for (int k = 0; k < 60; ++k) {
    const double angle = (lower + upper) / 2;
    const auto [x, y] = rest(angle);
    (std::atan2(y, x) > angle ? lower : upper) = angle;
  }
  const auto [x, y] = rest(lower);
  const auto block = [](const Vector3& at) { return at[2] > 1e-3; };
  // Once it has settled.
  const auto acceleration = [&](int axis) {
    const double before = run.mean(20, axis, block), between = run.mean(40, axis, block);
    return (run.mean(60, axis, block) - 2 * between + before) / std::pow(20 * run.model.time_step, 2);
  };
  EXPECT_GT(lower, 0.1);  // off the fall line
  EXPECT_NEAR(acceleration(0), x, 0.01 * std::hypot(x, y));
  EXPECT_NEAR(acceleration(1), y, 0.01 * std::hypot(x, y));
  EXPECT_EQ(run.column("contacts_stick").back(), 0);
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6 * 0.1)));
}

// mu v / sqrt(v^2 + e^2) = tan(slope), e the slip speed.
TEST(ContactScene, PenaltiesCreepAsTheFormulaSays) {
  const SceneRun run = run_scene("creep");
  const double share = std::tan(10 * M_PI / 180) / 0.5, speed = 2e-3 * share / std::sqrt(1 - share * share);
  const double moved = run.centre_of_mass(60)[0] - run.centre_of_mass(40)[0];
  EXPECT_NEAR(moved, 0.2 * speed, 1e-3 * moved);
}

TEST(ContactScene, BallRolls) {
  const SceneRun run = run_scene("rolling_sphere");
  const double way = run.centre_of_mass(run.last())[0];
  // Implicit Euler takes some of its motion.
  EXPECT_GT(way, 0.46);
  EXPECT_LT(way, 0.5);
  const auto top = [](const Vector3& x) { return x[2] > 0.2 - 1e-9; };
  double turned = 0, before = 0;
  for (int k = 1; k <= run.last(); ++k) {
    const auto centre = run.centre_of_mass(k);
    const double angle = std::atan2(run.mean(k, 0, top) - centre[0], run.mean(k, 2, top) - centre[2]);
    turned += std::remainder(angle - before, 2 * M_PI);
    before = angle;
  }
  EXPECT_NEAR(turned * 0.1, way, 0.05 * way);
  expect_above_ground(run, 0.2);
}

TEST(ContactScene, NapkinCoversTheBall) {
  const SceneRun run = run_scene("napkin_25", [](auto& scene) { scene["time"]["steps"] = 90; });
  double nearest = INFINITY;
  for (const auto& frame : run.frames)
    for (std::size_t i = 0; i < frame.positions.size(); i += 3)
      nearest = std::min(nearest, std::hypot(frame.positions[i], frame.positions[i + 1], frame.positions[i + 2]));
  EXPECT_GT(nearest, 0.5 - 1e-6);
  EXPECT_EQ(run.column("contacts_stick").front() + run.column("contacts_slip").front(), 0);
  EXPECT_GT(run.column("contacts_stick").back() + run.column("contacts_slip").back(), 90);
}

// Whether a place is on the cap of the napkins' scenes, and how far within it.
double depth_in_cap(const double* x, double angle) {
  return -std::max(std::hypot(x[0], x[1], x[2]) - 0.5,
                   std::hypot(x[0], x[1]) * std::cos(angle) - x[2] * std::sin(angle));
}

// What touches grows with the cap; DiffPD's four shares of all nodes.
TEST(ContactScene, CapSaysHowMuchOfTheNapkinTouches) {
  const int nodes = 2 * 26 * 26;
  struct Cap {
    double angle;
    int steps;
    double least, most;  // contacts over nodes
  };
  for (const auto& [angle, steps, least, most] :
       {Cap{0.161, 60, 0.055, 0.065}, {0.326, 60, 0.22, 0.26}, {0.8, 115, 0.48, 0.5}}) {
    const SceneRun run = run_scene("cap_25", [angle = angle, steps = steps](auto& scene) {
      scene["obstacles"][0]["function"]["parameters"]["angle"] = angle;
      scene["time"]["steps"] = steps;
    });
    double largest = 0;
    const auto stick = run.column("contacts_stick"), slip = run.column("contacts_slip");
    for (std::size_t k = 0; k < stick.size(); ++k) largest = std::max(largest, (stick[k] + slip[k]) / nodes);
    EXPECT_GE(largest, least) << angle;
    EXPECT_LE(largest, most) << angle;
    double deepest = -INFINITY;
    for (const auto& frame : run.frames)
      for (std::size_t i = 0; i < frame.positions.size(); i += 3)
        deepest = std::max(deepest, depth_in_cap(&frame.positions[i], angle));
    EXPECT_LT(deepest, 1e-6) << angle;
  }
}

TEST(ContactScene, SoftHalfOfTheNapkinLiesAndTheStiffOneBridges) {
  const SceneRun run = run_scene("cap_two_25");
  int soft = 0, stiff = 0;
  const auto& x = run.frames.back().positions;
  for (std::size_t i = 0; i < x.size(); i += 3)
    if (std::abs(depth_in_cap(&x[i], 0.8)) < 1e-6) ++(x[i] < 0 ? soft : stiff);
  EXPECT_GT(soft, 3 * stiff);
  EXPECT_GT(stiff, 0);
  // Steps in the metric of A hardly get on where stiff is next to soft: faces are found by Newton's steps.
  EXPECT_THAT(run.column("contact_proximal_steps"), testing::Each(testing::Le(2)));
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6)));
}

TEST(ContactScene, QuadrupedWalksUpright) {
  const SceneRun run = run_scene("quadruped");
  EXPECT_GT(run.centre_of_mass(run.last())[0] - run.centre_of_mass(0)[0], 0.05);
  const auto top = [](const Vector3& x) { return x[2] > 0.3 - 1e-9; };
  for (int k = 0; k <= run.last(); ++k) EXPECT_GT(run.mean(k, 2, top), 0.2) << k;
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6 * 0.4)));
}

TEST(ContactScene, RingRollsUpright) {
  const SceneRun run = run_scene("torus", [](auto& scene) { scene["time"]["steps"] = 40; });
  expect_above_ground(run, 0.1);
  EXPECT_GT(run.extent(run.last(), 2, everywhere), 0.095);
  EXPECT_NEAR(run.centre_of_mass(run.last())[1], 0, 1e-3);
}

// The same on DiffPD's meshes, whose corner is at the origin.
TEST(ContactScene, RingAndRabbitMayBeDiffpds) {
  const auto data = bodies::shared_data();
  if (!std::filesystem::exists(data / "torus_hex.vtk"))
    GTEST_SKIP() << "torus_hex.vtk is absent; set PROXIMA_SHARED_DATA to its folder";
  const SceneRun ring = run_scene("torus", [&](auto& scene) {
    scene["mesh"] = {{"file", (data / "torus_hex.vtk").string()}, {"scale", 0.1}};
    for (auto& material : scene["materials"]) {
      auto text = material["region"]["expression"].template get<std::string>();
      for (std::size_t at = 0; (at = text.find(", x)", at)) != std::string::npos; at += 4)
        text.replace(at, 4, ", x - 0.05)");
      material["region"]["expression"] = text;
      material["energies"][1]["directions"]["fibre"]["expression"][2] = "x - 0.05";
    }
    scene["time"]["steps"] = 10;
  });
  EXPECT_EQ(mesh::elements(ring.model.mesh, mesh::Shape::hexahedron).count(), 568u);
  EXPECT_GT(ring.column("contacts_stick").back() + ring.column("contacts_slip").back(), 0);
  expect_above_ground(ring, 0.1);
  const SceneRun bunny = run_scene("rabbit", [&](auto& scene) {
    scene["bodies"][0]["mesh"] = {{"file", (data / "bunny_hex.vtk").string()}, {"scale", 0.1}};
    scene["bodies"][0]["place"] = {{"translate", {0, 0, 0.002}}};
    scene["time"]["steps"] = 5;
  });
  EXPECT_EQ(mesh::elements(bunny.model.mesh, mesh::Shape::hexahedron).count(), 1601u);
  EXPECT_GT(bunny.column("contacts_slip").back(), 0);
  expect_above_ground(bunny, 0.1);
}

// It comes to rest to the last bit. A step is a function of its state, so it stays so for 10 s, or for ever.
TEST(ContactScene, StackStays) {
  const SceneRun run = run_scene("stack", [](auto& scene) { scene["time"]["steps"] = 130; });
  const auto &last = run.frames.back(), &before = run.frames[run.frames.size() - 2];
  EXPECT_EQ(last.positions, before.positions);
  EXPECT_THAT(last.velocities, testing::Each(0));
  // What still sways dies out, about the same place.
  for (int body = 0; body < 5; ++body) {
    const auto in_body = [&](const Vector3& x) { return x[2] > 0.04 * body - 1e-9 && x[2] < 0.04 * body + 0.041; };
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(run.mean(run.last(), axis, in_body), run.mean(40, axis, in_body), axis == 2 ? 1e-8 : 2e-6)
          << body << axis;
  }
  EXPECT_LT(run.mean(run.last(), 2, everywhere), run.mean(0, 2, everywhere));
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6 * 0.1)));
  expect_above_ground(run, 0.2);
}

TEST(ContactScene, SheetCatchesTheBall) {
  const SceneRun run = run_scene("ball_on_sheet");
  const auto ball = [](const Vector3& x) { return x[2] > 0.01; };
  const auto sheet = [](const Vector3& x) { return x[2] < 0.01; };
  double lowest = INFINITY;
  for (int k = 0; k <= run.last(); ++k) lowest = std::min(lowest, run.mean(k, 2, ball));
  EXPECT_GT(lowest, -0.08);  // without a sheet: -1
  EXPECT_LT(lowest, 0);
  double after = -INFINITY;
  for (int k = run.last() / 2; k <= run.last(); ++k) after = std::max(after, run.mean(k, 2, ball));
  EXPECT_GT(after, lowest + 0.05);
  EXPECT_GT(run.extent(run.last() / 2, 2, sheet), 0.1);
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6 * 0.2)));
}

// The two nodes that hold it stay to the last digits of their places; what is glued goes with the stem.
TEST(ContactScene, LampSwingsAgainstTheWall) {
  const SceneRun run = run_scene("lamp");
  const auto hook = [](const Vector3& x) { return x[2] > 0.199 && std::abs(x[0]) < 1e-9; };
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  const auto end_of_stem = [&](const Vector3& x) { return near(x[2], 0) && near(x[0], 0) && std::abs(x[1]) < 0.021; };
  const auto top_of_bulb = [&](const Vector3& x) { return near(x[2], 0) && near(std::abs(x[0]), 0.05 / 3); };
  for (int k = 0; k <= run.last(); ++k) {
    EXPECT_NEAR(run.mean(k, 0, hook), 0, 1e-9) << k;
    EXPECT_NEAR(run.mean(k, 2, hook), 0.2, 1e-9) << k;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(run.mean(k, axis, end_of_stem), run.mean(k, axis, top_of_bulb), 2e-3) << k;
  }
  EXPECT_THAT(run.column("contacts_stick"), testing::Contains(testing::Gt(0)));
  EXPECT_THAT(run.column("contacts_stick"), testing::Contains(0));
  EXPECT_THAT(run.column("contact_depth_m"), testing::Each(testing::Lt(1e-6 * 0.3)));
}

struct Optimised {
  const char* name;
  double least_fall;  // of the loss, as a factor
};

class ContactOptimisation : public SearchFolder, public testing::WithParamInterface<Optimised> {
 protected:
  // The ball is coarser than in the file, and seen until after its first bounce.
  static Json scene(const std::string& name) {
    auto result = Json::parse(model::read_scene(scene_file(name, examples)).resolved);
    if (name.find("_ball") == std::string::npos) return result;
    result["mesh"]["ball"]["layers"] = 3;
    result["time"]["steps"] = 60;
    return result;
  }
};

TEST_P(ContactOptimisation, FindsWhatItLooksFor) {
  const std::string name = GetParam().name;
  const auto design = scene(name);
  expect_found(design, design["loss"][0].contains("trajectory") ? scene(name + "_recorded") : Json(),
               GetParam().least_fall);
}

INSTANTIATE_TEST_SUITE_P(Scenes, ContactOptimisation,
                         testing::Values(Optimised{"bouncing_ball", 1e8}, Optimised{"creep", 1e6},
                                         Optimised{"homogeneous_ball", 1e8}, Optimised{"rabbit", 1e4},
                                         Optimised{"slide", 1e4}, Optimised{"throw", 1e10}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// Losses without a least value: a short search over a short time gets on.
class ContactMotion : public SearchFolder, public testing::WithParamInterface<const char*> {};

TEST_P(ContactMotion, GoesFartherAfterASearch) {
  auto design = Json::parse(model::read_scene(scene_file(GetParam(), examples)).resolved);
  design["time"]["steps"] = 40;
  design["optimize"]["max_evaluations"] = 6;
  design["optimize"]["starts"] = 1;
  const auto [first, last] = search(design);
  EXPECT_LT(last, first - 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Scenes, ContactMotion, testing::Values("quadruped", "torus"),
                         [](const auto& chosen) { return std::string(chosen.param); });

// What each scene needs to be in contact within three steps, and small.
struct Gradient {
  const char* name;
  void (*change)(Json& scene);
};

// A sheet just above its ball, thrown at it, and coarser: it sticks and slides with some twenty nodes.
void throw_sheet(Json& scene, int cells, double speed, double time_step) {
  auto& box = scene["mesh"]["box"];
  const double thickness = box["upper"][2].get<double>() - box["lower"][2].get<double>();
  box["cells"] = {cells, cells, 1};
  box["lower"][2] = 0.5001;
  box["upper"][2] = 0.5001 + thickness;
  scene["initial"]["velocity"] = {0.1, 0.05, -speed};
  scene["time"]["step"] = time_step;
}

// Flat boxes on one another have more contacts than nodes to carry them, some of which touch without a force: a kink.
// Tilted they meet with corners. By density the bone at 1e9 Pa adds more rounding to the loss than the differences of
// the softest body bear; by each node's place, velocity and force it takes twice as long.
void tilt_stack(Json& scene) {
  const std::array<double, 5> lift = {1.8e-3, 1.8e-3, 1e-3, 1e-3, 1e-3};
  for (std::size_t k = 0; k < lift.size(); ++k) {
    const auto i = static_cast<double>(k);
    auto& body = scene["bodies"][k];
    body["mesh"]["box"]["cells"] = {1, 1, 1};
    body["place"]["translate"][2] = 0.04 * i + lift[k];
    body["place"]["rotate"] = {0.02 + 0.014 * i, -0.012 - 0.018 * i, 0.2 * i};
    body["initial"]["velocity"] = {0.03, 0.01 * i, -0.1 * (i + 1)};
  }
  scene["time"]["step"] = 0.001;
  scene["gradcheck"]["inputs"] = {"parameters", "damping", "contact", "gravity", "obstacles"};
}

class ContactSceneGradients : public SceneFolder, public testing::WithParamInterface<Gradient> {};

TEST_P(ContactSceneGradients, PassTheirCheck) {
  auto scene = Json::parse(model::read_scene(scene_file(GetParam().name, examples)).resolved);
  scene["time"]["steps"] = 3;
  scene["loss"] = Json::parse(R"([{"nodes": {"select": "all", "displacement": [0.01, 0.003, 0]}, "frames": "last"}])");
  scene.erase("optimize");
  GetParam().change(scene);
  write_scene(scene);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, ContactSceneGradients,
    testing::Values(Gradient{"slope", [](Json& scene) { scene["mesh"]["box"]["cells"] = {4, 4, 2}; }},
                    Gradient{"rolling_sphere", [](Json&) {}},
                    Gradient{"bouncing_ball", [](Json& scene) { scene["mesh"]["ball"]["centre"] = {0, 0, 0.101}; }},
                    Gradient{"slide", [](Json&) {}}, Gradient{"creep", [](Json&) {}},
                    Gradient{"grooves",
                             [](Json& scene) {
                               scene["bodies"][1]["mesh"]["box"]["cells"] = {2, 2, 1};
                               scene["bodies"][1]["place"] = {{"translate", {0, 0, 0.022}},
                                                              {"rotate", {0.3, 0.2, 0.3}}};
                               scene["bodies"][1]["initial"]["velocity"] = {0.3, 0.1, -0.1};
                               scene["gradcheck"]["inputs"] = {"velocities", "positions", "parameters", "contact"};
                             }},
                    Gradient{"rabbit", [](Json& scene) { scene["bodies"][0]["place"]["translate"] = {0, 0, 0.09}; }},
                    Gradient{"throw", [](Json& scene) { scene["mesh"]["ball"]["centre"] = {0, 0, 0.061}; }},
                    Gradient{"homogeneous_ball", [](Json& scene) { scene["mesh"]["ball"]["centre"] = {0, 0, 0.101}; }},
                    Gradient{"torus",
                             [](Json& scene) {
                               scene["mesh"]["box"]["cells"] = {8, 3, 8};
                               scene["gradcheck"]["inputs"] = {"controllers", "velocities", "contact"};
                             }},
                    Gradient{"quadruped",
                             [](Json& scene) {
                               scene["obstacles"][0]["place"]["translate"] = {0, 0, -0.001};
                               scene["gradcheck"]["inputs"] = {"controllers", "velocities", "contact"};
                             }},
                    Gradient{"ball_on_sheet",
                             [](Json& scene) {
                               scene["bodies"][0]["mesh"]["ball"]["centre"] = {0.02, 0.01, 0.104};
                               scene["bodies"][1]["mesh"]["grid"]["cells"] = {8, 8};
                             }},
                    Gradient{"lamp",
                             [](Json& scene) {
                               scene["obstacles"][0]["place"]["translate"] = {0.051, 0, 0};
                               scene["bodies"][0]["mesh"]["box"]["cells"] = {2, 2, 2};
                               scene["bodies"][1]["mesh"]["box"]["cells"] = {2, 2, 2};
                             }},
                    Gradient{"napkin_25", [](Json& scene) { throw_sheet(scene, 12, 0.5, 0.01); }},
                    Gradient{"napkin_50", [](Json& scene) { throw_sheet(scene, 8, 2, 0.005); }},
                    Gradient{"cap_25", [](Json& scene) { throw_sheet(scene, 10, 0.3, 0.01); }},
                    Gradient{"cap_50", [](Json& scene) { throw_sheet(scene, 12, 0.5, 0.005); }},
                    Gradient{"cap_two_25", [](Json& scene) { throw_sheet(scene, 8, 0.5, 0.004); }},
                    Gradient{"cap_two_50", [](Json& scene) { throw_sheet(scene, 8, 0.5, 0.003); }},
                    Gradient{"stack", tilt_stack}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

// Those of the folder are all looked at, but what another is compared with.
TEST(ContactSceneGradient, IsOfEveryScene) {
  std::set<std::string> there, tested;
  for (const auto& entry : std::filesystem::directory_iterator(PROXIMA_SOURCE_DIR "/dsl_examples/contact"))
    if (const std::string name = entry.path().stem().string();
        entry.path().extension() == ".json" && !name.ends_with("_recorded"))
      there.insert(name);
  const auto* unit = testing::UnitTest::GetInstance();
  for (int k = 0; k < unit->total_test_suite_count(); ++k) {
    const auto* suite = unit->GetTestSuite(k);
    if (std::string(suite->name()) != "Scenes/ContactSceneGradients") continue;
    for (int i = 0; i < suite->total_test_count(); ++i) {
      const std::string name = suite->GetTestInfo(i)->name();
      tested.insert(name.substr(name.find('/') + 1));
    }
  }
  EXPECT_EQ(tested, there);
}

}  // namespace
}  // namespace proxima::test
