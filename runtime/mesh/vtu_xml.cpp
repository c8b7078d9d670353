#include "runtime/mesh/vtu_xml.hpp"

#include <expat.h>

#include <algorithm>
#include <memory>

#include "compiler/support/error.hpp"

namespace proxima::mesh {
namespace {

constexpr std::string_view kSections[] = {"Points", "Cells", "CellData"};

XmlAttributes attributes_of(const XML_Char** pairs) {
  XmlAttributes result;
  for (; *pairs != nullptr; pairs += 2) result[pairs[0]] = pairs[1];
  return result;
}

// Collects what expat finds. Behind <AppendedData> there may be bytes that are no XML: the parser stops there.
struct Collector {
  XML_Parser parser = nullptr;
  VtuDocument document;
  std::string section;
  std::string kind;  // of the file
  bool saw_appended = false;
  int inside = 0;  // 1 directly in an array that is wanted, more within an element of it (<InformationKey>)
  std::size_t appended_tag = 0;  // where it begins

  void start(std::string_view name, XmlAttributes attributes) {
    if (inside > 0) {
      ++inside;
    } else if (name == "VTKFile") {
      kind = attributes["type"];
      document.attributes = std::move(attributes);
    } else if (name == "Piece") {
      document.pieces.push_back({std::move(attributes), {}});
    } else if (std::find(std::begin(kSections), std::end(kSections), name) != std::end(kSections)) {
      section = name;
    } else if (name == "DataArray" && !section.empty() && !document.pieces.empty()) {
      document.pieces.back().arrays.push_back({section, std::move(attributes), {}});
      inside = 1;
    } else if (name == "AppendedData") {
      document.appended_encoding = attributes["encoding"];
      saw_appended = true;
      appended_tag = static_cast<std::size_t>(XML_GetCurrentByteIndex(parser));
      XML_StopParser(parser, XML_FALSE);
    }
  }
  void end(std::string_view name) {
    if (inside > 0)
      --inside;
    else if (name == section)
      section.clear();
  }
  void text(std::string_view words) {
    if (inside == 1) document.pieces.back().arrays.back().text += words;
  }
};

Collector& collector(void* data) { return *static_cast<Collector*>(data); }

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

}  // namespace

VtuDocument read_vtu_xml(const std::string& file, std::string_view content) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser> parser(XML_ParserCreate(nullptr));
  if (!parser) throw std::bad_alloc();
  Collector found;
  found.parser = parser.get();
  XML_SetUserData(parser.get(), &found);
  XML_SetElementHandler(
      parser.get(),
      [](void* data, const XML_Char* name, const XML_Char** attributes) {
        collector(data).start(name, attributes_of(attributes));
      },
      [](void* data, const XML_Char* name) { collector(data).end(name); });
  XML_SetCharacterDataHandler(parser.get(), [](void* data, const XML_Char* words, int size) {
    collector(data).text({words, static_cast<std::size_t>(size)});
  });

  // In parts, since expat counts in int.
  constexpr std::size_t kPart = 1 << 20;
  for (std::size_t at = 0; !found.saw_appended; at += kPart) {
    const auto part = content.substr(std::min(at, content.size()), kPart);
    const bool last = at + kPart >= content.size();
    const auto status = XML_Parse(parser.get(), part.data(), static_cast<int>(part.size()), last);
    if (status == XML_STATUS_ERROR && !found.saw_appended)
      fail("{}:{}: cannot be read as VTK's XML: {}", file, XML_GetCurrentLineNumber(parser.get()),
           XML_ErrorString(XML_GetErrorCode(parser.get())));
    if (last) break;
  }
  if (found.kind != "UnstructuredGrid" || found.document.pieces.empty())
    fail("{}: holds no unstructured grid of VTK's XML format{}", file,
         found.kind.empty() ? "" : fmt::format(" (its type is '{}')", found.kind.substr(0, 40)));
  if (found.saw_appended) {
    const auto mark = content.find('_', std::min(content.find('>', found.appended_tag), content.size()));
    if (mark == content.npos) fail("{}: the appended data do not begin with _; the file is cut short", file);
    found.document.appended = content.substr(mark + 1);
  }
  return std::move(found.document);
}

}  // namespace proxima::mesh
