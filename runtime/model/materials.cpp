#include "runtime/model/materials.hpp"

#include <algorithm>
#include <charconv>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

// Numbers separated by white space.
std::vector<double> read_numbers(const fs::path& file) {
  const auto content = read_file(file);
  std::vector<double> result;
  int line = 1;
  const char* at = content.data();
  const char* const end = at + content.size();
  while (true) {
    for (; at < end && std::isspace(static_cast<unsigned char>(*at)); ++at) line += *at == '\n';
    if (at == end) return result;
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (after < end && !std::isspace(static_cast<unsigned char>(*after)))) {
      const auto* word_end = std::find_if(at, end, [](unsigned char letter) { return std::isspace(letter); });
      fail("{}:{}: found '{}', needed is a number", file.string(), line, std::string(at, word_end));
    }
    result.push_back(value);
    at = after;
  }
}

// The place of a name among those that the energy declares.
std::size_t declared_place(const std::string& name, const std::vector<std::string>& known, const std::string& what,
                           const ir::Energy& energy, const std::string& where) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const auto nearest = nearest_name(name, known);
  const auto hint = nearest.empty()
                        ? fmt::format("it has {}", known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))
                        : fmt::format("did you mean '{}'?", nearest);
  fail("{}: the energy '{}' has no {} '{}'; {}", where, energy.name, what, name, hint);
}

void check_count(const fs::path& file, std::size_t found, std::size_t wanted, const Region& region) {
  if (found != wanted)
    fail("{}: {} numbers, the region of material '{}' has {} tetrahedra{}", file.string(), found, region.name,
         region.elements.count(), wanted == region.elements.count() ? "" : " and each needs 3");
}

void set_parameters(const EnergySource& source, const std::string& where, Region& region) {
  std::vector<std::string> known;
  for (const auto& parameter : region.energy->parameters) {
    known.push_back(parameter.name);
    region.parameters.push_back({parameter.default_value});
  }
  for (const auto& [name, value] : source.parameters) {
    const auto k = declared_place(name, known, "parameter", *region.energy, where + ".parameters");
    auto& values = region.parameters[k];
    if (const auto* file = std::get_if<fs::path>(&value)) {
      values = read_numbers(*file);
      check_count(*file, values.size(), region.elements.count(), region);
    } else if (const auto* signal = std::get_if<Signal>(&value)) {
      region.signals.resize(known.size());
      region.signals[k] = *signal;
      values = {signal_value(*signal, 0)};
    } else {
      values = {std::get<double>(value)};
    }
  }
}

void set_directions(const EnergySource& source, const std::string& where, Region& region) {
  std::vector<std::string> known;
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    known.push_back(input.name);
    auto& field = region.directions.emplace_back();
    if (!input.initial.empty()) field = {{input.initial[0], input.initial[1], input.initial[2]}};
  }
  for (const auto& [name, value] : source.directions) {
    auto& field = region.directions[declared_place(name, known, "direction", *region.energy, where + ".directions")];
    if (const auto* file = std::get_if<fs::path>(&value)) {
      const auto numbers = read_numbers(*file);
      check_count(*file, numbers.size(), 3 * region.elements.count(), region);
      field.clear();
      for (std::size_t i = 0; i < numbers.size(); i += 3) field.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    } else {
      field = {std::get<Vector3>(value)};
    }
  }
}

// The mass is the first energy's to damp; stiffness is that of all that store energy.
void set_damping(const MaterialSource& material, Region& region) {
  if (!region.overlay) region.damping.mass = material.mass_damping;
  if (region.energy->dissipation) return;
  if (const auto* file = std::get_if<fs::path>(&material.stiffness_damping)) {
    region.damping.stiffness = read_numbers(*file);
    check_count(*file, region.damping.stiffness.size(), region.elements.count(), region);
  } else if (const double value = std::get<double>(material.stiffness_damping); value > 0) {
    region.damping.stiffness = {value};
  }
}

// The tets of each material; "all" takes what the others leave.
std::vector<std::vector<std::int32_t>> region_tets(const Scene& scene, const mesh::Mesh& mesh) {
  const auto where = [&](std::size_t m) { return fmt::format("{}: materials[{}].region", scene.file.string(), m); };
  std::vector<std::vector<std::int32_t>> result(scene.materials.size());
  std::vector<int> owner(mesh::elements(mesh, mesh::Shape::tetrahedron).count(), -1);
  const auto take = [&](std::size_t m, std::int32_t tet) {
    owner[tet] = static_cast<int>(m);
    result[m].push_back(tet);
  };
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    if (std::holds_alternative<All>(scene.materials[m].region)) continue;
    for (const auto tet : select_tets(scene.materials[m].region, mesh, where(m))) {
      if (owner[tet] >= 0) {
        fail("{}: tet {} is in material '{}' already; regions must not overlap (\"all\" means all the rest)", where(m),
             tet, scene.materials[owner[tet]].name);
      }
      take(m, tet);
    }
  }
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    if (!std::holds_alternative<All>(scene.materials[m].region)) continue;
    for (std::size_t tet = 0; tet < owner.size(); ++tet) {
      if (owner[tet] < 0) take(m, static_cast<std::int32_t>(tet));
    }
    if (result[m].empty()) fail("{}: \"all\" is all the rest, and the other materials leave no tetrahedra", where(m));
  }
  const auto left = std::count(owner.begin(), owner.end(), -1);
  if (left > 0) {
    fail(
        "{}: materials: {} of {} tetrahedra have none (the first is tet {}); a material with \"region\": \"all\" takes "
        "the rest",
        scene.file.string(), left, owner.size(), std::find(owner.begin(), owner.end(), -1) - owner.begin());
  }
  return result;
}

}  // namespace

void require_file(const fs::path& file, const Scene& scene, const std::string& key) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) fail("{}: {}: {}: no such file", scene.file.string(), key, file.string());
}

void add_materials(const Scene& scene, const EnergyLoader& load_energy, Model& model) {
  const auto tets = region_tets(scene, model.mesh);
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    const auto& material = scene.materials[m];
    for (std::size_t k = 0; k < material.energies.size(); ++k) {
      const auto& source = material.energies[k];
      const auto key = fmt::format("materials[{}]{}", m, material.listed ? fmt::format(".energies[{}]", k) : "");
      require_file(source.file, scene, key + ".energy");
      Region region;
      region.name = material.name;
      region.energy = load_energy(source.file, source.name);
      set_elements(region, model.mesh, mesh::Shape::tetrahedron, tets[m]);
      region.density = k == 0 ? material.density : 0;
      region.overlay = k > 0;
      set_parameters(source, scene.file.string() + ": " + key, region);
      set_directions(source, scene.file.string() + ": " + key, region);
      set_damping(material, region);
      model.regions.push_back(std::move(region));
    }
  }
}

}  // namespace proxima::model
