// What a material may be given beside parameters: several energies, direction fields, actuations as key frames; and the
// elements that are not tets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/build.hpp"
#include "runtime/model/trajectory.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Parameters E, nu and an actuation, a fibre direction and a history of two numbers.
std::shared_ptr<ir::Energy> muscle() {
  auto energy = std::make_shared<ir::Energy>(*test::named_energy());
  energy->name = "muscle";
  energy->parameters.push_back({"activation", "", 0.1, -0.5, 2, {}, true});
  energy->inputs = {{ir::InputKind::direction, "fibre", 3, {0, 0, 1}, {}, {}},
                    {ir::InputKind::history, "plastic", 2, {1, -2}, {energy->density, energy->density}, {}}};
  return energy;
}

class SceneInputs : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    for (const char* name : {"muscle.cpp", "undirected.cpp", "toy.cpp"})
      write_file(folder / name, "");  // the loader makes the energies
  }

  // A box of two cubes of one material.
  Built build(const std::string& material) const {
    auto entry = Json::parse(material);
    entry["name"] = "flesh";
    entry["density"] = 1000;
    const Json scene = {
        {"mesh", {{"box", {{"cells", {2, 1, 1}}, {"lower", {0, 0, 0}}, {"upper", {2, 1, 1}}}}}},
        {"materials", Json::array({entry})},
        {"time", {{"step", 0.01}, {"steps", 5}}},
    };
    write_file(folder / "scene.json", scene.dump());
    const auto load = [](const fs::path& file, const std::string&) {
      if (file.filename() == "toy.cpp") return test::named_energy();
      auto energy = muscle();
      if (file.filename() == "undirected.cpp") energy->inputs[0].initial.clear();
      return std::shared_ptr<const ir::Energy>(energy);
    };
    const auto read = read_scene(folder / "scene.json");
    // The resolved copy must say the same, from anywhere.
    write_file(folder / "copy.json", read.resolved);
    const auto copy = build_model(read_scene(folder / "copy.json"), load);
    auto built = build_model(read, load);
    EXPECT_EQ(fingerprint(copy.model), fingerprint(built.model));
    return built;
  }

  std::string fault(const std::string& material) const {
    return fault_of([&] { build(material); });
  }
};

TEST_F(SceneInputs, KeyFramesBecomeASignal) {
  const auto built = build(R"({"energy": "muscle.cpp", "parameters": {"activation":
      {"keyframes": [{"time": 0.1, "value": 0}, {"time": 0.3, "value": 1}]}}})");
  const Region& region = built.model.regions[0];
  ASSERT_TRUE(varies_in_time(region, 2));
  EXPECT_FALSE(varies_in_time(region, 0));
  EXPECT_EQ(signal_value(region.signals[2], -1), 0);
  EXPECT_EQ(signal_value(region.signals[2], 0.1), 0);
  EXPECT_DOUBLE_EQ(signal_value(region.signals[2], 0.25), 0.75);
  EXPECT_EQ(signal_value(region.signals[2], 0.3), 1);
  EXPECT_EQ(signal_value(region.signals[2], 9), 1);
  EXPECT_THAT(built.notes[1], HasSubstr("activation = 0 to 1 in time"));
}

TEST_F(SceneInputs, AnActuationMayBeAFixedNumber) {
  const Region region = build(R"({"energy": "muscle.cpp", "parameters": {"activation": 0.5}})").model.regions[0];
  EXPECT_FALSE(varies_in_time(region, 2));
  EXPECT_THAT(region.parameters[2], ElementsAre(0.5));
}

TEST_F(SceneInputs, DirectionsAreGivenByNameOrAreTheDefaults) {
  EXPECT_THAT(build(R"({"energy": "muscle.cpp"})").model.regions[0].directions[0], ElementsAre(ElementsAre(0, 0, 1)));
  EXPECT_THAT(build(R"({"energy": "muscle.cpp", "directions": {"fibre": [0, 2, 0]}})").model.regions[0].directions[0],
              ElementsAre(ElementsAre(0, 2, 0)));
  std::string numbers;
  for (int i = 0; i < 36; ++i) numbers += std::to_string(i + 1) + (i % 3 == 2 ? "\n" : " ");
  write_file(folder / "fibres.txt", numbers);
  const auto field = build(R"({"energy": "muscle.cpp", "directions": {"fibre": {"file": "fibres.txt"}}})")
                         .model.regions[0]
                         .directions[0];
  ASSERT_EQ(field.size(), 12u);
  EXPECT_EQ(field[11], (Vector3{34, 35, 36}));
}

