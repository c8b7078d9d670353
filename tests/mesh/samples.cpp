#include "tests/mesh/samples.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <fstream>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::mesh {
namespace {

// Values one behind the other, as text or as bytes.
class Output {
 public:
  explicit Output(bool binary) : binary_(binary) {}
  Output& text(const std::string& raw) { return bytes += raw, *this; }
  Output& integer(std::int32_t value) { return put(value); }
  Output& size(std::uint64_t value) { return put(value); }
  Output& real(double value) { return put(value); }
  Output& end_line() { return binary_ ? *this : text("\n"); }
  Output& end_section(const std::string& name) { return text((binary_ ? "\n$End" : "$End") + name + "\n"); }
  std::string bytes;

 private:
  template <class Value>
  Output& put(Value value) {
    if (binary_) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      bytes += fmt::format("{} ", value);
    }
    return *this;
  }
  bool binary_;
};

Output begin_msh(const char* version, const MshOptions& options) {
  Output out(options.binary);
  out.text(fmt::format("$Comments\nmade by hand\n$EndComments\n$MeshFormat\n{} {} 8\n", version, int{options.binary}));
  if (options.binary) out.integer(1).text("\n");
  out.text("$EndMeshFormat\n");
  if (options.names) {
    out.text("$PhysicalNames\n3\n2 7 \"skin\"\n3 7 \"soft part\"\n3 9 \"hard\"\n$EndPhysicalNames\n");
  }
  return out;
}

// Big-endian, as legacy .vtk wants it.
template <class Value>
std::string swapped(Value value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  return std::string(bytes.rbegin(), bytes.rend());
}

// The numbers that the nodes of the sample have in .msh files.
constexpr std::int64_t kNumber[5] = {3, 10, 11, 40, 1000000};
constexpr int kStored[5] = {4, 1, 0, 3, 2};  // the order in which they are stored

}  // namespace

Folder::Folder() {
  static std::atomic<int> count{0};
  path = std::filesystem::temp_directory_path() / fmt::format("proxima_mesh_{}_{}", ::getpid(), count++);
  std::filesystem::create_directories(path);
}
Folder::~Folder() { std::filesystem::remove_all(path); }

std::filesystem::path Folder::put(const std::string& name, const std::string& content) const {
  std::filesystem::remove(path / name);  // some file systems flush a file that is written anew in place: slow
  std::ofstream(path / name, std::ios::binary) << content;
  return path / name;
}

std::size_t Folder::entries() const {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
}

Mesh sample_mesh() {
  Mesh mesh;
  mesh.nodes = {{0, 0, -0.1}, {0, 0, 1.25}, {1, 0, 0}, {0, 1e-3, 0}, {-1, -1, 1. / 3}};
  auto& [tets, tags] = make_block(mesh, Shape::tetrahedron);
  tets.nodes = {0, 1, 2, 3, 0, 1, 3, 4, 0, 1, 4, 2};
  tags = {7, 9, 7};
  mesh.groups = {{"soft part", {3, 7}}, {"hard", {3, 9}}};
  return mesh;
}

std::string msh_22(const MshOptions& options) {
  const auto mesh = sample_mesh();
  auto out = begin_msh("2.2", options);
  out.text("$Nodes\n5\n");
  for (const int i : kStored) {
    out.integer(static_cast<std::int32_t>(kNumber[i]));
    for (const double x : mesh.nodes[i]) out.real(x);
    out.end_line();
  }
  out.end_section("Nodes").text("$Elements\n6\n");
  // Binary files announce runs of one type; in text each element has the same head.
  std::int32_t element = 100;
  const auto put = [&](std::int32_t type, std::vector<std::int32_t> tags, std::vector<std::int64_t> nodes) {
    const auto tag_count = static_cast<std::int32_t>(tags.size());
    options.binary ? out.integer(type).integer(1).integer(tag_count).integer(element++)
                   : out.integer(element++).integer(type).integer(tag_count);
    for (const auto tag : tags) out.integer(tag);
    for (const auto node : nodes) out.integer(static_cast<std::int32_t>(node));
    out.end_line();
  };
  put(15, {1, 1}, {3});
  put(2, {7, 4}, {3, 10, 11});
  for (int t = 0; t < 3; ++t) {
    std::vector<std::int64_t> nodes;
    for (const int i : mesh.blocks[0].elements.of(t)) nodes.push_back(kNumber[i]);
    put(4, {mesh.blocks[0].tags[t], 1, 0, -3}, nodes);
    if (t == 1) put(5, {}, {3, 10, 11, 40, 3, 10, 11, 40});
  }
  out.end_section("Elements");
  out.text("$NodeData\n1\n\"a view\"\n0\n0\n$EndNodeData\n");
  return out.bytes;
}

