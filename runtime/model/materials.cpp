#include "runtime/model/materials.hpp"

#include <algorithm>
#include <map>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/element_kind.hpp"
#include "runtime/model/element_selection.hpp"
#include "runtime/model/value_files.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

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
    fail("{}: {} numbers, the region of material '{}' has {} {}{}", file.string(), found, region.name,
         region.elements.count(), plural(region.elements.shape),
         wanted == region.elements.count() ? "" : " and each needs 3");
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

// Makes the regions of one body.
class BodyMaterials {
 public:
  BodyMaterials(const Scene& scene, const BodySource& body, const mesh::Mesh& mesh,
                const std::vector<std::int32_t>& node_map)
      : scene_(scene), body_(body), mesh_(mesh), node_map_(node_map), chosen_(body.materials.size()) {
    for (const auto& material : body.materials)
      shapes_.push_back(material.shape ? std::vector{*material.shape} : default_shapes(mesh));
    share_out();
  }

  std::vector<Region> regions(const EnergyLoader& load_energy) const {
    std::vector<Region> result;
    for (std::size_t m = 0; m < body_.materials.size(); ++m)
      for (const auto shape : shapes_[m])
        if (shape == mesh::Shape::stencil || !chosen_[m].at(shape).empty()) add(m, shape, load_energy, result);
    return result;
  }

 private:
  using Numbers = std::vector<std::int32_t>;

  std::string key(std::size_t m) const { return fmt::format("{}materials[{}]", body_.key, m); }
  std::string where(std::size_t m) const { return fmt::format("{}: {}", scene_.file.string(), key(m)); }

  const Candidates& of(mesh::Shape shape) {
    const auto found = candidates_.find(shape);
    if (found != candidates_.end()) return found->second;
    auto& result = candidates_[shape] = candidates(mesh_, shape);
    owner_[shape].assign(result.elements.count(), none);
    return result;
  }

  void take(std::size_t m, mesh::Shape shape, std::int32_t element) {
    auto& owner = owner_.at(shape)[static_cast<std::size_t>(element)];
    if (owner != none)
      fail("{}.region: {} {} is in material '{}' already; regions must not overlap (\"all\" means all the rest)",
           where(m), mesh::shape_row(shape).label, element, body_.materials[owner].name);
    owner = static_cast<std::int32_t>(m);
    chosen_[m][shape].push_back(element);
  }

  // "all" takes what the others leave.
  void share_out() {
    for (const bool rest : {false, true})
      for (std::size_t m = 0; m < body_.materials.size(); ++m)
        if (std::holds_alternative<All>(body_.materials[m].region) == rest) share_out(m, rest);
    for (const auto& block : mesh_.blocks)
      if (mesh::shape_row(block.elements.shape).dimension == 3) require_all(block.elements.shape);
  }

  void share_out(std::size_t m, bool rest) {
    const auto& region = body_.materials[m].region;
    std::size_t count = 0, candidate_count = 0;
    for (const auto shape : shapes_[m]) {
      if (shape == mesh::Shape::stencil) return;
      const auto& all = of(shape);
      auto& mine = chosen_[m][shape];
      for (const auto element : select_elements(region, all, mesh_, where(m) + ".region"))
        if (!rest || owner_[shape][static_cast<std::size_t>(element)] == none) take(m, shape, element);
      count += mine.size();
      candidate_count += all.elements.count();
    }
    if (count > 0) return;
    const auto shape = shapes_[m].front();
    if (rest && candidate_count > 0)
      fail("{}.region: \"all\" is all the rest, and the other materials leave no {}", where(m), plural(shape));
    fail_empty(region, std::string(mesh::shape_row(shape).name), mesh_, where(m) + ".region");
  }

