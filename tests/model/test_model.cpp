#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/model/model.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

using testing::HasSubstr;

TEST(LumpedMass, SharesEachTetEquallyAndAddsUp) {
  const Model model = test::two_cubes();
  const auto mass = lumped_mass(model);
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 1000.0 * 1 + 500.0 * 1, 1e-10);
  // Corner (0,0,0) is in all six tets of the left cube, each of volume 1/6.
  EXPECT_NEAR(mass[0], 6 * 1000.0 / 6 / 4, 1e-10);
}

TEST(LumpedMass, IsTheMeanElementOnEachNodeWhereLumpingIsUniform) {
  Model model = test::two_cubes();
  model.mesh.nodes[0] = {-1, 0, 0};  // the left cube's six tets have volumes of more than 1/6 in the mean
  model.lumping = Lumping::uniform;
  double left = 0;
  for (std::size_t tet = 0; tet < 6; ++tet) left += mesh::tet_volume(model.mesh, tet);
  ASSERT_GT(left, 1.1);
  const auto mass = lumped_mass(model);
  for (std::size_t node = 0; node < mass.size(); ++node) {
    const double of_left = node < 8 ? 1000 * left / 6 : 0, of_right = node >= 4 ? 500.0 / 6 : 0;
    EXPECT_NEAR(mass[node], of_left + of_right, 1e-10) << node;
  }
}

