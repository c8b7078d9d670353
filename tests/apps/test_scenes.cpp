// The scenes in dsl_examples/scenes run, and what moves in them moves as physics says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "compiler/support/file.hpp"
#include "runtime/model/scene.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/scene_run.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using model::Vector3;

constexpr double near = 1e-9;

auto at(int axis, double value) {
  return [=](const Vector3& x) { return std::abs(x[axis] - value) < near; };
}
bool everywhere(const Vector3&) { return true; }

// From step `first` on, by more than the tolerance of the solver lets it.
void expect_no_growth(const std::vector<double>& energy, std::size_t first) {
  const auto [least, most] = std::minmax_element(energy.begin(), energy.end());
  for (std::size_t k = first + 1; k < energy.size(); ++k)
    EXPECT_LE(energy[k], energy[k - 1] + 1e-5 * (*most - *least)) << "step " << k + 1;
}

TEST(Scene, BeamSagsAndLosesEnergy) {
  const SceneRun run("beam");
  const auto tip = at(0, 0.4);
  const double rest = run.mean(0, 2, tip);
  double lowest = rest;
  for (int k = 0; k <= run.last(); ++k) lowest = std::min(lowest, run.mean(k, 2, tip));
  EXPECT_LT(lowest, rest - 0.05);
  EXPECT_NEAR(run.volume(run.last()), run.volume(0), 0.02 * run.volume(0));
  expect_no_growth(run.total_energy(), 0);
}

TEST(Scene, TwistInvertsNothing) {
  const SceneRun run("twist");
  for (int k = 0; k <= run.last(); ++k) EXPECT_GT(run.smallest_volume_ratio(k), 0.2) << "step " << k;
  // Half way along, a node has turned by half the angle.
  const auto edge = [](const Vector3& x) {
    return std::abs(x[0] - 0.15) < near && std::abs(x[1] - 0.05) < near && std::abs(x[2]) < near;
  };
  const double y = run.mean(run.last(), 1, edge), z = run.mean(run.last(), 2, edge);
  EXPECT_NEAR(std::atan2(z, y), 1.75, 0.1);
  EXPECT_LT(run.column("kinetic_J").back(), 1e-6 * run.column("elastic_J").back());
}

TEST(Scene, SpinDrawsTheSlabOut) {
  const SceneRun run("spin");
  expect_no_growth(run.total_energy(), 0);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(run.centre_of_mass(run.last())[axis], 0, 1e-6);
  const auto radius = [&](int frame) {
    double most = 0;
    for (std::size_t n = 0; n < run.mass.size(); ++n)
      most = std::max(most, std::hypot(run.frames[frame].positions[3 * n], run.frames[frame].positions[3 * n + 1]));
    return most;
  };
  double widest = 0;
  for (int k = 0; k <= run.last(); ++k) widest = std::max(widest, radius(k));
  EXPECT_GT(widest, 1.02 * radius(0));
}

TEST(Scene, PressedRubberBulgesAndKeepsItsVolume) {
  const SceneRun run("press");
  EXPECT_NEAR(run.extent(run.last(), 2, everywhere), 0.07, 1e-3);
  EXPECT_GT(run.extent(run.last(), 0, at(2, 0.05)), 1.15 * 0.1);
  EXPECT_NEAR(run.volume(run.last()), 1e-3, 0.03 * 1e-3);
  EXPECT_GT(run.smallest_volume_ratio(run.last()), 0.5);
}

TEST(Scene, TissueStiffensAsItIsStretched) {
  const SceneRun run("tissue");
  // A linear spring would store four times the energy at twice the stretch.
  const auto elastic = run.column("elastic_J");
  EXPECT_GT(elastic.back(), 6 * elastic[elastic.size() / 2 - 1]);
  EXPECT_NEAR(run.volume(run.last()), run.volume(0), 0.06 * run.volume(0));
}

TEST(Scene, ColumnHangsAsLongAsTheFormulaSays) {
  const SceneRun run("hang");
  const double expected = 1000 * 9.81 * 0.4 * 0.4 / (2 * 1e5);
  EXPECT_NEAR(-0.4 - run.mean(run.last(), 2, at(2, -0.4)), expected, 0.01 * expected);
  EXPECT_LT(run.column("kinetic_J").back(), 1e-12);
}

