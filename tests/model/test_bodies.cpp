// Several bodies in a scene, of elements of all shapes: what is merged, what is placed, and what messages call things.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/build.hpp"
#include "runtime/model/select.hpp"
#include "runtime/model/trajectory.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using mesh::Shape;
using testing::ElementsAre;
using testing::HasSubstr;

// What the energies of the files below are functions of.
struct Toy {
  const char* file;
  ir::Measure measure;
  std::uint32_t stencil;
};
constexpr Toy toys[] = {
    {"solid.cpp", ir::Measure::deformation_gradient, 0}, {"membrane.cpp", ir::Measure::surface_deformation_gradient, 0},
    {"thread.cpp", ir::Measure::edge_vector, 0},         {"bending.cpp", ir::Measure::node_positions, 4},
    {"pair.cpp", ir::Measure::node_positions, 2},
};

std::shared_ptr<const ir::Energy> load(const fs::path& file, const std::string&) {
  auto energy = std::make_shared<ir::Energy>(*test::named_energy());
  for (const auto& toy : toys) {
    if (file.filename() != toy.file) continue;
    energy->name = file.stem().string();
    energy->measure = toy.measure;
    energy->stencil = toy.stencil;
  }
  energy->inputs = {{ir::InputKind::direction, "fibre", 3, {1, 0, 0}, {}, {}}};
  return energy;
}

class SceneBodies : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    for (const auto& toy : toys) write_file(folder / toy.file, "");
  }

  // Checks, too, that the resolved copy says the same.
  Built build(Json scene) const {
    scene["time"] = {{"step", 0.01}, {"steps", 5}};
    write_file(folder / "scene.json", scene.dump());
    const auto read = read_scene(folder / "scene.json");
    auto built = build_model(read, load);
    write_file(folder / "copy.json", read.resolved);
    EXPECT_EQ(fingerprint(build_model(read_scene(folder / "copy.json"), load).model), fingerprint(built.model));
    return built;
  }

  std::string fault(const Json& scene) const {
    return fault_of([&] { build(scene); });
  }

  // A body of unit cubes along x, "left" or "right" by name.
  static Json box(const std::string& name, int cells, const std::string& elements = "tetrahedra") {
    return {
        {"name", name},
        {"mesh",
         {{"box", {{"cells", {cells, 1, 1}}, {"lower", {0, 0, 0}}, {"upper", {cells, 1, 1}}, {"elements", elements}}}}},
        {"materials", Json::array({{{"name", name + " flesh"}, {"energy", "solid.cpp"}, {"density", 1000}}})}};
  }
  static Json two() {
    auto right = box("right", 1);
    right["place"] = {{"translate", {5, 0, 0}}};
    return {{"bodies", Json::array({box("left", 2), right})}};
  }

  // A sheet of 2 x 1 cells in one material, with more materials if wanted.
  static Json sheet(const Json& more = Json::array()) {
    Json scene = {{"mesh", {{"grid", {{"cells", {2, 1}}, {"along", {2, 0, 0}}, {"across", {0, 1, 0}}}}}},
                  {"materials", Json::array({{{"name", "weave"}, {"energy", "membrane.cpp"}, {"density", 0.5}}})}};
    for (const auto& material : more) scene["materials"].push_back(material);
    return scene;
  }
};

TEST_F(SceneBodies, AreOneMeshWithTheirNodesOneAfterTheOther) {
  const auto built = build(two());
  const auto& model = built.model;
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[1].first_node, 12);
  EXPECT_EQ(model.bodies[1].nodes, 8);
  EXPECT_EQ(model.mesh.nodes[12], (Vector3{5, 0, 0}));
  EXPECT_EQ(mesh::elements(model.mesh, Shape::tetrahedron).count(), 18u);
  ASSERT_EQ(model.regions.size(), 2u);
  EXPECT_THAT(model.regions[1].numbers, ElementsAre(12, 13, 14, 15, 16, 17));
  EXPECT_EQ(element_name(model.regions[1], 2), "tet 2 of body 'right'");
  EXPECT_EQ(node_name(model.bodies, 13), "node 1 of body 'right'");
  EXPECT_THAT(built.notes[0], HasSubstr("body 'left': 12 nodes, 12 tets, 2 x 1 x 1 m, volume 2 m^3, mass 2000 kg"));
  EXPECT_TRUE(built.warnings.empty()) << built.warnings[0];  // two bodies are no body in two pieces
}

