#include "runtime/model/materials.hpp"

#include <algorithm>
#include <map>

#include "compiler/derive/local_step.hpp"
#include "compiler/support/error.hpp"
#include "runtime/model/element_selection.hpp"
#include "runtime/model/region_inputs.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

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
    auto& result = candidates_[shape];
    try {
      result = candidates(mesh_, shape);
    } catch (const Error& error) {  // of triangles that have no hinges
      fail("{}: {}mesh: {}", scene_.file.string(), body_.key, error.what());
    }
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
      fail("{}.region: \"all\" is all the rest, and the other materials leave no {}", where(m),
           mesh::shape_row(shape).plural);
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
          scene_.file.string(), body_.key, left, owner.size(), mesh::shape_row(shape).plural,
          mesh::shape_row(shape).label, std::find(owner.begin(), owner.end(), none) - owner.begin());
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

  void set_mass(std::size_t m, Region& region) const {
    const auto& given = body_.materials[m].density;
    const int dimension = mesh::shape_row(region.elements.shape).dimension;
    if (!given && dimension == 3)
      fail("{}: '{}.density' is missing; solids need one, in kg/m^3", scene_.file.string(), key(m));
    if (!given) return;
    set_density(*given, mesh_, where(m) + ".density", region);
    if (region.density == 0 && dimension == 3) fail("{}.density: found 0, needed is a number > 0 in kg/m^3", where(m));
  }

  void set_proximal(std::size_t m, const std::string& here, Region& region) const {
    const auto* damping = std::get_if<double>(&body_.materials[m].stiffness_damping);
    if (damping == nullptr || *damping != 0)
      fail("{}: {}.form: proximal is beside 'damping.stiffness', which is there for energies as they are written only",
           scene_.file.string(), here);
    try {
      region.energy = std::make_shared<ir::Energy>(derive::moreau_envelope(*region.energy));
    } catch (const Error& error) {
      fail("{}: {}.form: {}", scene_.file.string(), here, error.what());
    }
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
      if (source.proximal) set_proximal(m, here, region);
      set_region_elements(m, shape, region);
      region.overlay = k > 0;
      if (!region.overlay) set_mass(m, region);
      set_parameters(source, mesh_, scene_.file.string() + ": " + here, region);
      set_directions(source, mesh_, scene_.file.string() + ": " + here, region);
      set_damping(material, mesh_, where(m), region);
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