TEST(Scene, RolledBeamIsASemicircle) {
  const SceneRun run("roll");
  // Between the ends at (0, 0) and (0, 0.25), so the middle is half way up, about a radius away.
  EXPECT_NEAR(run.mean(run.last(), 2, at(0, 0.2)), 0.125, 1e-3);
  EXPECT_NEAR(run.mean(run.last(), 0, at(0, 0.2)), 0.4 / M_PI, 0.02);
  // Euler's beam of constant curvature, E I kappa^2 L / 2; linear tets, three across, are too stiff in bending.
  const double beam = 2e5 * std::pow(0.06, 4) / 12 * std::pow(M_PI / 0.4, 2) * 0.4 / 2;
  EXPECT_GT(run.column("elastic_J").back(), beam);
  EXPECT_LT(run.column("elastic_J").back(), 1.6 * beam);
}

TEST(Scene, BallSwingsBack) {
  const SceneRun run("bounce");
  expect_no_growth(run.total_energy(), 0);
  double furthest = 0, back = 0;
  for (int k = 0; k <= run.last(); ++k) {
    const double x = run.centre_of_mass(k)[0];
    furthest = std::max(furthest, x);
    if (furthest > x) back = std::min(back, x);
  }
  EXPECT_GT(furthest, 0.01);
  EXPECT_LT(back, -0.1 * furthest);
}

TEST(Scene, JellyFollowsItsPlateAndKeepsItsVolume) {
  const SceneRun run("jelly");
  expect_no_growth(run.total_energy(), 10);  // the plate rests from t = 0.1 s on
  EXPECT_NEAR(run.centre_of_mass(run.last())[0], 0.02, 2e-3);
  EXPECT_LT(run.centre_of_mass(run.last())[2], run.centre_of_mass(0)[2]);
  for (const int k : {5, 10, 20, run.last()}) EXPECT_NEAR(run.volume(k), run.volume(0), 0.02 * run.volume(0));
}

TEST(Scene, SquashedBlockInvertsNowhere) {
  const SceneRun run("squash");
  for (int k = 0; k <= run.last(); ++k) EXPECT_GT(run.smallest_volume_ratio(k), 0) << "step " << k;
  EXPECT_NEAR(run.mean(run.last(), 2, at(2, 0.1)), 0.02, 1e-9);
  EXPECT_GT(run.extent(run.last(), 0, everywhere), 0.12);
}

TEST(Scene, RubberBandIsOgdens) {
  const SceneRun run("pull");
  // Uniaxial stretch without change of volume: energy density and stress.
  double density = 0, stress = 0;
  for (const auto& [mu, alpha] : {std::pair{6.3e5, 1.3}, {1.2e3, 5.0}, {-1e4, -2.0}}) {
    density += mu / alpha * (std::pow(2.5, alpha) + 2 * std::pow(2.5, -alpha / 2) - 3);
    stress += mu * (std::pow(2.5, alpha) - std::pow(2.5, -alpha / 2));
  }
  // The ends are held wide, which costs more.
  const double energy = density * 4e-5;
  EXPECT_GT(run.column("elastic_J").back(), energy);
  EXPECT_LT(run.column("elastic_J").back(), 1.1 * energy);
  // A third of the stress is pressure, against a bulk modulus of 10 MPa.
  EXPECT_NEAR(run.volume(run.last()) / run.volume(0) - 1, stress / 3 / 1e7, 0.015);
  EXPECT_NEAR(run.extent(run.last(), 1, at(0, 0.05)), 0.02 / std::sqrt(2.5), 0.03 * 0.02);
}

TEST(Scene, FibresStiffenTheirOwnDirection) {
  const SceneRun run("fibres");
  const double left = run.mean(run.last(), 0, at(0, 0.1)) / 0.1 - 1;
  const double right = (run.mean(run.last(), 0, at(0, 0.2)) - run.mean(run.last(), 0, at(0, 0.1))) / 0.1 - 1;
  EXPECT_GT(left, 0.01);
  EXPECT_GT(right, 2 * left);
}

TEST(Scene, MuscleShortensAndRelaxes) {
  const SceneRun run("muscle");
  const auto end = at(0, 0.12);
  const int contracted = 50, before = 5;  // 0.5 s, and the last step without activation
  EXPECT_NEAR(run.mean(before, 0, end), 0.12, 1e-9);
  EXPECT_LT(run.mean(contracted, 0, end), 0.85 * 0.12);
  EXPECT_GT(run.extent(contracted, 1, at(0, 0.06)), 1.05 * 0.04);
  EXPECT_NEAR(run.volume(contracted), run.volume(0), 0.05 * run.volume(0));
  EXPECT_NEAR(run.mean(run.last(), 0, end), 0.12, 0.01 * 0.12);
}

