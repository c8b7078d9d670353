// Scene files: good ones, and one fault at a time with the message a user gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/build.hpp"
#include "runtime/model/json_text.hpp"
#include "runtime/model/scene.hpp"
#include "runtime/model/schema.hpp"
#include "runtime/model/select.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

// A box of 2 x 1 x 1 unit cubes, one material, all optional sections used somewhere in the tests below.
constexpr const char* good = R"({
  // comments are allowed
  "mesh": {"box": {"cells": [2, 1, 1], "lower": [0, 0, 0], "upper": [2, 1, 1]}},
  "materials": [{"name": "soft", "energy": "toy.cpp", "density": 1000, "parameters": {"E": 2e5}}],
  "dirichlet": [{"select": {"box": {"lower": [0, 0, 0], "upper": [0, 1, 1]}}}],
  "time": {"step": 0.01, "steps": 5} /* and here */
})";

class SceneFile : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    file = folder / "scene.json";
    write_file(folder / "toy.cpp", "");  // never compiled: the loader below makes the energy
  }

  Scene read(const std::string& content) const {
    write_file(file, content);
    return read_scene(file);
  }

  Built build(const std::string& content) const {
    return build_model(read(content), [](const fs::path&, const std::string&) { return test::named_energy(); });
  }

  // The good scene with one value replaced (pointer) or removed (value is discarded).
  static std::string with(const std::string& pointer, const std::string& value) {
    Json scene = parse_json(good, "good");
    scene[Json::json_pointer(pointer)] = Json::parse(value);
    return scene.dump();
  }
  static std::string without(const std::string& pointer) {
    Json scene = parse_json(good, "good");
    const Json::json_pointer at(pointer);
    scene[at.parent_pointer()].erase(at.back());
    return scene.dump();
  }

  // The message of the Error that building it ends with, "" when it ends well.
  std::string fault(const std::string& content) const {
    return fault_of([&] { build(content); });
  }

  fs::path file;
};

TEST_F(SceneFile, FillsInDefaults) {
  const Scene scene = read(good);
  EXPECT_EQ(scene.solver.tolerance, 1e-6);
  EXPECT_TRUE(scene.solver.factor_in_fp32);
  EXPECT_EQ(scene.solver.deflation, 0);
  EXPECT_EQ(scene.output.every, 1);
  EXPECT_TRUE(std::holds_alternative<All>(scene.bodies[0].materials[0].region));
  EXPECT_EQ(scene.bodies[0].materials[0].energies[0].file, folder / "toy.cpp");
  EXPECT_FALSE(scene.optimize.has_value());
  EXPECT_TRUE(scene.gradcheck.inputs.empty());
}

TEST_F(SceneFile, SaysHowManySlowModesAreDeflated) {
  EXPECT_EQ(read(with("/solver/deflation", "12")).solver.deflation, 12);
  EXPECT_THAT(fault(with("/solver/deflation", "-1")), HasSubstr("solver.deflation"));
  EXPECT_THAT(fault(with("/solver/deflation", "101")), HasSubstr("solver.deflation"));
  EXPECT_THAT(fault(with("/solver/deflation", "1.5")), HasSubstr("solver.deflation"));
}

TEST_F(SceneFile, SaysWhichStatesTheAdjointKeepsAndWhichHessianItInverts) {
  const Scene scene = read(good);
  EXPECT_EQ(scene.adjoint.states, "all");
  EXPECT_EQ(scene.adjoint.hessian, "exact");
  EXPECT_EQ(scene.adjoint.memory, 1e9);
  EXPECT_FALSE(scene.adjoint.estimate_errors);
  EXPECT_EQ(read(with("/adjoint/memory", "0.5")).adjoint.memory, 5e5);
  EXPECT_EQ(read(with("/adjoint/every", "7")).adjoint.every, 7);
  EXPECT_EQ(read(with("/adjoint/tolerance", "1e-6")).adjoint.tolerance, 1e-6);
  EXPECT_THAT(fault(with("/adjoint/states", "\"some\"")), HasSubstr("all or every or binomial"));
  EXPECT_THAT(fault(with("/adjoint/memory", "0")), HasSubstr("adjoint.memory"));
  EXPECT_THAT(fault(with("/adjoint/hessian", "\"psd\"")), HasSubstr("exact or clamp or absolute or blend"));
}

