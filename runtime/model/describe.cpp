#include "runtime/model/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace proxima::model {
namespace {

// A body larger or smaller than this, in metres, is more likely in other units.
constexpr double largest_plausible = 100, smallest_plausible = 1e-4;
// In lengths of a body. A bar of steel that is bent by its weight by a millionth of its length keeps four digits there.
constexpr double farthest_plausible = 1e4;

std::string values_text(const std::vector<double>& values) {
  if (values.size() == 1) return fmt::format("{:g}", values[0]);
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:g} to {:g}", *lowest, *highest);
}

std::string densities_text(const Region& region) {
  std::vector<double> values = {region.density};
  if (!region.relative_density.empty()) values = region.relative_density;
  for (auto& value : values) value *= region.relative_density.empty() ? 1 : region.density;
  return values_text(values);
}

std::string elements_text(const mesh::Elements& elements) {
  const auto label = mesh::shape_row(elements.shape).label;
  return fmt::format("{} {}{}", elements.count(), label, label.ends_with('x') ? "es" : "s");
}

std::string describe(const Region& region) {
  std::string text = fmt::format("material '{}': also energy {}", region.name, region.energy->name);
  if (!region.overlay)
    text =
        fmt::format("material '{}': {}, energy {}", region.name, elements_text(region.elements), region.energy->name);
  if (region.density > 0)
    text +=
        fmt::format(", density {} kg/{}", densities_text(region), mesh::shape_row(region.elements.shape).measure_unit);
  for (std::size_t k = 0; k < region.parameters.size(); ++k) {
    const auto& parameter = region.energy->parameters[k];
    auto values = region.parameters[k];
    if (varies_in_time(region, k) && !is_driven(region, k)) {
      values.clear();
      for (const auto& key : region.signals[k]) values.push_back(key.value);
    }
    text += fmt::format(", {} = {}{}{}{}", parameter.name, values_text(values), parameter.unit.empty() ? "" : " ",
                        parameter.unit,
                        is_driven(region, k)        ? " (driven)"
                        : varies_in_time(region, k) ? " in time"
                                                    : "");
  }
  if (region.damping.mass > 0) text += fmt::format(", damping by mass {:g} 1/s", region.damping.mass);
  if (!region.damping.stiffness.empty())
    text += fmt::format(", damping by stiffness {} s", values_text(region.damping.stiffness));
  return text;
}

// Those with nodes begin <= node < end, which are a body's: elements are in the order of the bodies, as nodes are.
mesh::Elements elements_from(const mesh::Elements& elements, std::int32_t begin, std::int32_t end) {
  const std::ranges::iota_view<std::size_t, std::size_t> all(0, elements.count());
  const auto first_from = [&](std::int32_t node) {
    const auto found = std::ranges::partition_point(all, [&](std::size_t e) { return elements.of(e)[0] < node; });
    return (found - all.begin()) * elements.corners;
  };
  const auto nodes = elements.nodes.begin();
  return {elements.shape, elements.corners, {nodes + first_from(begin), nodes + first_from(end)}};
}

// What a body is of and how large: ", 12 tets" for each shape and " volume 2 m^3," for each dimension.
struct Extent {
  std::string shapes, measures;
};
Extent extent(const Model& model, const Body& body) {
  static constexpr const char* names[] = {"", "length", "area", "volume"};
  Extent result;
  double total[4] = {};
  for (const auto& [elements, tags] : model.mesh.blocks) {
    const auto mine = elements_from(elements, body.first_node, body.first_node + body.nodes);
    if (mine.count() == 0) continue;
    result.shapes += ", " + elements_text(mine);
    const auto measure = mesh::rest_geometry(mine, model.mesh.nodes, "mesh").measure;
    total[mesh::shape_row(elements.shape).dimension] += std::accumulate(measure.begin(), measure.end(), 0.0);
  }
  for (int dimension = 3; dimension > 0; --dimension)
    if (total[dimension] > 0)
      result.measures += fmt::format(" {} {:.4g} m{},", names[dimension], total[dimension],
                                     dimension == 1 ? "" : fmt::format("^{}", dimension));
  return result;
}