TEST(Scene, InflatedCellsCurlTheBeam) {
  const SceneRun run("inflate");
  EXPECT_GT(run.mean(run.last(), 2, at(0, 0.16)), 0.02);
  // Half of the beam wants to have 1.5 times its volume, the other half its own.
  EXPECT_GT(run.volume(run.last()), 1.15 * run.volume(0));
  EXPECT_LT(run.volume(run.last()), 1.27 * run.volume(0));
}

TEST(Scene, ViscositySilencesTheRingingAndLeavesTheSpin) {
  const SceneRun viscous("damp");
  const SceneRun elastic("damp", [](auto& scene) { scene["materials"][0]["energies"].erase(1); });
  ASSERT_EQ(elastic.model.regions.size(), 1u);
  const auto kept = [](const SceneRun& run) { return run.angular_momentum(run.last()) / run.angular_momentum(0); };
  EXPECT_GT(kept(viscous), 0.9);  // implicit Euler takes a little by itself
  EXPECT_NEAR(kept(viscous), kept(elastic), 1e-3);
  const auto loudest = [](const SceneRun& run) {  // in the second half
    const auto stored = run.column("elastic_J");
    return *std::max_element(stored.begin() + static_cast<std::ptrdiff_t>(stored.size() / 2), stored.end());
  };
  EXPECT_LT(loudest(viscous), 0.2 * loudest(elastic));
  expect_no_growth(viscous.total_energy(), 10);  // the forces end after 0.02 s
}

TEST(Scene, HeldBarRelaxes) {
  const SceneRun run("relax");
  const SceneRun relaxed("relax", [](auto& scene) { scene["materials"][0]["parameters"]["mu_v"] = 1e-3; });
  const auto stored = run.column("elastic_J");
  const double expected = relaxed.column("elastic_J").back();
  EXPECT_GT(stored[2], 1.5 * expected);
  EXPECT_NEAR(stored.back(), expected, 1e-3 * expected);
  // Half way, after five relaxation times, e^-10 of the branch's energy is left.
  EXPECT_NEAR(stored[stored.size() / 2], expected, 0.02 * expected);
  expect_no_growth(stored, 3);
}

TEST(Scene, ForgedBarStaysBent) {
  const SceneRun forged("forge");
  const SceneRun spring("forge", [](auto& scene) { scene["materials"][0]["parameters"]["yield_stress"] = 1e9; });
  const auto lowered = [](const SceneRun& run, int frame) { return -run.mean(frame, 2, at(0, 0.4)); };
  const int released = 20;
  EXPECT_GT(lowered(forged, released), 1.2 * lowered(spring, released));
  EXPECT_GT(lowered(forged, forged.last()), 0.3 * lowered(forged, released));
  EXPECT_LT(lowered(forged, forged.last()), 0.95 * lowered(forged, released));
  EXPECT_LT(std::abs(lowered(spring, spring.last())), 0.02 * lowered(spring, released));
  // The accumulated plastic strain never falls.
  for (int k = 1; k <= forged.last(); ++k) {
    const auto &before = forged.frames[k - 1].history, &after = forged.frames[k].history;
    const auto tets = mesh::elements(forged.model.mesh, mesh::Shape::tetrahedron).count();
    ASSERT_EQ(after.size(), 10 * tets);
    for (std::size_t i = 9 * tets; i < after.size(); ++i) EXPECT_GE(after[i], before[i]);
  }
}

TEST(Scene, GradedBarHangsAsLongAsTheFormulaSays) {
  const SceneRun run("graded");
  // Elastic bars in series: each slice is drawn by the weight of what hangs below it.
  constexpr int slices = 10;
  constexpr double thickness = 0.1 / slices, gravity = 9.81;
  double extension = 0, below = 0;  // below: stress by the weight, Pa
  for (int k = slices - 1; k >= 0; --k) {
    const double stiff = k >= slices / 2 ? 1 : 0;
    const double own = 1000 * (1 + stiff) * gravity * thickness;
    extension += (below + own / 2) * thickness / (1e4 * (1 + 9 * stiff));
    below += own;
  }
  EXPECT_NEAR(run.mean(run.last(), 0, at(0, 0.1)) - 0.1, extension, 1e-5 * extension);
}