TEST_F(SceneFile, ResolvedCopyReadsTheSameFromElsewhere) {
  const Scene scene = read(good);
  fs::create_directories(folder / "elsewhere");
  write_file(folder / "elsewhere" / "copy.json", scene.resolved);
  const Scene copy = read_scene(folder / "elsewhere" / "copy.json");
  EXPECT_EQ(copy.resolved, scene.resolved);
  EXPECT_EQ(copy.bodies[0].materials[0].energies[0].file, scene.bodies[0].materials[0].energies[0].file);
}

TEST_F(SceneFile, BuildsAValidModel) {
  const auto built = build(good);
  EXPECT_EQ(mesh::elements(built.model.mesh, mesh::Shape::tetrahedron).count(), 12u);
  EXPECT_EQ(built.model.regions[0].parameters[0], std::vector<double>{2e5});
  EXPECT_EQ(built.model.regions[0].parameters[1], std::vector<double>{0.4});  // the energy's default
  EXPECT_EQ(built.model.dirichlet[0].nodes.size(), 4u);
  EXPECT_THAT(built.notes[0], HasSubstr("12 tets, 2 x 1 x 1 m, volume 2 m^3, mass 2000 kg"));
  EXPECT_TRUE(built.warnings.empty());
}

TEST_F(SceneFile, LumpsMassAsDiffPDWhereItSaysSo) {
  EXPECT_EQ(build(good).model.lumping, Lumping::shared);
  const auto built = build(with("/mass_lumping", "\"uniform\""));
  for (const double mass : lumped_mass(built.model)) EXPECT_NEAR(mass, 1000.0 / 6, 1e-10);
  EXPECT_THAT(built.notes, testing::Contains(HasSubstr("that of the mean element on every node")));
  auto scene = Json::parse(with("/mass_lumping", "\"uniform\""));
  scene["materials"][0]["density"] = {{"expression", "1000 + x"}};
  EXPECT_THAT(fault(scene.dump()), HasSubstr("a density for each element does not go with a mass that is the same"));
}

TEST_F(SceneFile, WarnsOfMillimetres) {
  const auto built = build(with("/mesh", R"({"box": {"cells": [2,1,1], "lower": [0,0,0], "upper": [200,50,50]}})"));
  ASSERT_EQ(built.warnings.size(), 1u);
  EXPECT_THAT(built.warnings[0], HasSubstr("200 m long"));
  EXPECT_THAT(built.warnings[0], HasSubstr("millimetres"));
}

TEST_F(SceneFile, WarnsOfBodiesFarFromTheOrigin) {
  auto scene = Json::parse(with("/mesh", R"({"box": {"cells": [2,1,1], "lower": [5e5,0,0], "upper": [500002,1,1]}})"));
  scene["dirichlet"] = Json::array();
  const auto built = build(scene.dump());
  ASSERT_EQ(built.warnings.size(), 1u);
  EXPECT_THAT(built.warnings[0], HasSubstr("2.5e+05 of its lengths away from the origin"));
}

TEST_F(SceneFile, WarnsOfForcesThatDoNothing) {
  const auto built = build(with("/forces", R"([
    {"select": {"box": {"lower": [0, 0, 0], "upper": [0, 1, 1]}}, "total": [1, 0, 0]},
    {"select": "all", "total": [1, 0, 0], "begin": 0.05},
    {"select": "all", "total": [1, 0, 0], "begin": 0.021, "end": 0.029},
    {"select": "all", "total": [1, 0, 0], "begin": 0.04},
    {"select": "all", "total": [1, 0, 0], "end": 0.01}])"));
  EXPECT_THAT(built.warnings, ElementsAre("forces[0] is on nodes that are held, so it moves nothing",
                                          HasSubstr("forces[1] acts from 0.05 to inf s, when no step ends"),
                                          HasSubstr("forces[2] acts from 0.021 to 0.029 s, when no step ends: they end "
                                                    "every 0.01 s until 0.05 s")));
}

TEST_F(SceneFile, ScalesAndSpinsAboutTheCentreOfMass) {
  auto scene = Json::parse(without("/dirichlet"));
  scene["mesh"]["scale"] = 0.5;
  scene["initial"] = {{"velocity", {1, 0, 0}}, {"angular_velocity", {0, 0, 2}}};
  const auto built = build(scene.dump());
  const auto& v = built.model.initial_velocities;
  // Node 0 is at (0,0,0), the centre at (0.5, 0.25, 0.25): v = (1,0,0) + (0,0,2) x (-0.5,-0.25,-0.25).
  EXPECT_NEAR(v[0], 1.5, 1e-14);
  EXPECT_NEAR(v[1], -1.0, 1e-14);
  EXPECT_NEAR(v[2], 0.0, 1e-14);
}

