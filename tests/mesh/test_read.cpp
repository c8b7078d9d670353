// read(): every format gives the same mesh, and every complaint names what is wrong and where.
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;
using namespace std::string_literals;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  if (place == text.npos) throw std::logic_error("the sample does not hold " + from);
  return text.replace(place, from.size(), to);
}

void expect_sample(const Mesh& mesh) {
  EXPECT_EQ(mesh.nodes, sample_mesh().nodes);
  EXPECT_EQ(mesh.blocks, sample_mesh().blocks);
}

TEST(Read, GivesTheSameMeshFromEveryFormat) {
  for (const auto& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    const Folder folder;
    for (const auto& [name, content] : sample.files) folder.put(name, content);
    const auto mesh = read(folder.path / sample.name);
    EXPECT_EQ(mesh.nodes, sample.mesh.nodes);
    EXPECT_EQ(mesh.blocks, sample.mesh.blocks);
    if (sample.name.ends_with(".msh")) {
      EXPECT_EQ(mesh.groups, sample_mesh().groups);
    }
  }
}

TEST(Read, GivesTheSameMeshFromEveryKindOfMsh41) {
  const Folder folder;
  for (const bool binary : {false, true}) {
    expect_sample(read(folder.put("a.msh", msh_41({.binary = binary, .parametric = true}))));
    expect_sample(read(folder.put("a.msh", msh_41({.binary = binary, .partitioned = true}))));
    const auto nameless = read(folder.put("a.MSH", msh_41({.binary = binary, .names = false})));
    expect_sample(nameless);
    EXPECT_TRUE(nameless.groups.empty());
  }
  expect_sample(read(folder.put("a.msh", replaced(msh_22({}), "\n2.2 ", "\n2 "))));
}

TEST(Read, TakesWindowsLineEnds) {
  for (const auto& text : {msh_22({}), msh_41({})}) {
    std::string windows;
    for (const char letter : text) letter == '\n' ? windows += "\r\n" : windows += letter;
    const Folder folder;
    const auto mesh = read(folder.put("a.msh", windows));
    expect_sample(mesh);
    EXPECT_EQ(mesh.groups, sample_mesh().groups);
  }
}

TEST(Read, TagsAreZeroWhereAFileHasNoGroups) {
  const Folder folder;
  auto no_entities = msh_41({});
  const auto begin = no_entities.find("$Entities"), end = no_entities.find("$Nodes");
  no_entities.erase(begin, end - begin);
  const Mesh untagged[] = {read(folder.put("a.msh", no_entities)),
                           read(folder.put("a.vtk", replaced(vtk_text(), "Material", "colour")))};
  for (const auto& mesh : untagged)
    for (const auto& [elements, tags] : mesh.blocks)
      EXPECT_EQ(tags, std::vector<std::int32_t>(elements.count(), 0)) << shape_row(elements.shape).name;
}

TEST(Read, CountsWhatItLeavesOut) {
  const Folder folder;
  EXPECT_THAT(read(folder.put("a.msh", msh_22({}))).left_out, ElementsAre(Pair("points", 1), Pair("pyramids", 1)));
  EXPECT_THAT(read(folder.put("a.vtu", vtu_text())).left_out, ElementsAre(Pair("pyramids", 1)));
}