TEST_F(SceneBodies, AreInPiecesOnlyWhereNothingJoinsThem) {
  auto scene = sheet();
  auto& material = scene["materials"][0];
  material = {{"name", "rods"}, {"energy", "thread.cpp"}, {"elements", "edges"}, {"density", 0.01}};
  EXPECT_THAT(build(scene).warnings, testing::IsEmpty());  // the edges of triangles that have no material themselves
  material["region"] = {{"expression", "y < 0.1 || y > 0.9"}};
  EXPECT_THAT(build(scene).warnings, ElementsAre(HasSubstr("the mesh is in 2 pieces")));
  scene["materials"].push_back({{"name", "pairs"}, {"energy", "pair.cpp"}, {"stencils", {{1, 4}}}});
  EXPECT_THAT(build(scene).warnings, testing::IsEmpty());
}

TEST_F(SceneBodies, AreScaledThenRotatedThenMoved) {
  auto scene = two();
  scene["bodies"][0]["place"] = {{"scale", 2}, {"rotate", {0, 0, M_PI / 2}}, {"translate", {10, 0, 1}}};
  const auto model = build(scene).model;
  const auto& corner = model.mesh.nodes[2];  // at (2, 0, 0)
  EXPECT_NEAR(corner[0], 10, 1e-14);
  EXPECT_NEAR(corner[1], 4, 1e-14);
  EXPECT_NEAR(corner[2], 1, 1e-14);
  const auto& fibre = model.regions[0].directions[0][0];
  EXPECT_NEAR(fibre[0], 0, 1e-15);
  EXPECT_NEAR(fibre[1], 1, 1e-15);
  EXPECT_NEAR(lumped_mass(model)[0], 8 * lumped_mass(build(two()).model)[0], 1e-10);
}

TEST_F(SceneBodies, HaveRegionsInTheirOwnCoordinates) {
  auto scene = two();
  auto& materials = scene["bodies"][0]["materials"];
  materials.push_back(materials[0]);
  materials[1]["name"] = "end";
  materials[1]["region"] = {{"box", {{"lower", {1, 0, 0}}, {"upper", {2, 1, 1}}}}};
  const auto before = build(scene).model;
  scene["bodies"][0]["place"] = {{"rotate", {0.3, 0.2, 1}}, {"translate", {0, 3, 0}}};
  const auto after = build(scene).model;
  EXPECT_EQ(before.regions[1].numbers.size(), 6u);
  EXPECT_EQ(before.regions[1].numbers, after.regions[1].numbers);
}

TEST_F(SceneBodies, MoveAsOneAndEachByItself) {
  auto scene = two();
  scene["initial"] = {{"velocity", {1, 0, 0}}};
  scene["bodies"][1]["initial"] = {{"velocity", {0, 1, 0}}, {"angular_velocity", {0, 0, 2}}};
  const auto model = build(scene).model;
  const auto v = [&](std::size_t node) {
    const double* at = &model.initial_velocities[3 * node];
    return Vector3{at[0], at[1], at[2]};
  };
  EXPECT_EQ(v(0), (Vector3{1, 0, 0}));
  // Node 12 is at (-0.5, -0.5, -0.5) from the centre of mass of its own body.
  EXPECT_NEAR(v(12)[0], 1 + 1, 1e-13);
  EXPECT_NEAR(v(12)[1], 1 - 1, 1e-13);
}

TEST_F(SceneBodies, AreSelectedByName) {
  auto scene = two();
  scene["dirichlet"] = Json::parse(R"([{"select": {"body": "right", "nodes": [7]}},
      {"select": {"body": "left", "box": {"lower": [0, 0, 0], "upper": [9, 0, 0]}}}])");
  scene["forces"] =
      Json::parse(R"([{"select": {"body": "right"}, "force": [1, 0, 0]}, {"select": "all", "force": [1, 0, 0]},
      {"select": {"box": {"lower": [0, 0, 0], "upper": [9, 0, 0]}}, "force": [1, 0, 0]}])");
  const auto model = build(scene).model;
  EXPECT_THAT(model.dirichlet[0].nodes, ElementsAre(19));
  EXPECT_THAT(model.dirichlet[1].nodes, ElementsAre(0, 1, 2));
  EXPECT_EQ(model.forces[0].nodes.size(), 8u);
  EXPECT_EQ(model.forces[1].nodes.size(), 20u);
  EXPECT_THAT(model.forces[2].nodes, ElementsAre(0, 1, 2, 12, 13));
}

