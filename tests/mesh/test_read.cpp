// read(): every format gives the same mesh, and every complaint names what is wrong and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::AllOf;
using testing::HasSubstr;
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
    expect_sample(mesh);
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
  EXPECT_EQ(read(folder.put("a.msh", no_entities)).blocks[0].tags, (std::vector<std::int32_t>{0, 0, 0}));
  EXPECT_EQ(read(folder.put("a.vtk", replaced(vtk_text(), "Material", "colour"))).blocks[0].tags,
            (std::vector<std::int32_t>{0, 0, 0}));
}

struct Case {
  std::string name, content, expected;
};

TEST(Read, SaysWhatIsWrongAndWhere) {
  const auto text22 = msh_22({}), text41 = msh_41({});
  const auto binary41 = msh_41({.binary = true});
  const Case cases[] = {
      {"a.stl", "", "should end in one of .msh .vtk .vtu .node .ele"},
      {"a.msh", "", "no $MeshFormat"},
      {"a.msh", "solid cube\n", "a.msh:1: found 'solid'"},
      {"a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "version 4.0 is not read"},
      {"a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "gmsh FILE -save -format msh41"},
      {"a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n", "Gmsh format 1"},
      {"a.msh", "$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "data size 4"},
      {"a.msh", "$MeshFormat\n4.1 1 8\n\0\0\0\1\n$EndMeshFormat\n"s, "byte order of another machine"},
      {"a.msh", replaced(text22, "100 15 2", "100 999 2"), "element type 999 is not known"},
      {"a.msh", replaced(text22, "102 4 4", "102 11 4"), "second-order tetrahedra (Gmsh element type 11)"},
      {"a.msh", replaced(text22, "102 4 4 7 1 0 -3 3", "102 4 4 7 1 0 -3 4"), "element 102 names node 4"},
      {"a.msh", replaced(text22, "$Nodes\n5\n1000000", "$Nodes\n5\n3"), "two nodes have number 3"},
      {"a.msh", replaced(text22, "$Nodes\n5\n", "$Nodes\n5\nx"), "a.msh:15: found 'x1000000' where a node number"},
      {"a.msh", replaced(text22, "$Nodes\n5\n", "$Nodes\n4\n"), "does not end where its counts say"},
      {"a.msh", replaced(text22, "$Nodes\n5\n", "$Nodes\n1000000000000000000\n"), "found '$EndNodes'"},
      {"a.msh", replaced(text41, "3 5 3 1000000", "3 999999999999999999 3 1000000"), "the blocks hold 5"},
      {"a.msh", replaced(text41, "5 5 1 200", "5 6 1 200"), "6 elements are announced, the blocks hold 5"},
      {"a.msh", replaced(text41, "$EndNodes", "$EndNode"), "$EndNodes missing"},
      {"a.msh", replaced(text41, "$EndPeriodic", "$EndPerod"), "$EndPeriodic is missing"},
      {"a.msh", text22.substr(0, text22.find("$Elements")), "no tetrahedra"},
      {"a.msh", replaced(text41, "\"hard\"", "hard"), "should stand in quotes"},
      {"a.msh", binary41.substr(0, binary41.find("$EndElements") - 20), "section $Elements: the file ends"},
      {"a.msh", replaced(text22, "$Nodes", "$ParametricNodes"), "parametric nodes"},
      {"a.vtk", "", "a.vtk:1: this is no legacy VTK file"},
      {"a.vtk", replaced(vtk_text(), "\n3 0 1 2", "\n99 0 1 2"),
       "cell 1 has 99 corners, but the CELLS line leaves room for 13"},
      {"a.vtk", replaced(vtk_text(), "4 19", "4 20"), "announces 20 numbers, the cells hold 19"},
      {"a.vtk", replaced(vtk_text(), "CELL_TYPES 4", "CELL_TYPES 3"), "CELL_TYPES should have 4 cells"},
      {"a.vtk", replaced(vtk_text(), "POINTS 5", "POINTS 500000000000000"), "more than the file can hold"},
      {"a.vtk", replaced(vtk_text(), "0 1 3 4", "0 1 3 5"), "cell 2 names node 5, but nodes go from 0 to 4"},
      {"a.vtk", replaced(vtk_text(), "10\n5\n10", "10\n5\n24"), "cell 2 is a tetrahedron of higher order"},
      {"a.vtk", replaced(vtk_text(), "10\n5\n10", "10\n10\n10"), "cell 1 is a tetrahedron with 3 corners"},
      {"a.vtk", replaced(replaced(vtk_text(), "Material int", "Material double"), "7\n1\n9", "7\n1\n9.5"),
       "cell 2 has 9.5"},
      {"a.vtk", replaced(vtk_text(), "UNSTRUCTURED_GRID", "POLYDATA"), "cannot be read"},
      {"a.vtu", "<nothing/>", "cannot be read"},
      {"a.vtu", replaced(vtu_text(), "10 5 10 10", "12 5 13 13"), "no tetrahedra among its 4 cells"},
      {"a.vtu", replaced(vtu_text(), "4 7 11 15", "4 7 11 19"), "\"connectivity\" array is not long enough"},
      {"a.vtu", replaced(vtu_text(), "4 7 11 15", "4 7 -1 15"), "\"offsets\" array is not monotonically increasing"},
      {"a.vtu", replaced(vtu_text(), "<UnstructuredGrid>", "<PolyData>"), "cannot be read"},
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
      {"a.ele", "0 4 0\n", "no tetrahedra"},
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
