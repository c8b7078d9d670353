#include "tests/mesh/samples.hpp"

#include <fmt/ranges.h>
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

// The numbers that the nodes of the sample have in .msh files, and the order in which they are stored there.
constexpr std::int64_t kNumber[13] = {3, 10, 11, 40, 41, 50, 51, 52, 53, 60, 61, 62, 1000000};
constexpr int kStored[13] = {4, 1, 0, 3, 2, 12, 11, 10, 9, 8, 5, 6, 7};

// The elements of the sample, mixed, as files may have them; and one that is left out.
struct Listed {
  int gmsh, vtk;  // types
  std::vector<std::int32_t> nodes;
  std::int32_t tag;
  int dimension, entity;  // in .msh 4.1
};
std::vector<Listed> listed() {
  return {{4, 10, {0, 1, 2, 3}, 7, 3, 5},
          {2, 5, {0, 1, 2}, 7, 2, 6},
          {7, 14, {5, 6, 7, 8, 0}, 0, 3, 8},
          {4, 10, {0, 1, 3, 4}, 9, 3, 6},
          {5, 12, {5, 6, 7, 8, 9, 10, 11, 12}, 9, 3, 6},
          {1, 3, {5, 6}, 2, 1, 4},
          {2, 5, {5, 6, 7}, 7, 2, 6},
          {4, 10, {0, 1, 4, 2}, 7, 3, 5},
          {1, 3, {12, 0}, 0, 1, 5}};
}

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
  mesh.nodes = {{0, 0, -0.1}, {0, 0, 1.25}, {1, 0, 0},    {0, 1e-3, 0}, {-1, -1, 1. / 3}, {2, 0, 0}, {3, 0, 0},
                {3, 1, 0},    {2, 1.5, 0},  {2, 0, 0.25}, {3, 0, 1},    {3, 1, 1},        {2, 1, 1}};
  const auto put = [&](Shape shape, std::vector<std::int32_t> nodes, std::vector<std::int32_t> tags) {
    auto& added = make_block(mesh, shape);
    added.elements.nodes = std::move(nodes);
    added.tags = std::move(tags);
  };
  put(Shape::edge, {5, 6, 12, 0}, {2, 0});
  put(Shape::triangle, {0, 1, 2, 5, 6, 7}, {7, 7});
  put(Shape::tetrahedron, {0, 1, 2, 3, 0, 1, 3, 4, 0, 1, 4, 2}, {7, 9, 7});
  put(Shape::hexahedron, {5, 6, 7, 8, 9, 10, 11, 12}, {9});
  mesh.groups = {{"skin", {2, 7}}, {"soft part", {3, 7}}, {"hard", {3, 9}}};
  return mesh;
}

Mesh sample_tetrahedra() {
  auto mesh = sample_mesh();
  mesh.blocks = {block(mesh, Shape::tetrahedron)};
  mesh.nodes.resize(5);
  return mesh;
}

