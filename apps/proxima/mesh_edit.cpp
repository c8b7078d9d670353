// proxima mesh check, repair and convert.
#include <fmt/ranges.h>

#include "apps/proxima/mesh_commands.hpp"
#include "compiler/support/error.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/quality.hpp"

namespace proxima::app {
namespace {

constexpr int kFaults = 1;

}  // namespace

int mesh_check(const std::filesystem::path& file) {
  const auto faults = mesh::find_faults(mesh::read(file));
  for (const auto& fault : faults) fmt::print("{}\n", fault);
  fmt::print("{}: {}\n", file.string(),
             faults.empty() ? "nothing is wrong" : "see above; 'proxima mesh repair' mends some of it");
  return faults.empty() ? 0 : kFaults;
}

int mesh_repair(const std::filesystem::path& file, const std::filesystem::path& output, double tolerance) {
  auto mesh = mesh::read(file);
  const auto counts = mesh::repair(mesh, tolerance, file.string());
  mesh::write(output, mesh);
  const std::pair<std::size_t, const char*> done[] = {
      {counts.merged_nodes, "nodes merged into others"},
      {counts.degenerate, "degenerate elements dropped"},
      {counts.duplicates, "elements dropped that stood there already"},
      {counts.flipped_solids, "solids turned that were inside out"},
      {counts.flipped_triangles, "triangles turned"},
      {counts.unused_nodes, "nodes dropped that no element used"},
  };
  std::size_t all = 0;
  for (const auto& [count, what] : done) {
    all += count;
    if (count > 0) fmt::print("{} {}\n", count, what);
  }
  for (const auto& [name, count] : mesh.left_out) fmt::print("{} {} left out\n", count, name);
  if (all == 0) fmt::print("nothing to mend\n");
  fmt::print("{}: {} nodes\n", output.string(), mesh.nodes.size());
  return 0;
}

int mesh_convert(const ConvertOptions& options) {
  auto mesh = mesh::read(options.file);
  for (auto& x : mesh.nodes)
    for (std::size_t c = 0; c < 3; ++c) x[c] = options.scale * x[c] + options.translate[c];
  mesh::write(options.output, mesh);
  for (const auto& [name, count] : mesh.left_out) fmt::print("{} {} left out\n", count, name);
  fmt::print("{}: {} nodes\n", options.output.string(), mesh.nodes.size());
  return 0;
}

}  // namespace proxima::app
