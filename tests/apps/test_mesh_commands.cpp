// `proxima mesh`, as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class MeshCommands : public SceneFolder {
 protected:
  Result mesh(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "mesh");
    return proxima(arguments);
  }
};

struct Generated {
  const char* name;
  std::vector<std::string> arguments;
  const char* says;
};
class Generators : public MeshCommands, public testing::WithParamInterface<Generated> {};

// What is generated is sound, and other commands read it.
TEST_P(Generators, MakeSoundMeshes) {
  auto arguments = GetParam().arguments;
  arguments.insert(arguments.begin(), "generate");
  arguments.insert(arguments.end(), {"-o", "made.msh"});
  const auto made = mesh(arguments);
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr(GetParam().says));
  const auto checked = mesh({"check", "made.msh"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("made.msh: nothing is wrong"));
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, Generators,
    testing::Values(Generated{"box", {"box", "--cells", "2,3,1"}, "24 nodes, 36 tetrahedra"},
                    Generated{"hexahedra", {"box", "--cells", "2,3,1", "--hexahedra"}, "24 nodes, 6 hexahedra"},
                    Generated{"ball", {"ball", "--layers", "2"}, "55 nodes, 160 tetrahedra"},
                    Generated{"torus", {"torus", "--layers", "1", "--segments", "8"}, "56 nodes, 144 tetrahedra"},
                    Generated{"cylinder", {"cylinder", "--around", "6", "--along", "2"}, "18 nodes, 24 triangles"},
                    Generated{"sphere", {"sphere", "-n", "2"}, "42 nodes, 80 triangles"},
                    Generated{"grid", {"grid", "--cells", "2,2"}, "9 nodes, 8 triangles"}),
    [](const auto& chosen) { return chosen.param.name; });

TEST_F(MeshCommands, InfoSaysWhatAMeshIs) {
  ASSERT_EQ(mesh({"generate", "box", "--cells", "2,2,2", "--upper", "2,1,1", "-o", "box.vtu"}).status, 0);
  const auto info = mesh({"info", "box.vtu"});
  EXPECT_EQ(info.status, 0);
  for (const char* part : {"nodes       27", "size        2 x 1 x 1 m", "pieces      1", "tetrahedra: 48, volume 2 m^3",
                           "tag 0: 48, volume 2 m^3", "quality", "worst",
                           "boundary of the solids: 48 triangles, closed, normals outwards, encloses 2 m^3"})
    EXPECT_THAT(info.out, HasSubstr(part));
  ASSERT_EQ(mesh({"generate", "cylinder", "--around", "8", "--along", "2", "-o", "tube.obj"}).status, 0);
  EXPECT_THAT(mesh({"info", "tube.obj"}).out,
              HasSubstr("surface of the triangles: 32 triangles, not closed, 16 boundary edges"));
}

TEST_F(MeshCommands, CheckAndRepair) {
  // A square whose second triangle turns the other way and has a corner of its own.
  write_file(folder / "bad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 5 4 3\nf 1 2 2\n");
  const auto bad = mesh({"check", "bad.obj"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("1 triangles name a node twice: 2"), HasSubstr("1 nodes lie where")));
  const auto repaired = mesh({"repair", "bad.obj", "--tolerance", "1e-9", "-o", "good.obj"});
  EXPECT_EQ(repaired.status, 0) << repaired.err;
  EXPECT_THAT(repaired.out, AllOf(HasSubstr("1 nodes merged"), HasSubstr("1 degenerate elements dropped"),
                                  HasSubstr("1 triangles turned"), HasSubstr("good.obj: 4 nodes")));
  EXPECT_EQ(mesh({"check", "good.obj"}).status, 0);
  EXPECT_THAT(mesh({"repair", "good.obj", "-o", "same.obj"}).out, HasSubstr("nothing to mend"));
}

TEST_F(MeshCommands, ConvertScalesAndThenMoves) {
  ASSERT_EQ(mesh({"generate", "grid", "--cells", "1,1", "-o", "a.obj"}).status, 0);
  const auto result = mesh({"convert", "a.obj", "--scale", "2", "--translate=0,0,-1", "-o", "b.vtk"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(mesh::read(folder / "b.vtk").nodes.back(), (mesh::Vector3{2, 2, -1}));
}

TEST_F(MeshCommands, VoxelsFillASurface) {
  ASSERT_EQ(mesh({"generate", "box", "--cells", "1,1,1", "--upper", "1,1,1", "-o", "cube.obj"}).status, 0);
  const auto result = mesh({"generate", "voxels", "cube.obj", "--side", "0.5", "-o", "cube.msh"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("27 nodes, 8 hexahedra"));
}

TEST_F(MeshCommands, WhatIsWrongLeavesNoFile) {
  write_file(folder / "bad.msh", "$MeshFormat\n");
  for (const char* command : {"info", "check"}) EXPECT_EQ(mesh({command, "bad.msh"}).status, 2) << command;
  EXPECT_EQ(mesh({"convert", "bad.msh", "-o", "out.vtk"}).status, 2);
  EXPECT_EQ(mesh({"generate", "box", "--cells", "0,1,1", "-o", "out.msh"}).status, 2);
  EXPECT_EQ(mesh({"generate", "box"}).status, 2);
  EXPECT_EQ(mesh({"generate", "box", "-o", "out.stl"}).status, 2);
  EXPECT_EQ(mesh({"generate", "pyramid", "-o", "out.msh"}).status, 2);
  EXPECT_EQ(mesh({}).status, 2);
  for (const auto& entry : fs::directory_iterator(folder))
    EXPECT_EQ(entry.path().stem().string().find("out"), std::string::npos);
}

}  // namespace
}  // namespace proxima::test