TEST_F(SceneFile, SpreadsATractionOverTheSurfaceBySharesOfArea) {
  const auto built = build(with("/forces", R"([{"select": "all", "traction": [0, 0, 3]}])"));
  double total = 0, area = 0;
  const auto forces = nodal_forces(built.model, built.model.time_step);
  for (std::size_t i = 2; i < forces.size(); i += 3) total += forces[i];
  const auto& x = built.model.mesh.nodes;
  const auto surface = mesh::boundary_triangles(built.model.mesh);
  for (std::size_t t = 0; t < surface.count(); ++t) {
    const auto a = surface.of(t)[0], b = surface.of(t)[1], c = surface.of(t)[2];
    const Vector3 u = {x[b][0] - x[a][0], x[b][1] - x[a][1], x[b][2] - x[a][2]};
    const Vector3 v = {x[c][0] - x[a][0], x[c][1] - x[a][1], x[c][2] - x[a][2]};
    area += std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  EXPECT_NEAR(total, 3 * area, 1e-12 * area);
}

TEST_F(SceneFile, MakesAPressureAPotentialWhereItHasOne) {
  auto built = build(with("/pressures", R"([{"select": "all", "keyframes": [{"time": 0, "value": 1},
                                                                              {"time": 1, "value": 5}]}])"));
  const auto& region = built.model.regions.back();
  EXPECT_TRUE(region.load);
  EXPECT_EQ(region.elements.count(), mesh::boundary_triangles(built.model.mesh).count());
  EXPECT_EQ(signal_value(region.signals[0], 0.5), 3);
  EXPECT_TRUE(built.model.surface_loads.empty());

  const auto box = mesh::bounding_box(built.model.mesh);  // the far side alone has a rim
  auto far = box.lower;
  far[0] = box.upper[0];
  const Json select = {{"box", {{"lower", far}, {"upper", box.upper}}}};
  built = build(with("/pressures", Json::array({{{"select", select}, {"value", 2}}}).dump()));
  EXPECT_FALSE(built.model.regions.back().load);
  ASSERT_EQ(built.model.surface_loads.size(), 1u);
  EXPECT_EQ(std::get<FollowerPressure>(built.model.surface_loads[0].kind).pressure.front().value, 2);
}

TEST_F(SceneFile, ReadsAFluid) {
  const auto built = build(with("/hydrodynamics", R"([{"density": 998, "flow": [1, 0, 0],
      "drag": [{"angle": -1, "value": 0.5}, {"angle": 1, "value": 2}], "thrust": [{"angle": 0, "value": 0}]}])"));
  const auto& fluid = std::get<Hydrodynamics>(built.model.surface_loads.at(0).kind);
  EXPECT_EQ(fluid.density, 998);
  EXPECT_EQ(fluid.flow, (Vector3{1, 0, 0}));
  EXPECT_EQ(coefficient_at(fluid.drag, 0), 1.25);
  EXPECT_EQ(coefficient_at(fluid.drag, 3), 2);
}

TEST_F(SceneFile, SharesATotalForceAndKeepsAForcePerNode) {
  const auto built = build(with("/forces", R"([
    {"select": {"box": {"lower": [2, 0, 0], "upper": [2, 1, 1]}}, "total": [0, 0, -8]},
    {"select": {"nodes": [5, 2, 5]}, "force": [1, 0, 0], "begin": 0.01, "end": 0.02,
     "factor": [{"time": 0, "value": 0}, {"time": 0.02, "value": 3}]}])"));
  EXPECT_EQ(built.model.forces[0].force, (Vector3{0, 0, -8}));
  EXPECT_EQ(built.model.forces[0].share, std::vector<double>(4, 0.25));
  EXPECT_THAT(built.model.forces[1].nodes, ElementsAre(2, 5));
  EXPECT_EQ(built.model.forces[1].force, (Vector3{1, 0, 0}));
  EXPECT_EQ(factor_at(built.model.forces[0], 0.01), 1);
  EXPECT_EQ(factor_at(built.model.forces[1], 0.01), 1.5);
}