TEST(Scene, SwingLosesEnergyToItsDampingAlone) {
  // Of the energy between the highest and the lowest point, what is left after a second.
  const auto lost = [](const SceneRun& run) {
    const auto energy = run.total_energy();
    const auto weight = [&](int k) { return run.weight_energy(k); };
    double lowest = weight(0);
    for (int k = 0; k <= run.last(); ++k) lowest = std::min(lowest, weight(k));
    return (energy.front() - energy.back()) / (weight(0) - lowest);
  };
  const double damped = lost(SceneRun("swing"));
  const double undamped = lost(SceneRun("swing", [](auto& scene) { scene["materials"][0].erase("damping"); }));
  const double euler = lost(SceneRun("swing", [](auto& scene) {
    scene["materials"][0].erase("damping");
    scene["time"].erase("integrator");
  }));
  EXPECT_GT(undamped, 0);
  EXPECT_LT(undamped, 0.15);
  EXPECT_GT(damped, 2 * undamped);
  EXPECT_GT(euler, 3 * undamped);
}

TEST(Scene, TiedBlockHangsByItsSprings) {
  const SceneRun run("tied");
  const double stretch = 1000 * 0.06 * 0.06 * 0.04 * 9.81 / (16 * 10);
  const double gap = run.mean(run.last(), 2, at(2, 0.1)) - run.mean(run.last(), 2, at(2, 0.04));
  EXPECT_NEAR(gap, 0.06 + stretch, 1e-4 * stretch);
  EXPECT_LT(run.column("kinetic_J").back(), 1e-12);
}

TEST(Scene, OrderOfBodiesDoesNotMatter) {
  const auto tight = [](auto& scene) { scene["solver"]["tolerance"] = 1e-10; };
  const SceneRun run("tied", tight), swapped("tied", [&](auto& scene) {
    tight(scene);
    std::swap(scene["bodies"][0], scene["bodies"][1]);
  });
  for (const auto& body : run.model.bodies) {
    const auto other = std::find_if(swapped.model.bodies.begin(), swapped.model.bodies.end(),
                                    [&](const auto& each) { return each.name == body.name; });
    ASSERT_NE(other, swapped.model.bodies.end());
    ASSERT_EQ(other->nodes, body.nodes);
    for (int k = 0; k <= run.last(); ++k)
      for (int i = 0; i < 3 * body.nodes; ++i)
        EXPECT_NEAR(run.frames[k].positions[3 * body.first_node + i],
                    swapped.frames[k].positions[3 * other->first_node + i], 1e-8);
  }
}

TEST(Scene, ClothFallsOpen) {
  const SceneRun run("cloth");
  expect_no_growth(run.total_energy(), 0);
  const auto free_edge = at(1, 0.5);
  double lowest = 0;
  for (int k = 0; k <= run.last(); ++k) lowest = std::min(lowest, run.mean(k, 2, free_edge));
  EXPECT_LT(lowest, -0.35);
  EXPECT_GT(lowest, -0.55);  // it is 0.5 m long and hardly stretches
  EXPECT_EQ(run.model.regions[1].elements.shape, mesh::Shape::hinge);
}

