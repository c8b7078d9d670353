#include <iterator>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/xml.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
void write_pvd(const std::filesystem::path& file, std::span<const std::pair<double, std::string>> frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [seconds, name] : frames) {
    fmt::format_to(std::back_inserter(text), "    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", seconds,
                   escape_xml(name));
  }
  write_file(file, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace proxima::mesh