std::string msh_41(const MshOptions& options) {
  const auto mesh = sample_mesh();
  auto out = begin_msh("4.1", options);
  const auto box = [&](int coordinates) {
    for (int i = 0; i < coordinates; ++i) out.real(0.5);
  };
  const auto parents = [&] {
    if (options.partitioned) out.integer(3).integer(1).size(2).integer(1).integer(2);
  };
  out.text(options.partitioned ? "$PartitionedEntities\n" : "$Entities\n");
  if (options.partitioned) out.size(2).size(1).integer(9).integer(2).end_line();
  out.size(1).size(0).size(1).size(3).end_line();
  out.integer(1);
  parents();
  box(3);
  out.size(1).integer(44).end_line();
  out.integer(6);
  parents();
  box(6);
  out.size(1).integer(9).size(2).integer(1).integer(-2).end_line();
  // Volume 5 is in groups 7 and 8, volume 6 in 9 with reversed sign, volume 8 in none.
  const std::vector<std::vector<std::int32_t>> groups = {{7, 8}, {-9}, {}};
  for (int i = 0; i < 3; ++i) {
    out.integer(i == 2 ? 8 : 5 + i);
    parents();
    box(6);
    out.size(groups[i].size());
    for (const auto group : groups[i]) out.integer(group);
    out.size(1).integer(6).end_line();
  }
  out.end_section(options.partitioned ? "PartitionedEntities" : "Entities");

  out.text("$Nodes\n").size(3).size(5).size(3).size(1000000).end_line();
  const int begin[] = {0, 2, 2, 5};  // three blocks, one of them empty
  for (int block = 0; block < 3; ++block) {
    out.integer(block + 1).integer(5).integer(options.parametric).size(begin[block + 1] - begin[block]).end_line();
    for (int i = begin[block]; i < begin[block + 1]; ++i) out.size(kNumber[kStored[i]]).end_line();
    for (int i = begin[block]; i < begin[block + 1]; ++i) {
      for (const double x : mesh.nodes[kStored[i]]) out.real(x);
      if (options.parametric) box(block + 1);
      out.end_line();
    }
  }
  out.end_section("Nodes").text("$Periodic\n").size(0).end_line().end_section("Periodic");

  out.text("$Elements\n").size(5).size(5).size(1).size(200).end_line();
  out.integer(2).integer(6).integer(2).size(1).end_line();
  out.size(200).size(3).size(10).size(11).end_line();
  for (int t = 0; t < 3; ++t) {
    if (t == 2) out.integer(3).integer(8).integer(5).size(1).end_line();
    if (t == 2) out.size(77).size(3).size(3).size(3).size(3).size(3).size(3).size(3).size(3).end_line();
    out.integer(3).integer(mesh.blocks[0].tags[t] == 7 ? 5 : 6).integer(4).size(1).end_line();
    out.size(t + 1);
    for (const int i : mesh.blocks[0].elements.of(t)) out.size(kNumber[i]);
    out.end_line();
  }
  out.end_section("Elements");
  return out.bytes;
}

std::string vtk_text() {
  const auto mesh = sample_mesh();
  std::string out = "# vtk DataFile Version 3.0\nsample\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n";
  for (const auto& x : mesh.nodes) out += fmt::format("{}\n", fmt::join(x, " "));
  out += "CELLS 4 19\n4 0 1 2 3\n3 0 1 2\n4 0 1 3 4\n4 0 1 4 2\nCELL_TYPES 4\n10\n5\n10\n10\n";
  return out +
         "CELL_DATA 4\nSCALARS quality double 1\nLOOKUP_TABLE default\n.5 .5 .5 .5\n"
         "SCALARS Material int 1\nLOOKUP_TABLE default\n7\n1\n9\n7\n";
}