double enclosed_volume(const Mesh& mesh) {
  double sum = 0;
  const auto boundary = boundary_triangles(mesh);
  for (std::size_t t = 0; t < boundary.count(); ++t) {
    const auto corners = boundary.of(t);
    const auto &a = mesh.nodes[corners[0]], &b = mesh.nodes[corners[1]], &c = mesh.nodes[corners[2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

std::string msh_22(const MshOptions& options) {
  const auto mesh = sample_mesh();
  auto out = begin_msh("2.2", options);
  out.text("$Nodes\n13\n");
  for (const int i : kStored) {
    out.integer(static_cast<std::int32_t>(kNumber[i]));
    for (const double x : mesh.nodes[i]) out.real(x);
    out.end_line();
  }
  out.end_section("Nodes").text("$Elements\n10\n");
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
  for (const auto& [gmsh, vtk, nodes, tag, dimension, entity] : listed()) {
    std::vector<std::int64_t> numbers;
    for (const int i : nodes) numbers.push_back(kNumber[i]);
    // Gmsh writes the entity and partitions as further tags; there may be none at all.
    put(gmsh, tag == 0 ? std::vector<std::int32_t>{} : std::vector{tag, entity, 0, -3}, numbers);
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
  out.size(1).size(2).size(1).size(3).end_line();
  out.integer(1);
  parents();
  box(3);
  out.size(1).integer(44).end_line();
  for (const int curve : {4, 5}) {
    out.integer(curve);
    parents();
    box(6);
    curve == 4 ? out.size(1).integer(2) : out.size(0);
    out.size(0).end_line();
  }
  out.integer(6);
  parents();
  box(6);
  out.size(1).integer(7).size(2).integer(1).integer(-2).end_line();
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

  out.text("$Nodes\n").size(3).size(13).size(3).size(1000000).end_line();
  const int begin[] = {0, 2, 2, 13};  // three blocks, one of them empty
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

  const auto elements = listed();
  out.text("$Elements\n").size(elements.size()).size(elements.size()).size(1).size(200).end_line();
  std::uint64_t number = 200;
  for (const auto& [gmsh, vtk, nodes, tag, dimension, entity] : elements) {
    out.integer(dimension).integer(entity).integer(gmsh).size(1).end_line().size(number--);
    for (const int i : nodes) out.size(kNumber[i]);
    out.end_line();
  }
  out.end_section("Elements");
  return out.bytes;
}

std::string vtk_text() {
  const auto mesh = sample_mesh();
  std::string out = "# vtk DataFile Version 3.0\nsample\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 13 double\n";
  for (const auto& x : mesh.nodes) out += fmt::format("{}\n", fmt::join(x, " "));
  std::string cells, types, tags;
  for (const auto& each : listed()) {
    cells += fmt::format("{} {}\n", each.nodes.size(), fmt::join(each.nodes, " "));
    types += fmt::format("{}\n", each.vtk);
    tags += fmt::format("{}\n", each.tag);
  }
  out += "CELLS 9 44\n" + cells + "CELL_TYPES 9\n" + types;
  return out + "POINT_DATA 13\nNORMALS n float\n" + fmt::format("{}", fmt::join(std::vector<int>(39, 1), " ")) +
         "\nCELL_DATA 9\nSCALARS quality double 1\nLOOKUP_TABLE default\n.5 .5 .5 .5 .5 .5 .5 .5 .5\n"
         "SCALARS Material int\nLOOKUP_TABLE default\n" +
         tags;
}

std::string vtk_binary() {
  const auto mesh = sample_mesh();
  std::string out = "# vtk DataFile Version 3.0\nsample\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 13 double\n";
  for (const auto& x : mesh.nodes) {
    for (const double c : x) out += swapped(c);
  }
  std::string cells, types, tags;
  for (const auto& each : listed()) {
    cells += swapped(static_cast<std::int32_t>(each.nodes.size()));
    for (const auto node : each.nodes) cells += swapped(node);
    types += swapped(each.vtk);
    tags += swapped(static_cast<double>(each.tag));
  }
  return out + "\nCELLS 9 44\n" + cells + "\nCELL_TYPES 9\n" + types +
         "\nCELL_DATA 9\nFIELD FieldData 1\nCellEntityIds 1 9 double\n" + tags + "\nMETADATA\nINFORMATION 0\n\n";
}

std::string vtk_version_5() {
  const auto mesh = sample_mesh();
  std::string out = "# vtk DataFile Version 5.1\nvtk output\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 13 double\n";
  for (const auto& x : mesh.nodes) out += fmt::format("{} ", fmt::join(x, " "));
  std::string offsets = "0 ", corners, types, tags;
  std::size_t end = 0;
  for (const auto& each : listed()) {
    offsets += fmt::format("{} ", end += each.nodes.size());
    corners += fmt::format("{} ", fmt::join(each.nodes, " "));
    types += fmt::format("{}\n", each.vtk);
    tags += fmt::format("{} ", each.tag);
  }
  return out + "\nCELLS 10 35\nOFFSETS vtktypeint64\n" + offsets + "\nCONNECTIVITY vtktypeint64\n" + corners +
         "\nCELL_TYPES 9\n" + types + "\nCELL_DATA 9\nSCALARS region vtkIdType\nLOOKUP_TABLE default\n" + tags + "\n";
}

std::string vtu_text() {
  const auto mesh = sample_mesh();
  std::string points, corners, offsets, types, tags;
  for (const auto& x : mesh.nodes) points += fmt::format("{} ", fmt::join(x, " "));
  std::size_t end = 0;
  for (const auto& each : listed()) {
    corners += fmt::format("{} ", fmt::join(each.nodes, " "));
    offsets += fmt::format("{} ", end += each.nodes.size());
    types += fmt::format("{} ", each.vtk);
    tags += fmt::format("{} ", each.tag);
  }
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<UnstructuredGrid><Piece NumberOfPoints=\"13\" NumberOfCells=\"9\">\n<Points><DataArray type=\"Float64\" "
         "NumberOfComponents=\"3\" format=\"ascii\">" +
         points + "</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">" +
         corners + "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">" + offsets +
         "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" + types +
         "</DataArray></Cells>\n<CellData><DataArray type=\"Int64\" Name=\"gmsh:physical\" format=\"ascii\">" + tags +
         "</DataArray></CellData>\n</Piece></UnstructuredGrid></VTKFile>\n";
}

std::string tetgen_node(int first) {
  const auto mesh = sample_tetrahedra();
  std::string out = "# a comment\n\n5  3  1  1   # nodes, dimension, attributes, markers\n";
  for (int i = 0; i < 5; ++i) out += fmt::format("  {}  {}  0.5 -1\n", i + first, fmt::join(mesh.nodes[i], "\t"));
  return out + "# Generated by hand\n";
}

std::string tetgen_ele(int first) {
  const auto mesh = sample_tetrahedra();
  std::string out = "3 4 2\r\n";
  for (int t = 0; t < 3; ++t) {
    out += fmt::format("{}", t + first);
    for (const int i : mesh.blocks[0].elements.of(t)) out += fmt::format(" {}", i + first);
    out += fmt::format(" 0.25 {}\r\n", t == 1 ? "9" : "7.0");
  }
  return out;
}

std::vector<Sample> all_samples() {
  const auto mesh = sample_mesh();
  std::vector<Sample> samples;
  const auto add = [&](const std::string& name, const std::string& content) {
    samples.push_back({name, {{name, content}}, mesh});
  };
  for (const bool binary : {false, true}) {
    const std::string kind = binary ? "binary.msh" : "text.msh";
    add("22" + kind, msh_22({.binary = binary}));
    add("41" + kind, msh_41({.binary = binary}));
  }
  add("text.vtk", vtk_text());
  add("binary.vtk", vtk_binary());
  add("version5.vtk", vtk_version_5());
  add("text.vtu", vtu_text());
  const Folder folder;
  write_vtu(folder.path / "own.vtu", mesh, std::span(mesh.nodes[0].data(), 3 * mesh.nodes.size()), {}, {});
  add("own.vtu", read_file(folder.path / "own.vtu"));
  for (const int first : {0, 1})
    samples.push_back({first == 0 ? "a.node" : "a.ele",
                       {{"a.node", tetgen_node(first)}, {"a.ele", tetgen_ele(first)}},
                       sample_tetrahedra()});
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