TEST_F(SceneFile, GivesAllTheRestToTheMaterialThatSaysAll) {
  const auto built = build(with("/materials", R"([
    {"name": "rest", "energy": "toy.cpp", "density": 1},
    {"name": "end", "energy": "toy.cpp", "density": 2, "region": {"box": {"lower": [1, 0, 0], "upper": [2, 1, 1]}}}])"));
  EXPECT_EQ(built.model.regions[0].elements.count(), 6u);
  EXPECT_EQ(built.model.regions[1].elements.count(), 6u);
}

TEST_F(SceneFile, ReadsOneValueATetrahedron) {
  write_file(folder / "E.txt", "1 2 3 4 5 6\n7 8 9 10 11 12.5\n");
  const auto built = build(with("/materials/0/parameters", R"({"E": {"file": "E.txt"}})"));
  EXPECT_EQ(built.model.regions[0].parameters[0].size(), 12u);
  EXPECT_EQ(built.model.regions[0].parameters[0][11], 12.5);
  write_file(folder / "E.txt", "1 2\n3 x4");
  EXPECT_THAT(fault(with("/materials/0/parameters", R"({"E": {"file": "E.txt"}})")), HasSubstr("E.txt:2: found 'x4'"));
  write_file(folder / "E.txt", "1 2 3");
  EXPECT_THAT(fault(with("/materials/0/parameters", R"({"E": {"file": "E.txt"}})")),
              HasSubstr("3 numbers, the region"));
}

TEST_F(SceneFile, SelectsNodesOfARecordingAlone) {
  const Scene markers = read(with("/loss", R"([{"trajectory": "recorded", "select": {"nodes": [1, 4]}}])"));
  EXPECT_TRUE(std::get<TrajectoryTerm>(markers.loss[0].what).select);
  EXPECT_THAT(fault(with("/loss", R"([{"centre_of_mass": [0, 0, 1], "select": "all"}])")),
              HasSubstr("loss[0].select: is for a trajectory alone"));
}

TEST_F(SceneFile, ReadsMarkers) {
  const auto term = [&](const std::string& more) {
    return read(with("/loss", R"([{"markers": "seen.csv")" + more + "}]"));
  };
  const Scene all = term(R"(, "attach": "places.csv", "attach_within": 0.01, "noise": 0.02, "seed": 3, "weight": 4)");
  const auto& seen = std::get<MarkersTerm>(all.loss[0].what);
  EXPECT_EQ(seen.table, folder / "seen.csv");
  EXPECT_EQ(seen.attach, folder / "places.csv");
  EXPECT_EQ(seen.attach_within, 0.01);
  EXPECT_EQ(seen.noise, 0.02);
  EXPECT_EQ(seen.seed, 3u);
  EXPECT_EQ(all.loss[0].weight, 4);
  EXPECT_FALSE(std::get<MarkersTerm>(term("").loss[0].what).attach);
  const auto refused = [&](const std::string& more) { return fault(with("/loss", R"([{)" + more + "}]")); };
  EXPECT_THAT(refused(R"("markers": "seen.csv", "frames": "last")"),
              HasSubstr("loss[0].frames: is not for markers, which have times of their own"));
  EXPECT_THAT(refused(R"("markers": "seen.csv", "select": "all")"),
              HasSubstr("loss[0].select: is for a trajectory alone"));
  EXPECT_THAT(refused(R"("trajectory": "recorded", "attach": "places.csv")"),
              HasSubstr("loss[0].attach: is for markers alone"));
  EXPECT_THAT(refused(R"("trajectory": "recorded", "attach_within": 1)"),
              HasSubstr("loss[0].attach_within: is for markers alone"));
}