std::string vtk_binary() {
  const auto mesh = sample_mesh();
  std::string out = "# vtk DataFile Version 3.0\nsample\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n";
  for (const auto& x : mesh.nodes) {
    for (const double c : x) out += swapped(c);
  }
  out += "\nCELLS 3 15\n";
  for (int t = 0; t < 3; ++t) {
    out += swapped(4);
    for (const int i : mesh.blocks[0].elements.of(t)) out += swapped(i);
  }
  out += "\nCELL_TYPES 3\n" + swapped(10) + swapped(10) + swapped(10);
  return out + "\nCELL_DATA 3\nSCALARS CellEntityIds double 1\nLOOKUP_TABLE default\n" + swapped(7.0) + swapped(9.0) +
         swapped(7.0) + "\n";
}

std::string vtu_text() {
  const auto mesh = sample_mesh();
  std::string points;
  for (const auto& x : mesh.nodes) points += fmt::format("{} ", fmt::join(x, " "));
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"4\">\n<Points><DataArray type=\"Float64\" "
         "NumberOfComponents=\"3\" format=\"ascii\">" +
         points +
         "</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">"
         "0 1 2 3 0 1 2 0 1 3 4 0 1 4 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">"
         "4 7 11 15</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 5 10 10</DataArray>"
         "</Cells>\n<CellData><DataArray type=\"Int64\" Name=\"gmsh:physical\" format=\"ascii\">7 2 9 7</DataArray>"
         "</CellData>\n</Piece></UnstructuredGrid></VTKFile>\n";
}

std::string tetgen_node(int first) {
  const auto mesh = sample_mesh();
  std::string out = "# a comment\n\n5  3  1  1   # nodes, dimension, attributes, markers\n";
  for (int i = 0; i < 5; ++i) out += fmt::format("  {}  {}  0.5 -1\n", i + first, fmt::join(mesh.nodes[i], "\t"));
  return out + "# Generated by hand\n";
}

std::string tetgen_ele(int first) {
  const auto mesh = sample_mesh();
  std::string out = "3 4 2\r\n";
  for (int t = 0; t < 3; ++t) {
    out += fmt::format("{}", t + first);
    for (const int i : mesh.blocks[0].elements.of(t)) out += fmt::format(" {}", i + first);
    out += fmt::format(" 0.25 {}\r\n", t == 1 ? "9" : "7.0");
  }
  return out;
}

std::vector<Sample> all_samples() {
  std::vector<Sample> samples;
  for (const bool binary : {false, true}) {
    const std::string kind = binary ? "binary" : "text";
    samples.push_back({"22" + kind + ".msh", {{"22" + kind + ".msh", msh_22({.binary = binary})}}});
    samples.push_back({"41" + kind + ".msh", {{"41" + kind + ".msh", msh_41({.binary = binary})}}});
  }
  samples.push_back({"text.vtk", {{"text.vtk", vtk_text()}}});
  samples.push_back({"binary.vtk", {{"binary.vtk", vtk_binary()}}});
  samples.push_back({"text.vtu", {{"text.vtu", vtu_text()}}});
  const Folder folder;
  const auto mesh = sample_mesh();
  write_vtu(folder.path / "own.vtu", mesh, std::span(mesh.nodes[0].data(), 15), {}, {});
  samples.push_back({"own.vtu", {{"own.vtu", read_file(folder.path / "own.vtu")}}});
  samples.push_back({"zero.node", {{"zero.node", tetgen_node(0)}, {"zero.ele", tetgen_ele(0)}}});
  samples.push_back({"one.ele", {{"one.ele", tetgen_ele(1)}, {"one.node", tetgen_node(1)}}});
  return samples;
}

std::string complaint_of_read(const std::filesystem::path& file) {
  try {
    read(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace proxima::mesh