TEST_F(SceneInputs, SeveralEnergiesShareTheTetsAndTheMass) {
  const auto built = build(R"({"energies": [{"energy": "toy.cpp", "parameters": {"E": 3e5}},
                                            {"energy": "muscle.cpp", "directions": {"fibre": [1, 0, 0]}}]})");
  const auto& regions = built.model.regions;
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "flesh");
  EXPECT_EQ(regions[1].name, "flesh");
  EXPECT_FALSE(regions[0].overlay);
  EXPECT_TRUE(regions[1].overlay);
  EXPECT_EQ(regions[0].elements, regions[1].elements);
  EXPECT_EQ(regions[0].parameters[0][0], 3e5);
  EXPECT_EQ(regions[1].density, 0);
  EXPECT_THAT(built.notes[0], HasSubstr("mass 2000 kg"));
  EXPECT_THAT(built.notes[2], HasSubstr("material 'flesh': also energy muscle"));
}

TEST_F(SceneInputs, HistoryStartsAtTheEnergysValues) {
  const auto history =
      initial_history(build(R"({"energies": [{"energy": "toy.cpp"}, {"energy": "muscle.cpp"}]})").model);
  ASSERT_EQ(history.size(), 24u);
  for (std::size_t i = 0; i < history.size(); ++i) EXPECT_EQ(history[i], i % 2 == 0 ? 1 : -2);
}

TEST_F(SceneInputs, DampingIsOfTheWholeMaterial) {
  const auto built = build(R"({"energies": [{"energy": "toy.cpp"}, {"energy": "muscle.cpp"}],
                               "damping": {"mass": 2, "stiffness": 0.5}})");
  const auto& regions = built.model.regions;
  EXPECT_EQ(regions[0].damping.mass, 2);
  EXPECT_EQ(regions[1].damping.mass, 0);  // it has no mass of its own
  for (const auto& region : regions) EXPECT_EQ(region.damping.stiffness, std::vector<double>{0.5});
  EXPECT_EQ(build(R"({"energy": "toy.cpp"})").model.regions[0].damping.stiffness, std::vector<double>());
}

struct InputFault {
  const char* name;
  const char* material;
  std::vector<std::string> message;
};

class BadInput : public SceneInputs, public testing::WithParamInterface<InputFault> {};

TEST_P(BadInput, IsRefusedWithAClearMessage) {
  write_file(folder / "short.txt", "1 2 3 4");
  const auto found = fault(GetParam().material);
  for (const auto& part : GetParam().message) EXPECT_THAT(found, HasSubstr(part));
}

