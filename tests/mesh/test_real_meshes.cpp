// Meshes made by other people's programs. They are not part of the repository: where they are absent the tests skip.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

std::filesystem::path data_file(const std::string& name) {
  const char* given = std::getenv("PROXIMA_SHARED_DATA");
  return std::filesystem::path(given != nullptr ? given : PROXIMA_SOURCE_DIR "/../shared/data") / name;
}

#define NEED(name)                                                                          \
  if (!std::filesystem::exists(data_file(name))) {                                          \
    GTEST_SKIP() << data_file(name) << " is absent; set PROXIMA_SHARED_DATA to its folder"; \
  }

struct Known {
  const char* name;
  std::size_t nodes, tets;
  double volume;
};

class RealMesh : public testing::TestWithParam<Known> {};

TEST_P(RealMesh, IsReadWhole) {
  const auto& known = GetParam();
  NEED(known.name);
  auto mesh = read(data_file(known.name));
  EXPECT_EQ(mesh.nodes.size(), known.nodes);
  EXPECT_EQ(elements(mesh, Shape::tetrahedron).count(), known.tets);
  const auto repairs = prepare(mesh, known.name);
  EXPECT_EQ(repairs.flipped, 0u);
  EXPECT_EQ(repairs.unused_removed, 0u);
  double total = 0;
  for (std::size_t t = 0; t < elements(mesh, Shape::tetrahedron).count(); ++t) total += tet_volume(mesh, t);
  EXPECT_NEAR(total / known.volume, 1, 1e-5);
  std::int32_t pieces = 0;
  connected_components(mesh, pieces);
  EXPECT_EQ(pieces, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, RealMesh,
    testing::Values(Known{"bunny.msh", 4670, 19379, 6.0104}, Known{"Armadillo13K.msh", 13230, 54985, 237516},
                    Known{"armadillo_10k.node", 14779, 54855, 237594}, Known{"armadillo_10k.ele", 14779, 54855, 237594},
                    Known{"sphere1K.msh", 1760, 6851, 0.518477}, Known{"bar-651.msh", 292, 651, 5}),
    [](const auto& chosen) {
      std::string name = chosen.param.name;
      std::replace_if(name.begin(), name.end(), [](unsigned char letter) { return !std::isalnum(letter); }, '_');
      return name;
    });

TEST(RealMeshes, FourEncodingsHoldTheSameMesh) {
  NEED("msh_test_22_ascii.msh");
  const auto first = read(data_file("msh_test_22_ascii.msh"));
  EXPECT_EQ(first.nodes.size(), 8u);
  EXPECT_THAT(first.blocks[0].tags, testing::IsSupersetOf({1, 2, 3}));
  for (const std::string other : {"22_binary", "41_ascii", "41_binary"}) {
    const auto mesh = read(data_file("msh_test_" + other + ".msh"));
    EXPECT_EQ(mesh.nodes, first.nodes) << other;
    EXPECT_EQ(mesh.blocks, first.blocks) << other;
  }
}

struct Voxels {
  const char* name;
  std::size_t nodes, cells;
  double side;
};

class RealVoxels : public testing::TestWithParam<Voxels> {};

// Cubes of one size: their volume is known to the digits that the file has.
TEST_P(RealVoxels, AreCubes) {
  const auto& known = GetParam();
  NEED(known.name);
  auto mesh = read(data_file(known.name));
  EXPECT_EQ(mesh.nodes.size(), known.nodes);
  const auto repairs = prepare(mesh, known.name);
  EXPECT_EQ(repairs.flipped, 0u);
  EXPECT_EQ(repairs.unused_removed, 0u);
  const auto& hexahedra = elements(mesh, Shape::hexahedron);
  ASSERT_EQ(hexahedra.count(), known.cells);
  const auto measure = rest_geometry(hexahedra, mesh.nodes, known.name).measure;
  for (const double point : measure) EXPECT_NEAR(8 * point / std::pow(known.side, 3), 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Shared, RealVoxels,
                         testing::Values(Voxels{"bunny_hex.vtk", 2354, 1601, 0.05},
                                         Voxels{"ball_with_holes_hex.vtk", 3044, 1288, 1. / 16},
                                         Voxels{"plant_hex.vtk", 9921, 3863, 1. / 86},
                                         Voxels{"torus_hex.vtk", 1068, 568, 1. / 16},
                                         Voxels{"spot_hex.vtk", 816, 475, 1. / 15}),
                         [](const auto& chosen) {
                           const std::string name = chosen.param.name;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace proxima::mesh