TEST_F(SceneFile, ReadsLossesAndVariables) {
  auto scene = Json::parse(with("/loss", R"([
    {"trajectory": "recorded", "frames": [5, 3], "noise": 0.01, "seed": 4}, {"centre_of_mass": [0, 0, 1], "frames": "last", "weight": 2},
    {"nodes": {"select": "all", "displacement": [0, 0, 1]}}])"));
  scene["optimize"] =
      Json::parse(R"({"variables": [{"parameter": "E", "sharing": "per_material", "start": 5e5, "truth": 1e5,
                                      "lower": 1e3, "upper": 1e7, "scale": "log"}],
                      "method": "adam", "learning_rate": 0.1, "starts": 3, "seed": 9, "patience": 4})");
  const Scene read_back = read(scene.dump());
  EXPECT_THAT(read_back.loss[0].frames.value(), ElementsAre(3, 5));
  const auto& recorded = std::get<TrajectoryTerm>(read_back.loss[0].what);
  EXPECT_EQ(recorded.recording, folder / "recorded");
  EXPECT_EQ(recorded.noise, 0.01);
  EXPECT_EQ(recorded.seed, 4u);
  EXPECT_FALSE(recorded.select);
  EXPECT_THAT(read_back.loss[1].frames.value(), ElementsAre(5));
  EXPECT_FALSE(read_back.loss[2].frames);  // all
  const auto& variable = read_back.optimize->variables[0];
  EXPECT_EQ(variable.sharing, Sharing::per_material);
  EXPECT_EQ(variable.truth, 1e5);
  EXPECT_TRUE(variable.logarithmic);
  EXPECT_EQ(read_back.optimize->method, "adam");
  EXPECT_EQ(read_back.optimize->learning_rate, 0.1);
  EXPECT_EQ(read_back.optimize->learning_decay, 1);
  EXPECT_EQ(read_back.optimize->starts, 3);
  EXPECT_EQ(read_back.optimize->seed, 9u);
  EXPECT_EQ(read_back.optimize->patience, 4);
  scene["loss"][1]["noise"] = 0.1;
  EXPECT_THAT([&] { read(scene.dump()); },
              ThrowsMessage<Error>(HasSubstr("loss[1].noise: is for a trajectory or markers alone")));
}

struct Fault {
  const char* name;
  const char* pointer;  // RFC 6901, into the good scene
  const char* value;    // nullptr: the key is removed
  std::vector<std::string> message;
};

class BadScene : public SceneFile, public testing::WithParamInterface<Fault> {};

TEST_P(BadScene, IsRefusedWithAClearMessage) {
  const auto& [name, pointer, value, message] = GetParam();
  const auto found = fault(value ? with(pointer, value) : without(pointer));
  EXPECT_THAT(found, HasSubstr("scene.json"));
  for (const auto& part : message) EXPECT_THAT(found, HasSubstr(part));
}