// What an energy remembers is in the trajectory: stopped anywhere, a run goes on with the same bits.
TEST(Scene, ForgingIsResumedBitForBit) {
  const fs::path folder = fs::temp_directory_path() / ("proxima_forge_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  auto scene = nlohmann::ordered_json::parse(model::read_scene(scene_file("forge")).resolved);
  const auto run = [&](int steps, const std::string& out, const std::vector<std::string>& more) {
    scene["time"]["steps"] = steps;
    write_file(folder / "scene.json", scene.dump());
    std::vector<std::string> arguments = {"run", "scene.json", "-o", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = run_program(arguments, folder);
    EXPECT_EQ(result.status, 0) << result.err;
  };
  run(30, "whole", {});
  run(13, "parts", {});
  run(30, "parts", {"--resume"});
  EXPECT_TRUE(read_file(folder / "whole" / "trajectory.bin") == read_file(folder / "parts" / "trajectory.bin"));
  EXPECT_TRUE(read_file(folder / "whole" / "frame_000030.vtu") == read_file(folder / "parts" / "frame_000030.vtu"));
  fs::remove_all(folder);
}

// A variable belongs to the material, whichever of its energies declares the parameter.
TEST(Scene, FibresOfAMuscleAreIdentifiedFromItsMotion) {
  const fs::path folder = fs::temp_directory_path() / ("proxima_identify_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  auto scene = nlohmann::ordered_json::parse(model::read_scene(scene_file("muscle")).resolved);
  scene["materials"][0]["energies"].erase(2);
  scene["mesh"]["box"]["cells"] = {6, 2, 2};
  scene["time"]["steps"] = 20;
  write_file(folder / "scene.json", scene.dump());
  EXPECT_EQ(run_program({"run", "scene.json", "-o", "recorded"}, folder).status, 0);
  scene["loss"] = nlohmann::ordered_json::parse(R"([{"trajectory": "recorded"}])");
  scene["optimize"]["variables"] = nlohmann::ordered_json::parse(R"([
    {"parameter": "w", "sharing": "per_material", "start": 3e4, "lower": 1e4, "upper": 2e5, "scale": "log"},
    {"parameter": "E", "materials": ["muscle"], "start": 5e4, "lower": 1e4, "upper": 2e5, "scale": "log"}])");
  const auto optimize = [&](const std::string& out) {
    write_file(folder / "scene.json", scene.dump());
    return run_program({"optimize", "scene.json", "-o", out}, folder);
  };
  const Result result = optimize("found");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const auto found = nlohmann::ordered_json::parse(read_file(folder / "found" / "result.json"));
  EXPECT_NEAR(found["variables"][0]["found"].get<double>(), 6e4, 60);
  EXPECT_NEAR(found["variables"][1]["found"].get<double>(), 3e4, 30);

  scene["optimize"]["variables"][1]["parameter"] = "k1";
  scene["optimize"]["variables"].erase(0);
  EXPECT_THAT(optimize("other").err,
              testing::HasSubstr("the energy 'stable_neo_hookean' or 'muscle_fibre' of material 'muscle' has no "
                                 "parameter 'k1'"));
  fs::remove_all(folder);
}

// Muscles alone can't move the centre of mass; the water that the tail pushes aside can.
TEST(Scene, SwimMovesForwardsInWaterOnly) {
  const SceneRun swim("swim");
  EXPECT_LT(swim.centre_of_mass(swim.last())[0], 0.1 - 0.02);
  EXPECT_LT(std::abs(swim.centre_of_mass(swim.last())[1]), 0.002);
  const SceneRun dry("swim", [](auto& scene) {
    scene.erase("hydrodynamics");
    scene["time"]["steps"] = 60;
  });
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(dry.centre_of_mass(dry.last())[i], dry.centre_of_mass(0)[i], 1e-6);
}

// Every point of the float is stretched by s in all directions, where mu (s - 1/s) + 3 lambda log(s)/s = -p s^2.
TEST(Scene, DiveEndsAtTheVolumeThatThePressureLeaves) {
  const SceneRun dive("dive");
  const double pressure = 6e4, mu = 1e5 / 2.6, lambda = 1e5 * 0.3 / (1.3 * 0.4);
  double low = 0.3, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double s = (low + high) / 2;
    (mu * (s - 1 / s) + 3 * lambda * std::log(s) / s + pressure * s * s > 0 ? high : low) = s;
  }
  EXPECT_NEAR(dive.volume(dive.last()) / dive.volume(0), low * low * low, 1e-3);
  EXPECT_LT(low, 0.9);
}

// A scene that nobody runs or mentions would be forgotten.
TEST(Scenes, AreAllTestedAndInTheReadme) {
  const auto tests = read_file(fs::path(PROXIMA_SOURCE_DIR) / "tests" / "apps" / "test_scenes.cpp");
  const auto readme = read_file(fs::path(PROXIMA_SOURCE_DIR) / "dsl_examples" / "README.md");
  int scenes = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(PROXIMA_SOURCE_DIR) / "dsl_examples" / "scenes")) {
    const auto name = entry.path().stem().string();
    EXPECT_NE(tests.find("(\"" + name + "\""), std::string::npos) << name;
    EXPECT_NE(readme.find("(scenes/" + name + ".json)"), std::string::npos) << name;
    ++scenes;
  }
  EXPECT_GE(scenes, 10);
}

}  // namespace
}  // namespace proxima::test