TEST_F(SceneBodies, MayBeOfDifferentSolids) {
  auto scene = two();
  scene["bodies"][1] = box("right", 1, "hexahedra");
  scene["bodies"][1]["place"] = {{"translate", {5, 0, 0}}};
  const auto built = build(scene);
  ASSERT_EQ(built.model.mesh.blocks.size(), 2u);
  EXPECT_EQ(built.model.regions[1].elements.shape, Shape::hexahedron);
  EXPECT_EQ(element_name(built.model.regions[1], 0), "hex 0 of body 'right'");
  double total = 0;
  for (const double mass : lumped_mass(built.model)) total += mass;
  EXPECT_NEAR(total, 3000, 1e-9);
}

TEST_F(SceneBodies, OfTrianglesHaveEdgesAndHinges) {
  const auto built = build(sheet(Json::parse(R"([
      {"name": "folds", "energy": "bending.cpp", "elements": "hinges"},
      {"name": "threads", "energy": "thread.cpp", "elements": "edges", "density": 0.1},
      {"name": "hem", "energy": "thread.cpp", "elements": "edges",
       "region": {"box": {"lower": [0, 0, 0], "upper": [2, 0, 0]}}}])")));
  const auto& regions = built.model.regions;
  ASSERT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions[0].elements.count(), 4u);
  EXPECT_EQ(regions[1].elements, mesh::hinges_of(regions[0].elements));
  EXPECT_EQ(regions[2].elements.count() + regions[3].elements.count(), mesh::edges_of(regions[0].elements).count());
  EXPECT_EQ(regions[3].elements.count(), 2u);
  EXPECT_TRUE(regions[1].numbers.empty());
  EXPECT_EQ(element_name(regions[1], 2), "hinge 2 of region 'folds'");
  EXPECT_THAT(built.notes[0], HasSubstr("mesh: 6 nodes, 4 triangles, 2 x 1 x 0 m, area 2 m^2,"));
  EXPECT_THAT(built.notes[1], HasSubstr("4 triangles, energy membrane, density 0.5 kg/m^2"));
}

TEST_F(SceneBodies, MayListStencils) {
  const auto model =
      build(sheet(Json::parse(R"([{"name": "ties", "energy": "pair.cpp", "stencils": [[0, 5], [2, 3]]}])"))).model;
  EXPECT_EQ(model.regions[1].elements, (mesh::Elements{Shape::stencil, 2, {0, 5, 2, 3}}));
}

TEST_F(SceneBodies, HaveOnlyWhatHasAMaterial) {
  write_file(folder / "some.txt", "1 3");
  auto scene = sheet();
  scene["materials"][0]["region"] = {{"file", "some.txt"}};
  const auto built = build(scene);
  EXPECT_EQ(mesh::elements(built.model.mesh, Shape::triangle).count(), 2u);
  EXPECT_THAT(built.model.regions[0].numbers, ElementsAre(0, 1));
  EXPECT_EQ(element_name(built.model.regions[0], 1), "triangle 3");
}