const Fault faults[] = {
    {"UnknownTopKey", "/solvr", "{}", {"unknown key 'solvr'", "did you mean 'solver'"}},
    {"UnknownNestedKey", "/materials/0/densty", "1", {"'materials[0].densty'", "did you mean 'density'"}},
    {"UnknownKeyNotNear", "/time/quux", "1", {"'time.quux'", "known here: step, steps"}},
    {"MissingSection", "/time", nullptr, {"'time' is missing"}},
    {"MissingKey", "/time/step", nullptr, {"'time.step' is missing", "number > 0"}},
    {"MissingInList", "/materials/0/energy", nullptr, {"materials[0]", "exactly one of 'energy', 'energies'"}},
    {"SolidWithoutDensity", "/materials/0/density", nullptr, {"'materials[0].density' is missing", "kg/m^3"}},
    {"WrongType", "/time/step", "\"fast\"", {"time.step", "found \"fast\"", "number > 0 in s"}},
    {"FractionalCount", "/time/steps", "2.5", {"time.steps", "found 2.5", "integer >= 1"}},
    {"HugeCount", "/time/steps", "3000000000", {"time.steps", "found 3000000000"}},
    {"TimeStepZero", "/time/step", "0", {"time.step", "found 0", "number > 0"}},
    {"TimeStepNegative", "/time/step", "-0.1", {"time.step", "found -0.1"}},
    {"DensityZero", "/materials/0/density", "0", {"materials[0].density", "found 0"}},
    {"ShortVector", "/gravity", "[0, 1]", {"gravity", "found [0,1]", "[x, y, z]"}},
    {"UnknownLumping", "/mass_lumping", "\"DiffPD\"", {"mass_lumping: found \"DiffPD\"", "shared or uniform"}},
    {"UnknownChoice", "/solver", R"({"factor": "fp16"})", {"solver.factor", "fp32 or fp64"}},
    {"ObjectWanted", "/solver", "3", {"solver: found 3", "object"}},
    {"TwoMeshes", "/mesh/file", "\"a.msh\"", {"mesh: exactly one of", "'file' and 'box'"}},
    {"NoMesh", "/mesh", "{}", {"mesh: exactly one of 'file', 'box', 'ball'", "found none"}},
    {"MissingMeshFile", "/mesh", R"({"file": "absent.msh"})", {"mesh.file", "absent.msh: no such file"}},
    {"MissingEnergy", "/materials/0/energy", "\"absent.cpp\"", {"materials[0].energy", "absent.cpp: no such file"}},
    {"FlatBox", "/mesh/box/upper", "[2, 0, 1]", {"mesh.box", "no extent along y"}},
    {"SwappedBox",
     "/dirichlet/0/select/box/lower",
     "[3, 0, 0]",
     {"dirichlet[0].select.box", "lower is 3 and upper is 0"}},
    {"NoMaterial", "/materials", "[]", {"materials: is empty"}},
    {"UnknownParameter",
     "/materials/0/parameters",
     R"({"Nu": 0.3})",
     {"materials[0].parameters", "no parameter 'Nu'", "did you mean 'nu'"}},
    {"PoissonAtHalf", "/materials/0/parameters/nu", "0.5", {"'nu' is 0.5", "-1 < nu < 0.5"}},
    {"ModulusZero", "/materials/0/parameters/E", "0", {"'E' is 0", "0 < E"}},
    {"ModulusNegative", "/materials/0/parameters/E", "-1", {"'E' is -1", "0 < E"}},
    {"EmptyRegion",
     "/materials/0/region",
     R"({"sphere": {"centre": [9, 9, 9], "radius": 1}})",
     {"materials[0].region", "no tetrahedron's centroid is inside the sphere", "from [0, 0, 0] to [2, 1, 1]"}},
    {"RegionLeavesTets",
     "/materials/0/region",
     R"({"box": {"lower": [0, 0, 0], "upper": [1, 1, 1]}})",
     {"materials: 6 of 12 tetrahedra have none", "\"region\": \"all\""}},
    {"UnknownTag", "/materials/0/region", "7", {"materials[0].region", "no tetrahedron has tag 7"}},
    {"UnknownGroup", "/materials/0/region", "\"liver\"", {"no group 'liver'"}},
    {"Overlap",
     "/materials/1",
     R"({"name": "b", "energy": "toy.cpp", "density": 1, "region": "all"})",
     {"materials[1].region", "all the rest"}},
    {"SameName",
     "/materials/1",
     R"({"name": "soft", "energy": "toy.cpp", "density": 1})",
     {"materials[1]", "named 'soft'"}},
    {"EmptySelection",
     "/dirichlet/0/select",
     R"({"box": {"lower": [5, 5, 5], "upper": [6, 6, 6]}})",
     {"dirichlet[0].select", "no node is inside the box [5, 5, 5] to [6, 6, 6]", "the mesh extends"}},
    {"AbsentNode", "/dirichlet/0/select", R"({"nodes": [99]})", {"node 99 does not exist", "0 to 11"}},
    {"NegativeNode", "/dirichlet/0/select", R"({"nodes": [-1]})", {"dirichlet[0].select.nodes", "found [-1]"}},
    {"EmptyNodeList", "/dirichlet/0/select", R"({"nodes": []})", {"list of nodes is empty"}},
    {"TwoSelections", "/dirichlet/0/select/nodes", "[1]", {"exactly one of", "'box' and 'nodes'"}},
    {"AllHeld", "/dirichlet/0/select", "\"all\"", {"all 12 nodes are held"}},
    {"HeldTwice", "/dirichlet/1", R"({"select": {"nodes": [0]}})", {"dirichlet 1", "held twice"}},
    {"TimesDoNotIncrease",
     "/dirichlet/0/motion",
     R"([{"time": 1}, {"time": 1}])",
     {"dirichlet[0].motion", "must increase"}},
    {"ForceTwice",
     "/forces",
     R"([{"select": "all", "force": [0,0,1], "total": [0,0,1]}])",
     {"forces[0]", "'force' and 'total'"}},
    {"ForceEndsEarly",
     "/forces",
     R"([{"select": "all", "force": [0,0,1], "begin": 2, "end": 1}])",
     {"forces[0]", "before it begins"}},
    {"FrameTooLate",
     "/loss",
     R"([{"centre_of_mass": [0,0,0], "frames": [6]}])",
     {"loss[0].frames", "step 6 is after the last, 5"}},
    {"OptimizeWithoutLoss",
     "/optimize",
     R"({"variables": [{"parameter": "E", "lower": 1, "upper": 2}]})",
     {"loss: is missing"}},
    {"UnknownInput", "/gradcheck", R"({"inputs": ["colour"]})", {"gradcheck.inputs", "positions or velocities"}},
};