const InputFault input_faults[] = {
    {"no_energy", R"({})", {"materials[0]", "exactly one of 'energy', 'energies'", "found none"}},
    {"two_forms",
     R"({"energy": "toy.cpp", "energies": [{"energy": "toy.cpp"}]})",
     {"materials[0]", "found 'energy' and 'energies'"}},
    {"empty_list", R"({"energies": []})", {"materials[0].energies: is empty"}},
    {"parameters_beside_the_list",
     R"({"energies": [{"energy": "toy.cpp"}], "parameters": {"E": 1}})",
     {"materials[0]: 'parameters' is beside 'energies'"}},
    {"form_beside_the_list",
     R"({"energies": [{"energy": "toy.cpp"}], "form": "proximal"})",
     {"materials[0]: 'form' is beside 'energies'"}},
    {"proximal_form_with_a_history",
     R"({"energies": [{"energy": "toy.cpp"}, {"energy": "muscle.cpp", "form": "proximal"}]})",
     {"materials[0].energies[1].form", "'muscle' has no proximal form", "history 'plastic'"}},
    {"proximal_form_with_damping",
     R"({"energy": "toy.cpp", "form": "proximal", "damping": {"stiffness": 0.1}})",
     {"materials[0].form: proximal is beside 'damping.stiffness'"}},
    {"weight_of_an_energy_as_it_is_written",
     R"({"energy": "toy.cpp", "parameters": {"proximal_weight": 2}})",
     {"materials[0].parameters", "'toy' has no parameter 'proximal_weight'"}},
    {"missing_file_in_the_list",
     R"({"energies": [{"energy": "toy.cpp"}, {"energy": "none.cpp"}]})",
     {"materials[0].energies[1].energy", "no such file"}},
    {"unknown_direction",
     R"({"energy": "muscle.cpp", "directions": {"fibr": [1, 0, 0]}})",
     {"materials[0].directions", "'muscle' has no direction 'fibr'", "did you mean 'fibre'?"}},
    {"direction_of_no_length",
     R"({"energy": "muscle.cpp", "directions": {"fibre": [0, 0, 0]}})",
     {"region 'flesh'", "direction 'fibre' is [0, 0, 0]", "not a vector with a length"}},
    {"direction_that_is_no_vector",
     R"({"energy": "muscle.cpp", "directions": {"fibre": [1, 0]}})",
     {"materials[0].directions.fibre", "[x, y, z] or object"}},
    {"direction_file_of_another_length",
     R"({"energy": "muscle.cpp", "directions": {"fibre": {"file": "short.txt"}}})",
     {"short.txt: 4 numbers", "12 tetrahedra and each needs 3"}},
    {"direction_without_default",
     R"({"energy": "undirected.cpp"})",
     {"region 'flesh'", "the energy 'muscle' needs the direction 'fibre', for which it has no default"}},
    {"key_frames_of_a_constant",
     R"({"energy": "muscle.cpp", "parameters": {"E": {"keyframes": [{"time": 0, "value": 1}]}}})",
     {"region 'flesh'", "parameter 'E' is given by key frames", "declares it constant in time"}},
    {"key_frame_out_of_bounds",
     R"({"energy": "muscle.cpp", "parameters": {"activation":
         {"keyframes": [{"time": 0, "value": 0}, {"time": 1, "value": 2}]}}})",
     {"parameter 'activation' in key frame 1 is 2", "-0.5 < activation < 2"}},
    {"key_frames_out_of_order",
     R"({"energy": "muscle.cpp", "parameters": {"activation":
         {"keyframes": [{"time": 1, "value": 0}, {"time": 1, "value": 1}]}}})",
     {"materials[0].parameters.activation.keyframes", "times must increase"}},
    {"no_key_frames",
     R"({"energy": "muscle.cpp", "parameters": {"activation": {"keyframes": []}}})",
     {"keyframes: is empty"}},
    {"negative_damping", R"({"energy": "toy.cpp", "damping": {"mass": -1}})", {"materials[0].damping.mass", ">= 0"}},
    {"damping_file_of_another_length",
     R"({"energy": "toy.cpp", "damping": {"stiffness": {"file": "short.txt"}}})",
     {"short.txt: 4 numbers", "12 tetrahedra"}},
    {"misspelt_damping",
     R"({"energy": "toy.cpp", "damping": {"stifness": 1}})",
     {"materials[0].damping.stifness", "did you mean 'stiffness'?"}},
    {"key_frame_without_value",
     R"({"energy": "muscle.cpp", "parameters": {"activation": {"keyframes": [{"time": 1}]}}})",
     {"keyframes[0].value' is missing"}},
};

