// Gmsh's .msh: the header, and the walk through the sections of the version it names.
#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/mesh/msh_input.hpp"
#include "runtime/mesh/readers.hpp"

namespace proxima::mesh {
namespace {

struct Version {
  std::string_view name;
  const SectionReaders& (*sections)();
};

constexpr Version kVersions[] = {
    {"4.1", sections_of_msh_41}, {"2.2", sections_of_msh_22}, {"2.1", sections_of_msh_22},
    {"2", sections_of_msh_22},   {"2.0", sections_of_msh_22},
};

void check_byte_order(MshInput& input) {
  const auto one = input.integer("the number 1");
  if (one == 1) return;
  if (one == 1 << 24) {
    input.fail(
        "the binary values are in the byte order of another machine; convert the file there to text with "
        "'gmsh FILE -save -format msh41 -o converted.msh'");
  }
  input.fail("the header of a binary file should hold the number 1, found {}", one);
}

// Reads $MeshFormat, whose name has been read, and returns the readers for the version it names.
const SectionReaders& read_header(MshInput& input) {
  const auto name = input.text().word("the format version");
  const auto version =
      std::find_if(std::begin(kVersions), std::end(kVersions), [&](const Version& v) { return v.name == name; });
  if (version == std::end(kVersions)) {
    input.fail(
        "format version {} is not read, only 4.1 and 2.2; convert with 'gmsh FILE -save -format msh41 -o "
        "converted.msh'",
        printable(name));
  }
  const auto encoding = input.text().integer("the file type, 0 for text or 1 for binary");
  const auto data_size = input.text().integer("the data size");
  if (encoding != 0 && encoding != 1) input.fail("file type {} is neither 0 for text nor 1 for binary", encoding);
  if (data_size != 8) input.fail("data size {} is not read, only 8", data_size);
  if (encoding == 1) {
    input.text().line();
    input.set_binary();
    check_byte_order(input);
  }
  input.expect_end();
  return version->sections();
}

// Puts the physical group of its entity in the place of each element's tag.
void resolve_entities(const std::map<Group, std::int32_t>& physical, Mesh& mesh) {
  for (auto& [elements, tags] : mesh.blocks) {
    const int dimension = shape_row(elements.shape).dimension;
    for (auto& tag : tags) {
      const auto group = physical.find({dimension, tag});
      tag = group == physical.end() ? 0 : group->second;
    }
  }
}

}  // namespace

Mesh read_msh(const std::string& file, std::string_view bytes) {
  MshInput input(file, bytes);
  MshContent content;
  const SectionReaders* readers = nullptr;
  for (auto section = input.next_section(); !section.empty(); section = input.next_section()) {
    if (readers == nullptr) {
      if (section == "NOD") {
        input.fail(
            "this is Gmsh format 1; only 4.1 and 2.2 are read: convert with 'gmsh FILE -save -format msh41 -o "
            "converted.msh'");
      }
      if (section == "MeshFormat") {
        readers = &read_header(input);
      } else {
        input.skip_section();
      }
      continue;
    }
    const auto reader = readers->find(section);
    reader == readers->end() ? input.skip_section() : reader->second(input, content);
  }
  if (readers == nullptr) fail("{}: no $MeshFormat section; this is no Gmsh file, or it is cut short", file);

  auto mesh = content.mesh.finish(file);
  if (readers == &sections_of_msh_41()) resolve_entities(content.physical, mesh);
  mesh.groups = content.groups;
  return mesh;
}

}  // namespace proxima::mesh
