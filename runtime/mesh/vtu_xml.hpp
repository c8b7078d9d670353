// The XML of a .vtu file: the arrays that make up its grid, with their values still as the file holds them. Internal to
// the room.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::mesh {

using XmlAttributes = std::map<std::string, std::string, std::less<>>;

struct VtuArray {
  std::string section;  // "Points", "Cells" or "CellData"
  XmlAttributes attributes;
  std::string text;  // between its tags
};

struct VtuPiece {
  XmlAttributes attributes;
  std::vector<VtuArray> arrays;
};

struct VtuDocument {
  XmlAttributes attributes;  // of <VTKFile>
  std::vector<VtuPiece> pieces;
  std::string appended_encoding;  // "raw", "base64", or "" where there is no <AppendedData>
  std::string_view appended;      // what stands behind its _, to the end of the content
};

// Throws Error naming `file`, and the line, where the XML is not well formed or is no unstructured grid. `content` must
// outlive the result.
VtuDocument read_vtu_xml(const std::string& file, std::string_view content);

}  // namespace proxima::mesh