INSTANTIATE_TEST_SUITE_P(Faults, BadInput, testing::ValuesIn(input_faults),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(Fingerprint, KnowsWhatActsOnTheElements) {
  Model model = test::two_cubes();
  model.regions[0].energy = muscle();
  model.regions[0].parameters.push_back({0.1});
  const auto changed = [&](auto change) {
    Model other = model;
    change(other);
    return fingerprint(other) != fingerprint(model);
  };
  EXPECT_FALSE(changed([](Model&) {}));
  EXPECT_TRUE(changed([](Model& m) { m.regions[0].directions = {{{1, 0, 0}}}; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[0].signals = {{}, {}, {{0, 1}}}; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[1].overlay = true; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[1].damping.mass = 1; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[1].damping.stiffness = {1}; }));
  EXPECT_TRUE(changed([](Model& m) { m.integrator = Integrator::bdf2; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[1].elements = mesh::Elements{mesh::Shape::edge, 2, {0, 1}}; }));
  EXPECT_TRUE(changed([](Model& m) {
    auto energy = muscle();
    energy->inputs[1].initial[0] = 3;
    m.regions[0].energy = energy;
  }));
}

// A sheet of triangles with springs and hinges on it: no tets at all.
Model sheet() {
  const auto grid = mesh::make_triangle_grid({3, 2}, {0, 0, 0}, {3, 0, 0}, {0, 2, 0});
  const auto energy = [](const char* name, ir::Measure measure, std::uint32_t stencil) {
    auto result = std::make_shared<ir::Energy>(*test::named_energy());
    result->name = name;
    result->measure = measure;
    result->stencil = stencil;
    return result;
  };
  Model model;
  model.mesh.nodes = grid.nodes;
  const std::vector<std::vector<double>> values = {{1e5}, {0.4}};
  model.regions = {
      {"cloth",
       energy("membrane", ir::Measure::surface_deformation_gradient, 0),
       grid.blocks[0].elements,
       {},
       values,
       0.5},
      {"threads",
       energy("spring", ir::Measure::edge_vector, 0),
       mesh::edges_of(grid.blocks[0].elements),
       {},
       values,
       0.25},
      {"folds",
       energy("bending", ir::Measure::node_positions, 4),
       mesh::hinges_of(grid.blocks[0].elements),
       {},
       values,
       0},
  };
  for (const auto& node : grid.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.resize(model.initial_positions.size());
  model.time_step = 0.01;
  return model;
}

TEST(OtherElements, CarryTheirMass) {
  const Model model = sheet();
  EXPECT_NO_THROW(validate(model));
  double total = 0, length = 0;
  for (const double mass : lumped_mass(model)) total += mass;
  const auto& edges = model.regions[1].elements;
  for (const double measure : mesh::rest_geometry(edges, model.mesh.nodes, "edges").measure) length += measure;
  EXPECT_NEAR(total, 0.5 * 6 + 0.25 * length, 1e-13);
}

TEST(OtherElements, AreRefusedWhereTheyDoNotFit) {
  const auto refuses = [](const std::string& message, auto spoil) {
    Model model = sheet();
    spoil(model);
    EXPECT_THAT([&] { validate(model); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  refuses("'membrane' is a function of the deformation gradient of a membrane, which elements of the shape 'edge'",
          [](Model& m) { m.regions[0].elements = m.regions[1].elements; });
  refuses("'spring' is a function of the vector of an edge",
          [](Model& m) { m.regions[1].elements = m.regions[0].elements; });
  refuses("'bending' is a function of 4 nodes, its elements have 2",
          [](Model& m) { m.regions[2].elements = m.regions[1].elements; });
  refuses("region 'folds': density is 3, it must be 0", [](Model& m) { m.regions[2].density = 3; });
  refuses("region 'cloth': density is -1", [](Model& m) { m.regions[0].density = -1; });
  refuses("node 0 has no mass", [](Model& m) { m.regions[0].density = m.regions[1].density = 0; });
  refuses("node 12 has no mass", [](Model& m) {
    m.mesh.nodes.push_back({9, 9, 9});
    for (int i = 0; i < 3; ++i) m.initial_positions.push_back(9), m.initial_velocities.push_back(0);
  });
  refuses("region 'cloth': node 12 does not exist", [](Model& m) { m.regions[0].elements.nodes[4] = 12; });
  refuses("has 17 values, it needs 1 or 12", [](Model& m) { m.regions[0].parameters[0].assign(17, 1e5); });
}

}  // namespace
}  // namespace proxima::model
