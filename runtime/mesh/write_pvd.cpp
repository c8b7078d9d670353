#include <algorithm>
#include <iterator>
#include <string_view>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

constexpr std::pair<char, std::string_view> kEscapes[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    const auto entry = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                    [letter](const auto& escape) { return escape.first == letter; });
    entry == std::end(kEscapes) ? escaped += letter : escaped += entry->second;
  }
  return escaped;
}

}  // namespace

void write_pvd(const std::filesystem::path& file, std::span<const std::pair<double, std::string>> frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [seconds, name] : frames) {
    fmt::format_to(std::back_inserter(text), "    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", seconds,
                   escape(name));
  }
  write_file(file, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace proxima::mesh
