// From an array as a .vtu file holds it (text, base64 or raw, uncompressed or by zlib) to its numbers. Internal to the
// room.
#pragma once

#include <string>

#include "runtime/mesh/vtk_values.hpp"
#include "runtime/mesh/vtu_xml.hpp"

namespace proxima::mesh {

// Throws Error naming `file` and the array, where its data are damaged, cut short or compressed in another way. Memory
// stays in proportion to the bytes there are: offsets, sizes and counts of blocks are compared with them first.
VtkValues vtu_values(const VtuDocument& document, const VtuArray& array, const std::string& file);

// An attribute, `otherwise` where it is absent.
std::string_view attribute(const XmlAttributes& attributes, std::string_view name, std::string_view otherwise = "");

}  // namespace proxima::mesh
