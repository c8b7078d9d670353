// Writers: what they write reads back, appears whole or not at all, and escapes names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::span<const double> flat(const std::vector<Vector3>& nodes) { return {nodes[0].data(), 3 * nodes.size()}; }

TEST(WriteVtu, ReadsBackToTheSameBits) {
  auto mesh = make_ball(4, {0.1, 0.2, 0.3}, 1. / 3);
  auto& tags = mesh.blocks[0].tags;
  for (std::size_t t = 0; t < tags.size(); ++t) tags[t] = static_cast<std::int32_t>(t % 3) - 1;
  auto deformed = mesh.nodes;
  for (auto& x : deformed) x[2] = std::sin(7 * x[0]) + x[2];
  const DataArray velocity{"velocity", 3, std::vector<double>(3 * mesh.nodes.size(), 0.1)};
  const DataArray energy{"energy <density>", 1, std::vector<double>(tags.size(), 1. / 7)};
  const Folder folder;
  write_vtu(folder.path / "a.vtu", mesh, flat(deformed), {&velocity, 1}, {&energy, 1});
  EXPECT_EQ(folder.entries(), 1u);
  const auto again = read(folder.path / "a.vtu");
  EXPECT_EQ(again.nodes, deformed);
  EXPECT_EQ(again.blocks, mesh.blocks);
  const auto content = read_file(folder.path / "a.vtu");
  EXPECT_THAT(content, AllOf(HasSubstr("velocity"), HasSubstr("energy &lt;density&gt;"), HasSubstr("ZLib")));
  // The same mesh gives the same bytes.
  write_vtu(folder.path / "b.vtu", mesh, flat(deformed), {&velocity, 1}, {&energy, 1});
  EXPECT_EQ(read_file(folder.path / "b.vtu"), content);
}

TEST(WriteVtu, RefusesArraysThatDoNotFit) {
  const auto mesh = sample_mesh();
  const DataArray short_one{"v", 3, std::vector<double>(14)};
  const Folder folder;
  EXPECT_THROW(write_vtu(folder.path / "a.vtu", mesh, flat(mesh.nodes), {&short_one, 1}, {}), std::logic_error);
  EXPECT_THROW(write_vtu(folder.path / "a.vtu", mesh, flat(mesh.nodes).first(12), {}, {}), std::logic_error);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(WriteVtu, NamesTheFileThatCannotBeWritten) {
  const auto mesh = sample_mesh();
  testing::internal::CaptureStderr();
  try {
    write_vtu("/no/such/folder/a.vtu", mesh, flat(mesh.nodes), {}, {});
    ADD_FAILURE() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/no/such/folder/a.vtu: cannot be written"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(WriteVtu, SaysWhatTheSystemSaysWhereThereIsNoRoom) {
  const Folder folder;
  const auto mesh = make_ball(8, {0, 0, 0}, 1);
  rlimit whole;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &whole), 0);
  const rlimit small{4096, whole.rlim_max};
  const auto former = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string said;
  try {
    write_vtu(folder.path / "a.vtu", mesh, flat(mesh.nodes), {}, {});
  } catch (const Error& error) {
    said = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &whole);
  std::signal(SIGXFSZ, former);
  EXPECT_THAT(said, testing::EndsWith("a.vtu: cannot be written (File too large)"));
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(WriteVtu, KilledAtAnyMomentLeavesAWholeFile) {
  const Folder folder;
  const auto file = folder.path / "frame.vtu";
  const auto mesh = make_ball(8, {0, 0, 0}, 1);
  write_vtu(file, mesh, flat(mesh.nodes), {}, {});
  for (int milliseconds = 1; milliseconds <= 41; milliseconds += 5) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) write_vtu(file, mesh, flat(mesh.nodes), {}, {});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(read(file).nodes, mesh.nodes) << milliseconds;
  }
}

TEST(WritePvd, ListsTimesAndEscapedNames) {
  const Folder folder;
  const std::vector<std::pair<double, std::string>> frames = {{0, "a.vtu"}, {0.1, "R&D \"<x>\".vtu"}};
  write_pvd(folder.path / "all.pvd", frames);
  const auto text = read_file(folder.path / "all.pvd");
  EXPECT_THAT(text, HasSubstr("<DataSet timestep=\"0\" part=\"0\" file=\"a.vtu\"/>"));
  EXPECT_THAT(text, HasSubstr("<DataSet timestep=\"0.1\" part=\"0\" file=\"R&amp;D &quot;&lt;x&gt;&quot;.vtu\"/>"));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteMsh, ReadsBackToTheSameMesh) {
  auto mesh = make_box({3, 2, 1}, {0, 0, 0}, {1, 1. / 3, 1e-7});
  auto& tags = mesh.blocks[0].tags;
  for (std::size_t t = 0; t < tags.size(); ++t) tags[t] = t < 10 ? 0 : t % 3 == 0 ? 3 : 12;
  mesh.groups = {{"stiff core", {3, 12}}, {"skin", {3, 3}}};
  const Folder folder;
  write_msh(folder.path / "a.msh", mesh);
  const auto again = read(folder.path / "a.msh");
  EXPECT_EQ(again.nodes, mesh.nodes);
  EXPECT_EQ(again.blocks, mesh.blocks);
  EXPECT_EQ(again.groups, mesh.groups);
  tags[0] = -1;
  EXPECT_THROW(write_msh(folder.path / "a.msh", mesh), Error);
}

TEST(Write, EveryShapeReadsBackFromEveryFormat) {
  const auto mesh = sample_mesh();
  const Folder folder;
  for (const char* name : {"a.msh", "a.vtu", "a.vtk"}) {
    SCOPED_TRACE(name);
    write(folder.path / name, mesh);
    const auto again = read(folder.path / name);
    EXPECT_EQ(again.nodes, mesh.nodes);
    EXPECT_EQ(again.blocks, mesh.blocks);
  }
  EXPECT_EQ(read(folder.path / "a.msh").groups, mesh.groups);
  EXPECT_THROW(write(folder.path / "a.node", mesh), Error);
}

// Triangles and edges as they are, solids by their boundary.
TEST(Write, ObjHoldsTheSurface) {
  const Folder folder;
  const auto sheet = make_triangle_grid({2, 3}, {0, 0, 0}, {1. / 3, 0, 0}, {0, 1, 0});
  write(folder.path / "sheet.obj", sheet);
  EXPECT_EQ(read(folder.path / "sheet.obj").nodes, sheet.nodes);
  EXPECT_EQ(read(folder.path / "sheet.obj").blocks, sheet.blocks);
  const auto box = make_hexahedra({3, 3, 3}, {0, 0, 0}, {1, 1, 1});
  write(folder.path / "box.obj", box);
  const auto surface = read(folder.path / "box.obj");
  EXPECT_EQ(surface.nodes.size(), 64u - 8u);  // inner nodes are left out
  EXPECT_EQ(elements(surface, Shape::triangle).count(), 2u * 6 * 9);
}

}  // namespace
}  // namespace proxima::mesh