INSTANTIATE_TEST_SUITE_P(Faults, BadScene, testing::ValuesIn(faults),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST_F(SceneFile, RefusesOverlappingRegions) {
  const auto found = fault(with("/materials", R"([
    {"name": "a", "energy": "toy.cpp", "density": 1, "region": {"box": {"lower": [0, 0, 0], "upper": [2, 1, 1]}}},
    {"name": "b", "energy": "toy.cpp", "density": 1, "region": {"sphere": {"centre": [2, 0, 0], "radius": 1}}}])"));
  EXPECT_THAT(found, HasSubstr("materials[1].region"));
  EXPECT_THAT(found, HasSubstr("in material 'a' already"));
}

TEST_F(SceneFile, RefusesBadVariables) {
  const auto optimize = [](const std::string& variable) {
    auto scene = Json::parse(with("/loss", R"([{"centre_of_mass": [0, 0, 0]}])"));
    scene["optimize"]["variables"] = Json::parse("[" + variable + "]");
    return scene.dump();
  };
  EXPECT_EQ(fault(optimize(R"({"parameter": "E", "lower": 1, "upper": 2})")), "");
  EXPECT_THAT(fault(optimize(R"({"parameter": "E", "lower": 2, "upper": 1})")), HasSubstr("lower must be below upper"));
  EXPECT_THAT(fault(optimize(R"({"parameter": "E", "lower": 1, "upper": 2, "start": 3})")),
              HasSubstr("start is 3, outside"));
  EXPECT_THAT(fault(optimize(R"({"parameter": "E", "lower": 0, "upper": 2, "scale": "log"})")),
              HasSubstr("must be above 0"));
  EXPECT_THAT(fault(optimize(R"({"parameter": "E", "lower": 1, "upper": 2, "materials": ["sofd"]})")),
              HasSubstr("did you mean 'soft'"));
}

TEST_F(SceneFile, SaysWhereTheSyntaxIsWrong) {
  EXPECT_THAT(fault("{\n  \"mesh\": {},\n  \"time\" 3\n}"), HasSubstr("scene.json:3:10: unexpected number literal"));
  EXPECT_THAT(fault("{"), HasSubstr("scene.json:1:2: unexpected end of input"));
  EXPECT_THAT(fault(""), HasSubstr("scene.json:1:1: unexpected end of input"));
  EXPECT_THAT(fault("[1]"), HasSubstr("a scene is a JSON object"));
  EXPECT_THAT(fault("{\"a\": 1e999}"), HasSubstr("1e999"));
}

TEST_F(SceneFile, RefusesAKeyGivenTwice) {
  EXPECT_THAT(fault(R"({"time": {"step": 1}, "materials": [{}, {"name": "a", "name": "b"}]})"),
              HasSubstr("key 'materials[1].name' is given twice"));
  EXPECT_THAT(fault(R"({"time": {"step": 1}, "time": {}})"), HasSubstr("key 'time' is given twice"));
  EXPECT_THAT(fault(R"({"gravity": [0, 0, -1e999]})"), HasSubstr("gravity[2]: number overflow parsing '-1e999'"));
  EXPECT_EQ(fault(good), "");  // "lower" stands in several objects
}

// What takes a stack, a memory or a day elsewhere is refused before it is begun.
TEST_F(SceneFile, RefusesWhatIsBuiltToExhaust) {
  const std::string lists = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_THAT(fault(R"({"mesh": )" + lists + "}"), HasSubstr("are nested more than 32 deep"));
  std::string parameters = R"("p0": 0)";
  for (int k = 1; k < 1001; ++k) parameters += fmt::format(R"(, "p{}": 0)", k);
  EXPECT_THAT(fault(with("/materials/0/parameters", "{" + parameters + "}")),
              HasSubstr("key 'materials[0].parameters.p1000' is one of more than 1000 in an object"));
  EXPECT_THAT(fault(with("/mesh/box/cells", "[1, 1, 2147483647]")), HasSubstr("elements; at most 2e+07 are generated"));
  EXPECT_THAT(fault(with("/materials/0/density", R"({"file": "/dev/zero"})")),
              HasSubstr("/dev/zero: is a device or a pipe"));
}

TEST_F(SceneFile, AStepIsNotStoredForEachThatIsAskedFor) {
  auto scene = Json::parse(with("/time/steps", "2147483647"));
  scene["loss"] = Json::parse(R"([{"centre_of_mass": [0, 0, 0]}, {"centre_of_mass": [0, 0, 0], "frames": [3, 1]}])");
  const auto loss = read(scene.dump()).loss;
  EXPECT_FALSE(loss[0].frames);
  EXPECT_THAT(loss[1].frames.value(), ElementsAre(1, 3));
}

TEST_F(SceneFile, NamesTheMissingFile) {
  EXPECT_THROW(
      {
        try {
          read_scene(folder / "absent.json");
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("absent.json: no such file"));
          throw;
        }
      },
      Error);
}