// The two triangles turn as the quadrilateral does, and carry its tag.
TEST(Read, SplitsQuadrilaterals) {
  const Folder folder;
  const std::string points = "POINTS 4 float\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
  const auto vtk = [&](const char* corners, int type) {
    return fmt::format(
        "# vtk DataFile Version 2.0\n-\nASCII\nDATASET UNSTRUCTURED_GRID\n{}CELLS 1 5\n4 {}\n"
        "CELL_TYPES 1\n{}\nCELL_DATA 1\nSCALARS tag int\nLOOKUP_TABLE default\n4\n",
        points, corners, type);
  };
  const std::string msh =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
      "$Elements\n1\n1 3 1 4 1 2 3 4\n$EndElements\n";
  const Mesh quadrilaterals[] = {read(folder.put("quad.vtk", vtk("0 1 2 3", 9))), read(folder.put("quad.msh", msh))};
  for (const auto& mesh : quadrilaterals) {
    EXPECT_THAT(elements(mesh, Shape::triangle).nodes, ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_THAT(mesh.blocks.at(0).tags, ElementsAre(4, 4));
  }
  // Corners of a pixel are in the order of their coordinates.
  EXPECT_THAT(elements(read(folder.put("pixel.vtk", vtk("0 1 3 2", 8))), Shape::triangle).nodes,
              ElementsAre(0, 1, 2, 0, 2, 3));
}

TEST(Read, TurnsVoxelsIntoHexahedra) {
  const auto box = make_hexahedra({1, 1, 1}, {0, 0, 0}, {1, 2, 3});
  std::string text = "# vtk DataFile Version 2.0\n-\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n";
  for (const auto& x : box.nodes) text += fmt::format("{}\n", fmt::join(x, " "));
  const Folder folder;
  const auto mesh = read(folder.put("a.vtk", text + "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n"));
  EXPECT_EQ(mesh.blocks, box.blocks);
}

TEST(Read, TakesTheNameOfTheHighestDimension) {
  const Folder folder;
  const auto mesh = read(folder.put("a.msh", replaced(msh_41({}), "\"skin\"", "\"hard\"")));
  EXPECT_EQ(mesh.groups.at("hard"), (Group{3, 9}));
}

// Written by VTK, but for what its writer cannot be told to: the pieces of a parallel run one after the other.
TEST(Read, JoinsThePiecesOfAVtu) {
  auto text = vtu_text();
  const auto begin = text.find("<Piece"), end = text.find("</UnstructuredGrid>");
  text.insert(end, text.substr(begin, end - begin));
  const Folder folder;
  const auto mesh = read(folder.put("a.vtu", text));
  const auto once = sample_mesh();
  ASSERT_EQ(mesh.nodes.size(), 2 * once.nodes.size());
  for (const auto& [elements, tags] : once.blocks) {
    const auto& twice = block(mesh, elements.shape);
    ASSERT_EQ(twice.elements.count(), 2 * elements.count());
    for (std::size_t i = 0; i < elements.nodes.size(); ++i)
      EXPECT_EQ(twice.elements.nodes[elements.nodes.size() + i], elements.nodes[i] + 13);
    EXPECT_TRUE(std::equal(tags.begin(), tags.end(), twice.tags.begin() + static_cast<long>(tags.size())));
  }
}

TEST(Read, TakesSurfaces) {
  const Folder folder;
  const auto obj = read(folder.put(
      "a.obj", "# a square and a line\nv 0 0 0\nv 1 0 0 0.5\nv 1 1 0\nvt 0 0\nv 0 1 0\nf 1/1 2/1/1 -2// 4\nl 4 1\n"));
  EXPECT_THAT(elements(obj, Shape::triangle).nodes, ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(elements(obj, Shape::edge).nodes, ElementsAre(3, 0));
  const auto text =
      read(folder.put("a.stl",
                      "solid some solid name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                      "vertex 1 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                      "vertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid some solid name\n"));
  EXPECT_EQ(text.nodes, obj.nodes);
  EXPECT_EQ(elements(text, Shape::triangle), elements(obj, Shape::triangle));
  std::string bytes(80, 's');
  const auto put = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(std::uint32_t{2});
  for (std::size_t t = 0; t < 2; ++t) {
    for (int i = 0; i < 3; ++i) put(0.0f);
    for (const auto node : elements(obj, Shape::triangle).of(t))
      for (const double x : obj.nodes[static_cast<std::size_t>(node)]) put(static_cast<float>(x));
    put(std::uint16_t{0});
  }
  const auto binary = read(folder.put("b.stl", bytes));
  EXPECT_EQ(binary.nodes, obj.nodes);
  EXPECT_EQ(binary.blocks, text.blocks);
}

struct Case {
  std::string name, content, expected;
};

TEST(Read, SaysWhatIsWrongAndWhere) {
  const auto text22 = msh_22({}), text41 = msh_41({});
  const auto binary41 = msh_41({.binary = true});
  const Case cases[] = {
      {"a.ply", "", "should end in one of .msh .vtk .vtu .node .ele .obj .stl"},
      {"a.msh", "", "no $MeshFormat"},
      {"a.msh", "solid cube\n", "a.msh:1: found 'solid'"},
      {"a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "version 4.0 is not read"},
      {"a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "gmsh FILE -save -format msh41"},
      {"a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n", "Gmsh format 1"},
      {"a.msh", "$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "data size 4"},
      {"a.msh", "$MeshFormat\n4.1 1 8\n\0\0\0\1\n$EndMeshFormat\n"s, "byte order of another machine"},
      {"a.msh", replaced(text22, "100 15 2", "100 999 2"), "element type 999 is not known"},
      {"a.msh", replaced(text22, "101 4 4", "101 11 4"), "second-order tetrahedra (Gmsh element type 11)"},
      {"a.msh", replaced(text22, "101 4 4 7 5 0 -3 3", "101 4 4 7 5 0 -3 4"), "element 101 names node 4"},
      {"a.msh", replaced(text22, "$Nodes\n13\n41", "$Nodes\n13\n3"), "two nodes have number 3"},
      {"a.msh", replaced(text22, "$Nodes\n13\n", "$Nodes\n13\nx"), "a.msh:15: found 'x41' where a node number"},
      {"a.msh", replaced(text22, "$Nodes\n13\n", "$Nodes\n12\n"), "does not end where its counts say"},
      {"a.msh", replaced(text22, "$Nodes\n13\n", "$Nodes\n1000000000000000000\n"), "found '$EndNodes'"},
      {"a.msh", replaced(text41, "3 13 3 1000000", "3 999999999999999999 3 1000000"), "the blocks hold 13"},
      {"a.msh", replaced(text41, "9 9 1 200", "9 10 1 200"), "10 elements are announced, the blocks hold 9"},
      {"a.msh", replaced(text41, "$EndNodes", "$EndNode"), "$EndNodes missing"},
      {"a.msh", replaced(text41, "$EndPeriodic", "$EndPerod"), "$EndPeriodic is missing"},
      {"a.msh", text22.substr(0, text22.find("$Elements")), "no edges, triangles, tetrahedra or hexahedra"},
      {"a.msh", replaced(text41, "\"hard\"", "hard"), "should stand in quotes"},
      {"a.msh", binary41.substr(0, binary41.find("$EndElements") - 20), "section $Elements: the file ends"},
      {"a.msh", replaced(text22, "$Nodes", "$ParametricNodes"), "parametric nodes"},
      {"a.msh", replaced(text22, "103 7 0", "103 12 0"), "second-order hexahedra (Gmsh element type 12)"},
      {"a.vtk", "", "a.vtk:1: this is no legacy VTK file"},
      {"a.vtk", replaced(vtk_text(), "\n3 0 1 2", "\n99 0 1 2"),
       "cell 1 has 99 corners, but the CELLS line leaves room for 38"},
      {"a.vtk", replaced(vtk_text(), "9 44", "9 45"), "found 'CELL_TYPES' where the corners of a cell should stand"},
      {"a.vtk", replaced(vtk_text(), "9 44", "8 44"), "announces 44 numbers, the cells hold 41"},
      {"a.vtk", replaced(vtk_text(), "CELL_TYPES 9", "CELL_TYPES 8"), "CELL_TYPES should have 9 cells"},
      {"a.vtk", replaced(vtk_text(), "POINTS 13", "POINTS 500000000000000"), "more than the file can hold"},
      {"a.vtk", replaced(vtk_text(), "0 1 3 4", "0 1 3 13"), "element 3 names node 13, which the file does not define"},
      {"a.vtk", replaced(vtk_text(), "10\n5\n14", "10\n5\n24"), "cell 2 is of higher order (VTK cell type 24)"},
      {"a.vtk", replaced(vtk_text(), "10\n5\n14", "10\n10\n14"), "cell 1 has 3 corners, its type (tetrahedra) has 4"},
      {"a.vtk", replaced(vtk_text(), "10\n5\n14", "10\n5\n99"),
       "cell 2 is of the VTK cell type 99, which is not known"},
      {"a.vtk", replaced(replaced(vtk_text(), "Material int", "Material double"), "7\n7\n0", "7\n7\n9.5"),
       "cell 2 has 9.5"},
      {"a.vtk", replaced(vtk_text(), "UNSTRUCTURED_GRID", "POLYDATA"), "DATASET UNSTRUCTURED_GRID is needed"},
      {"a.vtk", replaced(vtk_version_5(), "OFFSETS", "CELL_TYPES"), "found 'cell_types' where offsets should stand"},
      {"a.vtk", replaced(vtk_version_5(), " 35", " 34"), "found '0' where a section should begin"},
      {"a.vtu", "<nothing/>", "holds no unstructured grid"},
      {"a.vtu", "<VTKFile", "a.vtu:1: cannot be read as VTK's XML"},
      {"a.vtu", replaced(vtu_text(), "10 5 14 10", "10 5 13 10"), "cell 2 has 5 corners, its type (prisms) has 6"},
      {"a.vtu", replaced(vtu_text(), "4 7 12", "4 7 -1"), "the corners of cell 2 go from 7 to -1"},
      {"a.vtu", replaced(vtu_text(), " 35 ", " 36 "), "the corners of cell 8 go from 33 to 36, but there are 35"},
      {"a.vtu", replaced(vtu_text(), "NumberOfCells=\"9\"", "NumberOfCells=\"8\""), "needed are 8, one for each cell"},
      {"a.vtu", replaced(vtu_text(), "NumberOfPoints=\"13\"", "NumberOfPoints=\"14\""),
       "array without a name of Points"},
      {"a.vtu", replaced(vtu_text(), "UnstructuredGrid\" version", "PolyData\" version"), "its type is 'PolyData'"},
  };
  for (const auto& [name, content, expected] : cases) {
    SCOPED_TRACE(expected);
    const Folder folder;
    EXPECT_THAT(complaint_of_read(folder.put(name, content)),
                AllOf(StartsWith(folder.path / name), HasSubstr(expected)));
  }
}

TEST(Read, NamesMissingFiles) {
  const Folder folder;
  for (const std::string name : {"a.msh", "a.vtk", "a.vtu", "a.node", "a.ele"}) {
    EXPECT_THAT(complaint_of_read(folder.path / name), AllOf(HasSubstr(name.substr(0, 3)), HasSubstr("no such file")));
  }
  EXPECT_THAT(complaint_of_read(folder.put("a.ele", tetgen_ele(0))), HasSubstr("a.node is missing"));
  EXPECT_THAT(complaint_of_read(folder.put("b.node", tetgen_node(0))), HasSubstr("b.ele is missing"));
}

TEST(Read, SaysWhatIsWrongWithTetGenFiles) {
  const Case cases[] = {
      {"a.node", replaced(tetgen_node(1), "5  3  1", "5  2  1"), "a.node:3: the nodes have dimension 2"},
      {"a.node", replaced(tetgen_node(1), "5  3  1", "6  3  1"), "cut short"},
      {"a.node", replaced(tetgen_node(1), "  2  ", "  two  "), "a.node:5: found 'two'"},
      {"a.node", replaced(tetgen_node(1), "  1  0\t0\t", "  1  0 "),
       "a.node:4: a node needs at least 6 numbers, found 5"},
      {"a.node", "5 3\n1 0 0\n", "a.node:2: a node needs at least 4 numbers, found 3"},
      {"a.ele", replaced(tetgen_ele(1), "3 4 2", "3 10 2"), "a.ele:1: tetrahedra of 10 nodes"},
      {"a.ele", replaced(tetgen_ele(1), "3 4 2", "9000000000000 4 2"), "cut short"},
      {"a.ele", replaced(tetgen_ele(1), "3 4 2", "3 4 3"), "a.ele:2: a tetrahedron needs at least 8 numbers, found 7"},
      {"a.ele", replaced(tetgen_ele(1), "7.0", "7.5"), "a.ele:2: the region of an element must be a whole number"},
      {"a.ele", replaced(tetgen_ele(1), "2 1 2 4 5", "2 1 2 4 0"), "element 2 names node 0"},
      {"a.ele", "0 4 0\n", "no edges, triangles"},
  };
  for (const auto& [name, content, expected] : cases) {
    SCOPED_TRACE(expected);
    const Folder folder;
    folder.put("a.node", tetgen_node(1));
    folder.put("a.ele", tetgen_ele(1));
    folder.put(name, content);
    EXPECT_THAT(complaint_of_read(folder.path / "a.ele"), HasSubstr(expected));
  }
}

TEST(Read, PrintsNothing) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const Folder folder;
  complaint_of_read(folder.put("a.vtk", "# vtk DataFile Version 3.0\n"));
  complaint_of_read(folder.put("a.vtu", "<VTKFile"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace proxima::mesh