// Triangles of a solid's surface name its nodes; they are not in the model, a node that only they have neither.
TEST_F(SceneBodies, LeaveOutTrianglesThatOnlyNameNodes) {
  auto mesh = mesh::make_box({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  mesh.nodes.push_back({2, 0, 0});
  auto& [triangles, tags] = mesh::make_block(mesh, Shape::triangle);
  triangles.nodes = {0, 2, 1, 1, 3, 8};
  tags = {7, 8};
  mesh::write_msh(folder / "cube.msh", mesh);
  Json scene = {{"mesh", {{"file", "cube.msh"}}},
                {"materials", Json::array({{{"name", "flesh"}, {"energy", "solid.cpp"}, {"density", 1000}}})},
                {"dirichlet", Json::parse(R"([{"select": {"group": 7}}, {"select": {"nodes": [6]}}])")}};
  const auto built = build(scene);
  ASSERT_EQ(built.model.mesh.blocks.size(), 1u);
  EXPECT_EQ(built.model.mesh.nodes.size(), 8u);
  EXPECT_THAT(built.model.dirichlet[0].nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(built.notes[0], HasSubstr("1 nodes of no element with a material were left out"));
  scene["dirichlet"][1]["select"] = {{"nodes", {8}}};
  EXPECT_THAT(fault(scene), HasSubstr("dirichlet[1].select: node 8 belongs to no element with a material"));
}

TEST_F(SceneBodies, OfTrianglesNeedNeighboursForHinges) {
  auto mesh = mesh::make_triangle_grid({1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  std::swap(mesh.blocks[0].elements.nodes[0], mesh.blocks[0].elements.nodes[1]);
  mesh::write_msh(folder / "twisted.msh", mesh);
  auto scene = sheet(Json::parse(R"([{"name": "folds", "energy": "bending.cpp", "elements": "hinges"}])"));
  scene["mesh"] = {{"file", "twisted.msh"}};
  EXPECT_THAT(fault(scene), HasSubstr("scene.json: mesh: triangles 0 and 1 have opposite windings"));
}

double total_mass(const Model& model) {
  const auto mass = lumped_mass(model);
  return std::accumulate(mass.begin(), mass.end(), 0.0);
}

TEST_F(SceneBodies, MayHaveExpressionsInTheirOwnCoordinates) {
  auto scene = two();
  scene["bodies"][0]["place"] = {{"translate", {-7, 0, 0}}, {"scale", 0.5}};
  auto& material = scene["bodies"][0]["materials"][0];
  material["density"] = {{"expression", "x < 1 ? 1000 : 3000"}};
  material["parameters"]["E"] = {{"expression", "1e5 * (1 + 9*(x > 1)) + y - y"}};
  const auto built = build(scene);
  const auto& region = built.model.regions[0];
  ASSERT_EQ(region.parameters[0].size(), 12u);
  EXPECT_EQ(std::count(region.parameters[0].begin(), region.parameters[0].end(), 1e5), 6);
  EXPECT_EQ(std::count(region.parameters[0].begin(), region.parameters[0].end(), 1e6), 6);
  EXPECT_NEAR(region.density, 2000, 1e-9);
  EXPECT_THAT(built.notes[2], HasSubstr("density 1000 to 3000 kg/m^3"));
  EXPECT_NEAR(total_mass(built.model), (1000 + 3000) / 8.0 + 1000, 1e-9);
  const auto mass = lumped_mass(built.model);
  EXPECT_LT(mass[0] + mass[3] + mass[6] + mass[9], (mass[2] + mass[5] + mass[8] + mass[11]) / 2.99);
}

// A slab on two legs, of hexahedra and of tetrahedra: the cells below it are cut away between the legs.
TEST_F(SceneBodies, AreBoxesWithCellsLeftOut) {
  for (const auto& [elements, a_cell] : {std::pair{"hexahedra", 1u}, {"tetrahedra", 6u}}) {
    auto scene = two();
    scene["bodies"][0]["mesh"]["box"] = {{"cells", {3, 1, 2}},
                                         {"lower", {0, 0, 0}},
                                         {"upper", {3, 1, 2}},
                                         {"elements", elements},
                                         {"where", "z > 1 || abs(x - 1.5) > 0.9"}};
    const auto built = build(scene);
    const auto& left = built.model.bodies[0];
    EXPECT_EQ(built.model.regions[0].elements.count(), 5 * a_cell);
    EXPECT_EQ(left.nodes, 24);  // those of a whole box: each touches a cell that is left
    EXPECT_NEAR(total_mass(built.model), 6000, 1e-9);
    EXPECT_TRUE(built.warnings.empty());
    scene["bodies"][0]["mesh"]["box"]["where"] = "z > 1";
    EXPECT_EQ(build(scene).model.bodies[0].nodes, 16);
    scene["bodies"][0]["mesh"]["box"]["where"] = "z > 2";
    EXPECT_THAT(fault(scene),
                HasSubstr("bodies[0].mesh.box.where: the expression 'z > 2' is 0 at every cell's centre"));
    scene["bodies"][0]["mesh"]["box"]["where"] = "z >";
    EXPECT_THAT(fault(scene), HasSubstr("bodies[0].mesh.box.where: the expression 'z >' cannot be read"));
  }
}

TEST_F(SceneBodies, HaveRegionsAndDirectionsByExpressions) {
  auto scene = two();
  auto& materials = scene["bodies"][0]["materials"];
  materials.push_back(materials[0]);
  materials[1]["name"] = "end";
  materials[1]["region"] = {{"expression", "x > 1 && y < z"}};
  materials[1]["directions"] = {{"fibre", {{"expression", {"-y", "x", "2"}}}}};
  const auto model = build(scene).model;
  const auto& end = model.regions[1];
  ASSERT_EQ(end.numbers.size(), 3u);  // half of the cell from 1 to 2
  ASSERT_EQ(end.directions[0].size(), 3u);
  for (std::size_t e = 0; e < 3; ++e) {
    Vector3 centre{};
    for (const auto node : end.elements.of(e))
      for (int i = 0; i < 3; ++i) centre[i] += model.mesh.nodes[node][i] / 4;
    EXPECT_TRUE(centre[0] > 1 && centre[1] < centre[2]);
    EXPECT_EQ(end.directions[0][e], (Vector3{-centre[1], centre[0], 2}));
  }
  materials[1]["region"] = {{"expression", "x > 2"}};
  EXPECT_THAT(fault(scene), HasSubstr("materials[1].region: the expression 'x > 2' is 0 at every tetrahedron's"));
  materials[1]["region"] = {{"expression", "x > 1"}};
  materials[1]["directions"]["fibre"]["expression"] = {"x", "y"};
  EXPECT_THAT(fault(scene), HasSubstr("directions.fibre.expression: has 2 formulas, needed are three"));
  materials[1]["directions"]["fibre"]["expression"] = {"x", "y", "w"};
  EXPECT_THAT(fault(scene), HasSubstr("materials[1].directions.fibre: the expression 'w' cannot be read"));
}

TEST_F(SceneBodies, MayHaveDensitiesFromAFile) {
  write_file(folder / "rho.txt", "1 2 3 4 5 6");
  auto scene = two();
  scene["bodies"][1]["materials"][0]["density"] = {{"file", "rho.txt"}};
  EXPECT_NEAR(total_mass(build(scene).model), 2000 + 3.5, 1e-9);
}

TEST_F(SceneBodies, AreJoinedBySpringsOfTheNearestNodes) {
  auto scene = two();
  scene["springs"] = Json::parse(R"([{"name": "ties", "stiffness": 5, "from": {"body": "left", "box":
      {"lower": [2, 0, 0], "upper": [2, 1, 1]}}, "to": {"body": "right"}},
      {"name": "short", "stiffness": 7, "rest": 0.5, "from": {"body": "left", "nodes": [2]}, "to": {"body": "right"}},
      {"name": "glue", "stiffness": 9, "rest": 0, "from": {"body": "left", "nodes": [2]}, "to": {"body": "right"}}])");
  const auto model = build(scene).model;
  ASSERT_EQ(model.regions.size(), 5u);
  EXPECT_EQ(model.regions[2].elements, (mesh::Elements{Shape::stencil, 2, {2, 12, 5, 14, 8, 16, 11, 18}}));
  EXPECT_THAT(model.regions[2].parameters, ElementsAre(ElementsAre(5), ElementsAre(3, 3, 3, 3)));
  EXPECT_THAT(model.regions[3].parameters[1], ElementsAre(0.5));
  EXPECT_EQ(model.regions[4].energy->name, "proxima_joint");
}

TEST_F(SceneBodies, ThatTouchAreJoinedWithoutLength) {
  auto scene = two();
  scene["bodies"][1]["place"] = {{"translate", {2, 0, 0}}};
  scene["springs"] = Json::parse(R"([{"name": "seam", "stiffness": 5, "from": {"body": "left", "box":
      {"lower": [2, 0, 0], "upper": [2, 1, 1]}}, "to": {"body": "right"}}])");
  const auto model = build(scene).model;
  ASSERT_EQ(model.regions.size(), 3u);
  EXPECT_EQ(model.regions[2].energy->name, "proxima_joint");
  EXPECT_EQ(model.regions[2].elements.count(), 4u);
}