TEST_F(SceneFile, SelectsTheFaceThatABoxEndsOnWhateverItsRounding) {
  auto scene = Json::parse(with("/dirichlet/0/select", R"({"box": {"lower": [0, 0, 0.0003333333333333],
                                                                  "upper": [0.001, 0.001, 0.0003333333333334]}})"));
  scene["mesh"] =
      Json::parse(R"({"box": {"cells": [3, 3, 3], "lower": [0, 0, 0], "upper": [1, 1, 1]}, "scale": 0.001})");
  EXPECT_EQ(build(scene.dump()).model.dirichlet[0].nodes.size(), 16u);
}

TEST(Select, FollowsNodesThroughRepairsAndFindsGroups) {
  Model model;
  model.mesh = test::two_cubes().mesh;
  Body body;
  body.nodes = 12;
  body.node_map = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // the file's first node is used by no element
  body.groups = {{"liver", {3, 2}}};
  body.group_nodes = {{{2, 2}, {0}}, {{3, 2}, {4, 5, 6, 7, 8, 9, 10, 11}}, {{2, 5}, {3}}};
  model.bodies = {body};
  EXPECT_THAT(select_nodes({std::vector<std::int32_t>{1, 12}}, model, "x"), ElementsAre(0, 11));
  EXPECT_THAT([&] { select_nodes({std::vector<std::int32_t>{0}}, model, "x"); },
              testing::ThrowsMessage<Error>(HasSubstr("node 0 belongs to no element")));
  EXPECT_EQ(select_nodes({Group{"liver"}}, model, "x").size(), 8u);
  EXPECT_EQ(select_nodes({Group{2}}, model, "x").size(), 8u);  // of the highest dimension
  EXPECT_THAT(select_nodes({Group{5}}, model, "x"), ElementsAre(3));
  EXPECT_THAT([&] { select_nodes({Group{"livr"}}, model, "x"); },
              testing::ThrowsMessage<Error>(HasSubstr("did you mean 'liver'")));
  EXPECT_THAT([&] { select_nodes({Group{7}}, model, "x"); },
              testing::ThrowsMessage<Error>(HasSubstr("no element has tag 7; the tags of this mesh are 2, 5")));
}

TEST(Schema, EveryKeyIsDocumentedAndHasAParent) {
  std::set<std::string_view> seen;
  for (const auto& key : scene_keys()) {
    EXPECT_TRUE(seen.insert(key.path).second) << key.path;
    EXPECT_FALSE(key.help.empty()) << key.path;
    EXPECT_TRUE(key.help.ends_with('.') || key.help.ends_with(')')) << key.path;
    EXPECT_EQ(key.presence == Presence::defaulted, !key.fallback.empty()) << key.path;
    EXPECT_THAT(schema_text(), HasSubstr(std::string(key.help)));
    EXPECT_THAT(schema_markdown(), HasSubstr(std::string(key.help)));
  }
}

TEST(Schema, ReferenceInTheDocsIsTheTable) {
  const auto page = read_file(fs::path(PROXIMA_SOURCE_DIR) / "docs" / "scene.md");
  EXPECT_THAT(page, HasSubstr(schema_markdown())) << "update it with: proxima schema --markdown";
}

TEST(Schema, ExampleInTheDocsIsAValidScene) {
  const auto page = read_file(fs::path(PROXIMA_SOURCE_DIR) / "docs" / "scene.md");
  const auto begin = page.find("```jsonc\n") + 9;
  auto scene = parse_json(page.substr(begin, page.find("```", begin) - begin), "docs/scene.md");
  EXPECT_NO_THROW(check_scene(scene, "docs/scene.md"));
}

}  // namespace
}  // namespace proxima::model
