#include "runtime/model/function_inputs.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/select.hpp"
#include "runtime/model/value_files.hpp"

namespace proxima::model {
namespace {

using Nodes = std::vector<std::int32_t>;

// Adds sign times the mean of the nodes, counted alike or by mass.
void add_mean(const Nodes& nodes, double sign, const std::vector<double>* mass, ObservedPoint& point) {
  double total = 0;
  for (const auto node : nodes) total += mass != nullptr ? (*mass)[static_cast<std::size_t>(node)] : 1;
  for (const auto node : nodes) {
    point.nodes.push_back(node);
    point.weights.push_back(sign * (mass != nullptr ? (*mass)[static_cast<std::size_t>(node)] : 1) / total);
  }
}

// Minus what it is at rest.
void from_rest(const mesh::Mesh& mesh, ObservedPoint& point) {
  for (std::size_t j = 0; j < point.nodes.size(); ++j)
    for (std::size_t axis = 0; axis < 3; ++axis)
      point.offset[axis] -= point.weights[j] * mesh.nodes[static_cast<std::size_t>(point.nodes[j])][axis];
}

Observation observation(const NodeObservation& source, const Model& model, const std::vector<double>& mass,
                        const std::string& where) {
  const auto* by_mass = source.by_mass ? &mass : nullptr;
  const Nodes nodes = select_nodes(source.select, model, where + ".select");
  Observation result;
  result.of = source.of == NodeObservation::Of::velocity ? Observation::Of::velocity : Observation::Of::position;
  if (source.each)
    for (const auto node : nodes) result.points.push_back({{node}, {1}});
  else
    add_mean(nodes, 1, by_mass, result.points.emplace_back());
  const Nodes base = source.relative_to ? select_nodes(*source.relative_to, model, where + ".relative_to") : Nodes();
  for (auto& point : result.points) {
    add_mean(base, -1, by_mass, point);
    if (source.of == NodeObservation::Of::displacement) from_rest(model.mesh, point);
  }
  return result;
}

// The place of `name` among `declared`, which have a name each.
template <class Declared>
std::size_t number_of(const Declared& declared, const std::string& name, const char* kind, const ir::Function& function,
                      const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < declared.size(); ++k) {
    if (declared[k].name == name) return k;
    names.push_back(declared[k].name);
  }
  const auto nearest = nearest_name(name, names);
  if (!nearest.empty())
    fail("{}: the function '{}' has no {} '{}'; did you mean '{}'?", where, function.name, kind, name, nearest);
  fail("{}: the function '{}' has no {} '{}'; it has {}", where, function.name, kind, name,
       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

// Every region of a material that has the parameter, and which of its energy's it is.
std::vector<std::pair<std::size_t, std::size_t>> find_parameter(const Model& model, const std::string& material,
                                                                const std::string& name, const std::string& where) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::vector<std::string> materials, names;
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const Region& region = model.regions[r];
    materials.push_back(region.name);
    if (region.name != material) continue;
    for (std::size_t k = 0; k < region.energy->parameters.size(); ++k) {
      names.push_back(region.energy->parameters[k].name);
      if (names.back() == name) found.emplace_back(r, k);
    }
  }
  if (!found.empty()) return found;
  if (names.empty()) fail("{}: there is no material '{}'; there are {}", where, material, fmt::join(materials, ", "));
  fail("{}: material '{}' has no parameter '{}'; it has {}", where, material, name, fmt::join(names, ", "));
}

void add_drive(const DriveSource& source, const std::string& where, Model& model, Controller& controller) {
  const auto& function = *controller.function;
  if (source.output.empty() && function.outputs.size() > 1)
    fail("{}.output: is missing; the function '{}' has {} outputs", where, function.name, function.outputs.size());
  const std::size_t output =
      source.output.empty() ? 0 : number_of(function.outputs, source.output, "output", function, where + ".output");
  const std::size_t components = function.outputs[output].roots.size();
  if (source.materials.empty() || (components > 1 && components != source.materials.size()))
    fail("{}.materials: {} are listed, the output '{}' has {} components, one for each", where, source.materials.size(),
         function.outputs[output].name, components);
  for (std::size_t k = 0; k < source.materials.size(); ++k) {
    for (const auto& [region, parameter] : find_parameter(model, source.materials[k], source.parameter, where)) {
      controller.drives.push_back({output, components > 1 ? k : 0, region, parameter});
      model.regions[region].driven.resize(model.regions[region].energy->parameters.size());
      model.regions[region].driven[parameter] = 1;
    }
  }
}

}  // namespace

std::vector<Observation> observations(const FunctionSource& source, const ir::Function& function, const Model& model,
                                      const std::vector<double>& mass, const std::string& where) {
  std::vector<Observation> result(function.inputs.size());
  std::vector<char> given(result.size());
  for (const auto& [name, what] : source.inputs) {
    const std::size_t k = number_of(function.inputs, name, "input", function, where + ".inputs");
    given[k] = 1;
    if (const auto* nodes = std::get_if<NodeObservation>(&what))
      result[k] = observation(*nodes, model, mass, fmt::format("{}.inputs.{}", where, name));
  }
  for (std::size_t k = 0; k < given.size(); ++k)
    if (given[k] == 0)
      fail("{}.inputs.{}: is missing; the function '{}' asks for it", where, function.inputs[k].name, function.name);
  check_inputs(function, result, model.mesh.nodes.size(), where);
  return result;
}

std::vector<std::vector<double>> function_parameters(const FunctionSource& source, const ir::Function& function,
                                                     const std::string& where) {
  auto result = default_parameters(function);
  for (const auto& [name, value] : source.parameters) {
    auto& values = result[number_of(function.parameters, name, "parameter", function, where + ".parameters")];
    if (const auto* number = std::get_if<double>(&value))
      std::ranges::fill(values, *number);
    else
      values = read_numbers(std::get<std::filesystem::path>(value));
  }
  check_parameters(function, result, where);
  return result;
}

void add_controllers(const Scene& scene, const FunctionLoader& load, const std::vector<double>& mass, Model& model) {
  for (std::size_t i = 0; i < scene.controllers.size(); ++i) {
    const auto& source = scene.controllers[i];
    const auto where = fmt::format("{}: controllers[{}]", scene.file.string(), i);
    Controller controller;
    controller.name = source.name;
    controller.function = load(source.function.file, source.function.name);
    controller.inputs = observations(source.function, *controller.function, model, mass, where + ".function");
    controller.parameters = function_parameters(source.function, *controller.function, where + ".function");
    for (std::size_t d = 0; d < source.drives.size(); ++d)
      add_drive(source.drives[d], fmt::format("{}.drives[{}]", where, d), model, controller);
    model.controllers.push_back(std::move(controller));
  }
}

}  // namespace proxima::model
