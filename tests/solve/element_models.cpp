#include "tests/solve/element_models.hpp"

#include <cmath>
#include <map>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "tests/derive/measures.hpp"

namespace proxima::bodies {
namespace {

const std::map<std::string, std::string> sample_of = {{"solid_with_inputs", "solid_on_tetrahedron"},
                                                      {"kelvin_voigt", "dissipation_on_tetrahedron"},
                                                      {"membrane", "membrane_on_triangle"},
                                                      {"spring", "spring_on_edge"},
                                                      {"hinge", "hinge_on_stencil"}};

void distort(std::vector<mesh::Vector3>& nodes, double size) {
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i) nodes[n][i] += size * std::sin(12.9898 * static_cast<double>(3 * n + i + 1));
}

model::Region region_of(const std::string& name, const std::string& sample, double density) {
  model::Region region;
  region.name = name;
  region.energy = hand_written(sample);
  region.density = density;
  for (const auto& parameter : region.energy->parameters) region.parameters.push_back({parameter.default_value});
  for (const auto& input : region.energy->inputs)
    if (input.kind == ir::InputKind::direction) region.directions.push_back({{0.5, 1, -0.25}});
  return region;
}

void add_elements(model::Model& model, const std::string& name, const std::string& sample, mesh::Elements elements,
                  double density) {
  model::Region region = region_of(name, sample, density);
  region.elements = std::move(elements);
  // One parameter an element, so that both ways of giving one are met.
  auto& first = region.parameters.front();
  const double value = first[0];
  first.clear();
  for (std::size_t e = 0; e < region.elements.count(); ++e)
    first.push_back(value * (1 + 0.3 * std::sin(static_cast<double>(e))));
  model.regions.push_back(std::move(region));
}

void add_tets(model::Model& model, const std::string& sample, bool overlay) {
  model::Region region = region_of("body", sample, overlay ? 0 : 2);
  region.overlay = overlay;
  model::set_elements(region, model.mesh, mesh::Shape::tetrahedron);
  model.regions.push_back(std::move(region));
}

}  // namespace

std::shared_ptr<ir::Energy> hand_written(const std::string& sample) {
  auto energy = std::make_shared<ir::Energy>(test::sample_named(sample_of.at(sample)).energy);
  for (auto& input : energy->inputs)
    if (input.kind == ir::InputKind::history) input.initial = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return energy;
}

model::Model make_element_model(const std::string& name) {
  model::Model model;
  const auto is = [&](const char* other) { return name == other || name == "sheet"; };
  if (name == "tetrahedra" || name == "several_energies") {
    model.mesh = mesh::make_box({2, 1, 2}, {0, 0, 0}, {2, 1, 2});
    distort(model.mesh.nodes, 0.1);
    add_tets(model, "solid_with_inputs", false);
    if (name == "several_energies") add_tets(model, "kelvin_voigt", true);
  } else if (name == "hexahedra") {
    auto box = mesh::make_hexahedra({2, 1, 2}, {0, 0, 0}, {2, 1, 2});
    distort(box.nodes, 0.1);
    model.mesh.nodes = box.nodes;
    add_elements(model, "body", "solid_with_inputs", box.blocks[0].elements, 2);
  } else {
    auto grid = mesh::make_triangle_grid({3, 2}, {0, 0, 0}, {3, 0, 0.5}, {0, 2, 1});
    distort(grid.nodes, 0.1);
    model.mesh.nodes = grid.nodes;
    if (is("triangles")) add_elements(model, "cloth", "membrane", grid.blocks[0].elements, 2);
    if (is("edges")) add_elements(model, "threads", "spring", mesh::edges_of(grid.blocks[0].elements), 1);
    if (is("hinges")) add_elements(model, "folds", "hinge", mesh::hinges_of(grid.blocks[0].elements), 0);
    if (name == "hinges")  // something must bring the mass
      add_elements(model, "threads", "spring", mesh::edges_of(grid.blocks[0].elements), 1);
  }
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.resize(model.initial_positions.size());
  model.time_step = 0.1;
  model.steps = 1;
  return model;
}

Interpreted interpret(const model::Model& model, const std::vector<double>& x, const std::vector<double>& direction,
                      const std::vector<double>& previous) {
  Interpreted result{0, std::vector<double>(x.size()), std::vector<double>(x.size())};
  for (const auto& region : model.regions) {
    const auto& elements = region.elements;
    const auto rest = mesh::rest_geometry(elements, model.mesh.nodes, region.name);
    const bool stencil = region.energy->measure == ir::Measure::node_positions;
    const derive::Shape shape{static_cast<std::uint32_t>(rest.corners),
                              stencil ? 0 : static_cast<std::uint32_t>(rest.dimension)};
    const std::vector<bool> per_element(region.parameters.size(), false);
    const auto kernel = [&](derive::Quantity quantity) {
      return derive::element_kernel(*region.energy, quantity, shape, per_element);
    };
    const ir::Kernel kernels[] = {kernel(derive::Quantity::energy), kernel(derive::Quantity::forces),
                                  kernel(derive::Quantity::hessian_vector)};
    const std::size_t width = static_cast<std::size_t>((rest.corners - 1) * rest.dimension);
    for (std::size_t item = 0; item < rest.measure.size(); ++item) {
      const std::size_t e = item / static_cast<std::size_t>(rest.points);
      const auto nodes = elements.of(e);
      std::map<std::string, std::vector<double>> fields;
      for (const auto node : nodes)
        for (std::size_t i = 0; i < 3; ++i) {
          fields["positions"].push_back(x[3 * node + i]);
          fields["direction"].push_back(direction[3 * node + i]);
          fields["previous"].push_back(previous[3 * node + i]);
          fields["rest_positions"].push_back(model.mesh.nodes[node][i]);
        }
      const double* const gradients = rest.gradients.data() + item * width;  // none where the width is 0
      fields["gradients"].assign(gradients, gradients + width);
      fields["volume"] = fields["rest_length"] = {rest.measure[item]};
      fields["time_step"] = {model.time_step};
      for (std::size_t k = 0; k < region.parameters.size(); ++k)
        fields["parameter:" + region.energy->parameters[k].name] = {
            region.parameters[k][region.parameters[k].size() == 1 ? 0 : e]};
      for (const auto& input : region.energy->inputs) {
        if (input.kind == ir::InputKind::history) fields["history:" + input.name] = input.initial;
        if (input.kind != ir::InputKind::direction) continue;
        const auto& v = region.directions[0][0];
        const double length = std::hypot(v[0], v[1], v[2]);
        auto& field = fields["direction:" + input.name];
        for (std::size_t i = 0; i < 3; ++i) {
          const double* axis = rest.frames.empty() ? nullptr : &rest.frames[9 * e + 3 * i];
          field.push_back((axis ? axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2] : v[i]) / length);
        }
      }
      const auto run = [&](const ir::Kernel& which) {
        std::vector<double> inputs;
        for (const auto& field : which.inputs)
          inputs.insert(inputs.end(), fields.at(field.name).begin(), fields.at(field.name).end());
        return ir::evaluate<double>(which, inputs);
      };
      result.energy += run(kernels[0])[0];
      const auto forces = run(kernels[1]), image = run(kernels[2]);
      for (std::size_t c = 0; c < nodes.size(); ++c)
        for (std::size_t i = 0; i < 3; ++i) {
          result.gradient[3 * nodes[c] + i] += forces[3 * c + i];
          result.hessian_vector[3 * nodes[c] + i] += image[3 * c + i];
        }
    }
  }
  return result;
}

}  // namespace proxima::bodies
