#include "apps/proxima/surface.hpp"

#include <algorithm>

namespace proxima::app {
namespace {

// Elements that are there: not a second energy on them, nor a load on a surface.
bool shown(const model::Region& region, mesh::Shape shape) {
  return region.elements.shape == shape && !region.overlay && !region.load;
}

// Collects pieces by the mesh's own node numbers; made compact at the end.
class Collector {
 public:
  explicit Collector(const model::Model& model) : model_(model), place_(model.mesh.nodes.size(), unused) {}

  Surface collect() {
    for (const auto& face : mesh::boundary_faces(model_.mesh)) {
      const auto element = static_cast<std::ptrdiff_t>(mesh::first_element(model_.mesh, face.shape) + face.element);
      for (int i = 2; i < face.count; ++i)
        add_triangle({face.corners[0], face.corners[i - 1], face.corners[i]}, element);
    }
    for (const auto& region : model_.regions)
      if (shown(region, mesh::Shape::triangle))
        for (std::size_t e = 0; e < region.elements.count(); ++e) {
          const auto nodes = region.elements.of(e);
          add_triangle({nodes[0], nodes[1], nodes[2]}, number(region, e));
        }
    for (const auto& region : model_.regions)
      if (shown(region, mesh::Shape::edge))
        for (std::size_t e = 0; e < region.elements.count(); ++e) {
          const auto nodes = region.elements.of(e);
          lines_.push_back({nodes[0], nodes[1]});
          surface_.elements.push_back(number(region, e));
        }
    return compact();
  }

 private:
  static constexpr std::int32_t unused = -1;

  std::ptrdiff_t number(const model::Region& region, std::size_t element) const {
    if (region.numbers.empty()) return -1;
    return static_cast<std::ptrdiff_t>(mesh::first_element(model_.mesh, region.elements.shape)) +
           region.numbers[element];
  }

  void add_triangle(const std::array<std::int32_t, 3>& corners, std::ptrdiff_t element) {
    triangles_.push_back(corners);
    surface_.elements.push_back(element);
  }

  Surface compact() {
    for (const auto& corners : triangles_)
      for (const auto node : corners) place_[node] = 0;
    for (const auto& corners : lines_)
      for (const auto node : corners) place_[node] = 0;
    for (std::size_t node = 0; node < place_.size(); ++node) {
      if (place_[node] == unused) continue;
      place_[node] = static_cast<std::int32_t>(surface_.nodes.size());
      surface_.nodes.push_back(static_cast<std::int32_t>(node));
    }
    const auto at = [&](std::int32_t node) { return static_cast<std::uint32_t>(place_[node]); };
    for (const auto& [a, b, c] : triangles_) surface_.triangles.push_back({at(a), at(b), at(c)});
    for (const auto& [a, b] : lines_) surface_.lines.push_back({at(a), at(b)});
    return std::move(surface_);
  }

  const model::Model& model_;
  std::vector<std::int32_t> place_;
  std::vector<std::array<std::int32_t, 3>> triangles_;
  std::vector<std::array<std::int32_t, 2>> lines_;
  Surface surface_;
};

}  // namespace

std::vector<double> Surface::at_nodes(std::span<const double> values, std::size_t components) const {
  std::vector<double> result;
  result.reserve(components * nodes.size());
  for (const auto node : nodes) {
    const auto own = values.subspan(components * static_cast<std::size_t>(node), components);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

Surface surface_of(const model::Model& model) { return Collector(model).collect(); }

}  // namespace proxima::app