TEST_F(SceneBodies, AreAttachedToPointsInSpace) {
  auto scene = two();
  scene["attachments"] = Json::parse(R"([{"name": "here", "stiffness": 5, "select": {"body": "right", "nodes": [0, 1]}},
      {"name": "there", "stiffness": 5, "select": {"body": "right", "nodes": [0]}, "to": [1, 2, 3]}])");
  const auto model = build(scene).model;
  EXPECT_THAT(model.regions[2].parameters[1], ElementsAre(5, 6));
  EXPECT_THAT(model.regions[3].parameters, ElementsAre(ElementsAre(5), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
}

struct BodyFault {
  const char* name;
  const char* pointer;  // into the scene of two bodies
  const char* value;    // nullptr: removed
  std::vector<std::string> message;
};

class BadBodies : public SceneBodies, public testing::WithParamInterface<BodyFault> {};

TEST_P(BadBodies, AreRefusedWithAClearMessage) {
  const auto& [name, pointer, value, message] = GetParam();
  write_file(folder / "nu.txt", "0 0 0 0 0.5 0");
  write_file(folder / "absent.txt", "0 6");
  write_file(folder / "twice.txt", "3 0 3");
  auto scene = two();
  const Json::json_pointer at(pointer);
  if (value)
    scene[at] = Json::parse(value);
  else
    scene[at.parent_pointer()].erase(at.back());
  const auto found = fault(scene);
  EXPECT_THAT(found, HasSubstr(folder.string()));  // of the scene, or a file that it names
  for (const auto& part : message) EXPECT_THAT(found, HasSubstr(part));
}

const BodyFault body_faults[] = {
    {"none", "/bodies", nullptr, {"exactly one of 'mesh', 'bodies' is needed, found none"}},
    {"empty_list", "/bodies", "[]", {"bodies: is empty"}},
    {"both_forms", "/mesh", R"({"file": "a.msh"})", {"exactly one of 'mesh', 'bodies'", "'mesh' and 'bodies'"}},
    {"materials_beside_bodies", "/materials", "[]", {"'bodies'", "materials: is beside"}},
    {"no_name", "/bodies/0/name", nullptr, {"'bodies[0].name' is missing"}},
    {"empty_name", "/bodies/0/name", "\"\"", {"bodies[0].name: is empty"}},
    {"same_name", "/bodies/1/name", "\"left\"", {"bodies[1]: a body named 'left' is there already"}},
    {"same_material", "/bodies/1/materials/0/name", "\"left flesh\"", {"bodies[1].materials[0]", "named 'left flesh'"}},
    {"no_density", "/bodies/1/materials/0/density", nullptr, {"'bodies[1].materials[0].density' is missing"}},
    {"missing_file", "/bodies/1/mesh", R"({"file": "no.msh"})", {"bodies[1].mesh.file", "no.msh: no such file"}},
    {"flat_box", "/bodies/1/mesh/box/upper", "[1, 0, 1]", {"bodies[1].mesh.box", "no extent along y"}},
    {"empty_region",
     "/bodies/1/materials/0/region",
     R"({"sphere": {"centre": [5, 0, 0], "radius": 1}})",
     {"bodies[1].materials[0].region", "no tetrahedron's centroid is inside", "from [0, 0, 0] to [1, 1, 1]"}},
    {"bad_parameter",
     "/bodies/1/materials/0/parameters",
     R"({"nu": {"file": "nu.txt"}})",
     {"'nu' at tet 4 of body 'right' is 0.5", "-1 < nu < 0.5"}},
    {"unreadable_expression",
     "/bodies/1/materials/0/parameters",
     R"~({"E": {"expression": "1e5 * (x + w)"}})~",
     {"bodies[1].materials[0].parameters.E", "'1e5 * (x + w)' cannot be read at position 11", "x, y and z"}},
    {"expression_of_two_values",
     "/bodies/1/materials/0/parameters",
     R"({"E": {"expression": "1, 2"}})",
     {"gives 2 values"}},
    {"expression_that_assigns",
     "/bodies/1/materials/0/density",
     R"({"expression": "x = 1"})",
     {"bodies[1].materials[0].density", "assigns to a coordinate"}},
    {"infinite_expression",
     "/bodies/1/materials/0/parameters",
     R"~({"E": {"expression": "1 / (x - x)"}})~",
     {"'1 / (x - x)' is inf at [0.75, 0.5, 0.25]"}},
    {"expression_out_of_bounds",
     "/bodies/1/materials/0/parameters",
     R"({"nu": {"expression": "x > 0.7 ? 0.5 : 0"}})",
     {"'nu' at tet 0 of body 'right' is 0.5", "-1 < nu < 0.5"}},
    {"negative_density",
     "/bodies/1/materials/0/density",
     R"({"expression": "0.7 - x"})",
     {"bodies[1].materials[0].density: found -0.05", "at tet 0 of body 'right'", "> 0"}},
    {"spring_of_one_node",
     "/springs",
     R"([{"name": "s", "stiffness": 1, "from": "all", "to": {"body": "right"}}])",
     {"springs[0]", "node 0 of body 'right' is among both ends"}},
    {"spring_named_as_a_material",
     "/springs",
     R"([{"name": "left flesh", "stiffness": 1, "from": "all", "to": "all"}])",
     {"springs[0]", "'left flesh' is there already"}},
    {"absent_element",
     "/bodies/1/materials/0/region",
     R"({"file": "absent.txt"})",
     {"absent.txt: found 6, needed are numbers of tetrahedra, 0 to 5"}},
    {"element_twice", "/bodies/1/materials/0/region", R"({"file": "twice.txt"})", {"twice.txt: tet 3 is listed twice"}},
    {"other_shape",
     "/bodies/1/materials/0/elements",
     "\"hexahedra\"",
     {"bodies[1].materials[0].region", "the mesh has no hexahedron"}},
    {"scale_zero", "/bodies/1/place", R"({"scale": 0})", {"bodies[1].place.scale", "number > 0"}},
    {"unknown_body",
     "/dirichlet",
     R"([{"select": {"body": "rihgt"}}])",
     {"dirichlet[0].select", "there is no body 'rihgt'"}},
    {"nodes_of_which",
     "/dirichlet",
     R"([{"select": {"nodes": [1]}}])",
     {"dirichlet[0].select", "'body' says of which"}},
    {"node_of_body",
     "/dirichlet",
     R"([{"select": {"body": "right", "nodes": [8]}}])",
     {"node 8 of body 'right' does not exist", "0 to 7"}},
    {"held_twice",
     "/dirichlet",
     R"([{"select": {"body": "right", "nodes": [3]}}, {"select": {"body": "right", "nodes": [3]}}])",
     {"node 3 of body 'right' is held twice"}},
    {"empty_stencil",
     "/bodies/0/materials/1",
     R"({"name": "t", "energy": "pair.cpp", "stencils": [[]]})",
     {"bodies[0].materials[1].stencils[0]", "is empty"}},
    {"ragged_stencils",
     "/bodies/0/materials/1",
     R"({"name": "t", "energy": "pair.cpp", "stencils": [[0, 1], [1, 2, 3]]})",
     {"stencils[1]", "has 3 nodes, the first has 2"}},
    {"stencil_of_absent_node",
     "/bodies/0/materials/1",
     R"({"name": "t", "energy": "pair.cpp", "stencils": [[0, 12]]})",
     {"bodies[0].materials[1].stencils[0]: node 12 does not exist", "0 to 11"}},
    {"stencils_of_texts",
     "/bodies/0/materials/1",
     R"({"name": "t", "energy": "pair.cpp", "stencils": [["a"]]})",
     {"bodies[0].materials[1].stencils", "list of lists of integers"}},
    {"stencils_of_another_size",
     "/bodies/0/materials/1",
     R"({"name": "t", "energy": "pair.cpp", "stencils": [[0, 1, 2]]})",
     {"'pair' is a function of 2 nodes, its elements have 3"}},
};

INSTANTIATE_TEST_SUITE_P(Faults, BadBodies, testing::ValuesIn(body_faults),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace proxima::model