  void require_all(mesh::Shape shape) {
    of(shape);
    const auto& owner = owner_.at(shape);
    const auto left = std::count(owner.begin(), owner.end(), none);
    if (left > 0)
      fail(
          "{}: {}materials: {} of {} {} have none (the first is {} {}); a material with \"region\": \"all\" takes the "
          "rest",
          scene_.file.string(), body_.key, left, owner.size(), plural(shape), mesh::shape_row(shape).label,
          std::find(owner.begin(), owner.end(), none) - owner.begin());
  }

  mesh::Elements stencils(std::size_t m) const {
    const auto& lists = body_.materials[m].stencils;
    mesh::Elements result{mesh::Shape::stencil, static_cast<int>(lists[0].size()), {}};
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const auto node : lists[i]) {
        const auto size = static_cast<std::int64_t>(node_map_.size());
        if (node >= size || node_map_[node] < 0)
          fail("{}.stencils[{}]: node {} {}", where(m), i, node,
               node < size ? "belongs to no element and was left out"
                           : fmt::format("does not exist, the mesh has nodes 0 to {}", size - 1));
        result.nodes.push_back(node_map_[node]);
      }
    return result;
  }

  void set_region_elements(std::size_t m, mesh::Shape shape, Region& region) const {
    if (shape == mesh::Shape::stencil) {
      region.elements = stencils(m);
    } else if (const auto& all = candidates_.at(shape); all.listed) {
      set_elements(region, mesh_, shape, chosen_[m].at(shape));
      region.own_numbers = region.numbers;
    } else {
      region.elements = mesh::subset(all.elements, chosen_[m].at(shape));
    }
  }

  double density(std::size_t m, mesh::Shape shape) const {
    const auto given = body_.materials[m].density;
    if (mesh::shape_row(shape).dimension < 3) return given.value_or(0);
    if (!given) fail("{}: '{}.density' is missing; solids need one, in kg/m^3", scene_.file.string(), key(m));
    if (*given == 0) fail("{}.density: found 0, needed is a number > 0 in kg/m^3", where(m));
    return *given;
  }

  void add(std::size_t m, mesh::Shape shape, const EnergyLoader& load_energy, std::vector<Region>& regions) const {
    const auto& material = body_.materials[m];
    for (std::size_t k = 0; k < material.energies.size(); ++k) {
      const auto& source = material.energies[k];
      const auto here = material.listed ? fmt::format("{}.energies[{}]", key(m), k) : key(m);
      require_file(source.file, scene_, here + ".energy");
      Region region;
      region.name = material.name;
      region.body = body_.name;
      region.energy = load_energy(source.file, source.name);
      set_region_elements(m, shape, region);
      region.density = k == 0 ? density(m, shape) : 0;
      region.overlay = k > 0;
      set_parameters(source, scene_.file.string() + ": " + here, region);
      set_directions(source, scene_.file.string() + ": " + here, region);
      set_damping(material, region);
      regions.push_back(std::move(region));
    }
  }

  static constexpr std::int32_t none = -1;

  const Scene& scene_;
  const BodySource& body_;
  const mesh::Mesh& mesh_;
  const std::vector<std::int32_t>& node_map_;
  std::vector<std::vector<mesh::Shape>> shapes_;            // of each material
  std::map<mesh::Shape, Candidates> candidates_;            // what there is of the shapes asked for,
  std::map<mesh::Shape, std::vector<std::int32_t>> owner_;  // the material of each,
  std::vector<std::map<mesh::Shape, Numbers>> chosen_;      // and each material's
};

}  // namespace

void require_file(const fs::path& file, const Scene& scene, const std::string& key) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) fail("{}: {}: {}: no such file", scene.file.string(), key, file.string());
}

std::vector<Region> body_regions(const Scene& scene, const BodySource& body, const mesh::Mesh& mesh,
                                 const std::vector<std::int32_t>& node_map, const EnergyLoader& load_energy) {
  return BodyMaterials(scene, body, mesh, node_map).regions(load_energy);
}

}  // namespace proxima::model