TEST(DirichletPositions, FollowTranslationAndRotationAboutThePivot) {
  Model model = test::two_cubes();
  const double quarter = std::numbers::pi / 2;
  model.dirichlet = {{{3, 1}, {0, 0, 0}, {{0, {}, {}}, {2, {1, 0, 4}, {quarter, 0, 0}}}}, {{0}, {}, {}}};
  const auto before = dirichlet_positions(model, -1);
  ASSERT_EQ(before.size(), 3u);
  EXPECT_EQ(before[0].first, 0);
  EXPECT_EQ(before[1].first, 1);
  EXPECT_EQ(before[2].first, 3);
  for (const auto& [node, position] : before) EXPECT_EQ(position, model.mesh.nodes[node]);

  const auto after = dirichlet_positions(model, 5)[1].second;  // node 1 rests at (0,0,1)
  EXPECT_NEAR(after[0], 1, 1e-15);
  EXPECT_NEAR(after[1], -1, 1e-15);
  EXPECT_NEAR(after[2], 4, 1e-15);
  const auto midway = dirichlet_positions(model, 1)[1].second;
  EXPECT_NEAR(midway[0], 0.5, 1e-15);
  EXPECT_NEAR(midway[1], -std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(midway[2], 2 + std::sqrt(0.5), 1e-15);
}

TEST(DirichletPositions, KeepLengthsUnderAnyRotation) {
  Model model = test::two_cubes();
  model.dirichlet = {{{0, 11}, {0.3, -2, 5}, {{0, {1, 2, 3}, {0.4, -3, 1.7}}}}};
  const auto moved = dirichlet_positions(model, 0);
  double length = 0, rest = 0;
  for (int i = 0; i < 3; ++i) {
    length = std::hypot(length, moved[1].second[i] - moved[0].second[i]);
    rest = std::hypot(rest, model.mesh.nodes[11][i] - model.mesh.nodes[0][i]);
  }
  EXPECT_NEAR(length, rest, 1e-14);
}

TEST(NodalForces, ActInStepsThatEndAfterBeginAndNotAfterEnd) {
  Model model = test::two_cubes();
  model.time_step = 0.1;
  model.forces = {{{2}, {0, 0, 5}, 0.1, 0.3}, {{2, 4}, {1, 0, 0}, 0, 10}};
  EXPECT_EQ(nodal_forces(model, 0.1)[3 * 2 + 2], 0);
  EXPECT_EQ(nodal_forces(model, 2 * 0.1)[3 * 2 + 2], 5);
  EXPECT_EQ(nodal_forces(model, 3 * 0.1)[3 * 2 + 2], 5);  // 3 * 0.1 > 0.3 in floating point
  EXPECT_EQ(nodal_forces(model, 4 * 0.1)[3 * 2 + 2], 0);
  EXPECT_EQ(nodal_forces(model, 0.2)[3 * 2 + 0], 1);
  EXPECT_EQ(nodal_forces(model, 0.2)[3 * 4 + 0], 1);
  EXPECT_EQ(nodal_forces(model, 0.2).size(), 36u);
}

TEST(NodalForces, FollowTheirFactor) {
  Model model = test::two_cubes();
  model.time_step = 0.1;
  model.forces = {{{2}, {0, 0, 5}, 0, 10, {}, {{0.1, 1}, {0.3, 2}}}};
  EXPECT_NEAR(nodal_forces(model, 0.2)[3 * 2 + 2], 7.5, 1e-14);
  EXPECT_EQ(nodal_forces(model, 5)[3 * 2 + 2], 10);
}

struct Fault {
  const char* name;
  std::function<void(Model&)> spoil;
  std::vector<std::string> message;  // every part must be in it
};

class Validate : public testing::TestWithParam<Fault> {};

TEST_P(Validate, NamesWhatIsWrong) {
  Model model = test::two_cubes();
  EXPECT_NO_THROW(validate(model));
  GetParam().spoil(model);
  try {
    validate(model);
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    for (const auto& part : GetParam().message) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

void set_tets(Model& model, std::vector<std::int32_t> numbers) {
  set_elements(model.regions[1], model.mesh, mesh::Shape::tetrahedron, std::move(numbers));
}

const Fault faults[] = {
    {"PoissonAtHalf", [](Model& m) { m.regions[1].parameters[1] = {0.5}; }, {"right", "nu", "0.5", "-1 < nu < 0.5"}},
    {"NegativeModulus", [](Model& m) { m.regions[0].parameters[0] = {-3}; }, {"left", "'E' is -3", "0 < E"}},
    {"NotANumber", [](Model& m) { m.regions[0].parameters[0] = {std::nan("")}; }, {"'E' is nan"}},
    {"OneTetOutOfRange", [](Model& m) { m.regions[1].parameters[0] = {1, 1, 0, 1, 1, 1}; }, {"at tet 8 is 0"}},
    {"WrongValueCount", [](Model& m) { m.regions[1].parameters[0] = {1, 1}; }, {"2 values", "1 or 6"}},
    {"ParameterMissing", [](Model& m) { m.regions[1].parameters.pop_back(); }, {"1 parameters", "has 2"}},
    {"NoDensity", [](Model& m) { m.regions[1].density = 0; }, {"right", "density is 0"}},
    {"NoTimeStep", [](Model& m) { m.time_step = 0; }, {"time step is 0 s"}},
    {"NegativeSteps", [](Model& m) { m.steps = -1; }, {"steps is -1"}},
    {"TetWithoutRegion", [](Model& m) { set_tets(m, {6, 7, 8, 9, 10}); }, {"1 of 12 tets", "tet 11"}},
    {"TetInTwo", [](Model& m) { set_tets(m, {5, 6, 7, 8, 9, 10, 11}); }, {"tet 5", "left", "right"}},
    {"EmptyRegion", [](Model& m) { set_tets(m, {}); }, {"right", "no elements"}},
    {"AbsentTet", [](Model& m) { m.regions[1].numbers.back() = 12; }, {"tet 12 does not exist"}},
    {"OtherNodes",
     [](Model& m) { std::swap(m.regions[1].elements.nodes[0], m.regions[1].elements.nodes[1]); },
     {"tet 6 has other nodes than that of the mesh"}},
    {"MissingNumber", [](Model& m) { m.regions[1].numbers.pop_back(); }, {"5 numbers of tets", "6 elements"}},
    {"HeldTwice",
     [](Model& m) { m.dirichlet = {{{1}, {}, {}}, {{2, 1}, {}, {}}}; },
     {"dirichlet 1", "node 1 is held twice"}},
    {"AbsentNode", [](Model& m) { m.dirichlet = {{{12}, {}, {}}}; }, {"node 12 does not exist", "0 to 11"}},
    {"KeysOutOfOrder",
     [](Model& m) { m.dirichlet = {{{1}, {}, {{1, {}, {}}, {1, {}, {}}}}}; },
     {"times must increase"}},
    {"AllHeld",
     [](Model& m) {
       m.dirichlet.resize(1);
       for (int i = 0; i < 12; ++i) m.dirichlet[0].nodes.push_back(i);
     },
     {"all 12 nodes are held"}},
    {"FactorWithoutOrder",
     [](Model& m) { m.forces = {{{1}, {}, 0, 1, {}, {{0.2, 1}, {0.1, 1}}}}; },
     {"force 0", "factor"}},
    {"ForceOnAbsentNode", [](Model& m) { m.forces = {{{-1}, {}, 0, 1}}; }, {"force 0", "node -1"}},
    {"InfiniteGravity", [](Model& m) { m.gravity[1] = INFINITY; }, {"gravity"}},
    {"ShortVelocities", [](Model& m) { m.initial_velocities.pop_back(); }, {"velocities", "35", "36"}},
    {"NoMesh", [](Model& m) { m.mesh.blocks.clear(); }, {"tet 0 does not exist"}},
    {"NoMaterial", [](Model& m) { m.regions.clear(); }, {"no material"}},
};

INSTANTIATE_TEST_SUITE_P(Faults, Validate, testing::ValuesIn(faults),
                         [](const auto& fault) { return std::string(fault.param.name); });

}  // namespace
}  // namespace proxima::model