void describe(const Body& body, const std::vector<double>& mass, Built& built) {
  const auto begin = static_cast<std::ptrdiff_t>(body.first_node), end = begin + body.nodes;
  const auto box =
      mesh::bounding_box({{built.model.mesh.nodes.begin() + begin, built.model.mesh.nodes.begin() + end}, {}, {}});
  const Vector3 size = {box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]};
  const auto [shapes, measures] = extent(built.model, body);
  built.notes.push_back(fmt::format("{}: {} nodes{}, {:.4g} x {:.4g} x {:.4g} m,{} mass {:.4g} kg",
                                    body.name.empty() ? "mesh" : fmt::format("body '{}'", body.name), body.nodes,
                                    shapes, size[0], size[1], size[2], measures,
                                    std::accumulate(mass.begin() + begin, mass.begin() + end, 0.0)));
  const double longest = *std::max_element(size.begin(), size.end());
  const auto label = body.name.empty() ? "the body" : fmt::format("body '{}'", body.name);
  if (longest > largest_plausible || longest < smallest_plausible) {
    built.warnings.push_back(
        fmt::format("{} is {:.4g} m long; is the mesh in metres? (\"mesh\": {{\"scale\": 0.001}} is for millimetres)",
                    label, longest));
  }
  double farthest = 0;
  for (std::size_t i = 0; i < 3; ++i) farthest = std::max({farthest, std::abs(box.lower[i]), std::abs(box.upper[i])});
  if (farthest > farthest_plausible * longest) {
    built.warnings.push_back(
        fmt::format("{} is {:.2g} of its lengths away from the origin: the rounding of such coordinates hides small "
                    "displacements of stiff bodies; move the origin to it",
                    label, farthest / longest));
  }
}

// Whether some step of the model ends while the force acts.
bool acts_ever(const NodalForce& force, const Model& model) {
  // The first step that ends about when it begins; acts() knows of rounding.
  const double first = std::max(1.0, std::floor(force.begin / model.time_step));
  for (int later = 0; later <= 2 && first + later <= model.steps; ++later)
    if (acts(force, (first + later) * model.time_step, model.time_step)) return true;
  return false;
}

void warn_of_idle_forces(Built& built) {
  const auto& model = built.model;
  const auto held = held_nodes(model);
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const auto& force = model.forces[f];
    if (std::ranges::all_of(force.nodes, [&](auto node) { return held[static_cast<std::size_t>(node)] != 0; }))
      built.warnings.push_back(fmt::format("forces[{}] is on nodes that are held, so it moves nothing", f));
    if (!acts_ever(force, model))
      built.warnings.push_back(
          fmt::format("forces[{}] acts from {:g} to {:g} s, when no step ends: they end every {:g} s until {:g} s", f,
                      force.begin, force.end, model.time_step, model.steps * model.time_step));
  }
}

}  // namespace

void describe(const std::vector<double>& mass, Built& built) {
  const auto& model = built.model;
  for (const auto& body : model.bodies) describe(body, mass, built);
  for (const auto& region : model.regions)
    built.notes.push_back(region.load
                              ? fmt::format("{}: on {} triangles, as a potential", region.name, region.elements.count())
                              : describe(region));
  for (const auto& load : model.surface_loads)
    built.notes.push_back(fmt::format("{} on {} triangles, by the state at the start of each step",
                                      std::holds_alternative<Hydrodynamics>(load.kind) ? "hydrodynamics" : "pressure",
                                      load.triangles.count()));
  if (model.lumping == Lumping::uniform)
    built.notes.emplace_back("mass: that of the mean element on every node, as in DiffPD; it is not the body's");
  std::size_t held = 0;
  for (const auto& dirichlet : model.dirichlet) held += dirichlet.nodes.size();
  built.notes.push_back(fmt::format("held: {} nodes; gravity [{:g}, {:g}, {:g}] m/s^2; {} steps of {:g} s by {}", held,
                                    model.gravity[0], model.gravity[1], model.gravity[2], model.steps, model.time_step,
                                    integrator_row(model.integrator).name));
  warn_of_idle_forces(built);
}

}  // namespace proxima::model
