#include "runtime/model/controller.hpp"

#include <cmath>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/model/model.hpp"

namespace proxima::model {
namespace {

void check_observation(const Observation& observation, const ir::FunctionInput& input, std::size_t nodes,
                       const std::string& who) {
  if (observation.components() != input.components)
    fail("{}: its input '{}' has {} components, {} are given", who, input.name, input.components,
         observation.components());
  for (const auto& point : observation.points) {
    if (point.nodes.empty() || point.nodes.size() != point.weights.size())
      fail("{}: its input '{}' is of {} nodes with {} weights", who, input.name, point.nodes.size(),
           point.weights.size());
    for (const auto node : point.nodes)
      if (node < 0 || static_cast<std::size_t>(node) >= nodes)
        fail("{}: its input '{}': node {} does not exist, the mesh has nodes 0 to {}", who, input.name, node,
             nodes - 1);
  }
}

void check_drive(const Model& model, const Drive& drive, const ir::Function& function, const std::string& who) {
  if (drive.output >= function.outputs.size() || drive.component >= function.outputs[drive.output].roots.size())
    fail("{}: function '{}' has no output {} with a component {}", who, function.name, drive.output, drive.component);
  if (drive.region >= model.regions.size() || drive.parameter >= model.regions[drive.region].energy->parameters.size())
    fail("{}: drives parameter {} of region {}, which does not exist", who, drive.parameter, drive.region);
  const Region& region = model.regions[drive.region];
  const auto& parameter = region.energy->parameters[drive.parameter];
  if (!is_driven(region, drive.parameter))
    fail("{}: parameter '{}' of region '{}' is not marked as driven", who, parameter.name, region.name);
  if (drive.parameter < region.signals.size() && !region.signals[drive.parameter].empty())
    fail("{}: parameter '{}' of region '{}' is driven and has key frames, it must have one of them", who,
         parameter.name, region.name);
  if (region.parameters[drive.parameter].size() != 1)
    fail("{}: parameter '{}' of region '{}' is driven and has {} values, it must have one", who, parameter.name,
         region.name, region.parameters[drive.parameter].size());
}

}  // namespace

void check_inputs(const ir::Function& function, const std::vector<Observation>& inputs, std::size_t nodes,
                  const std::string& who) {
  if (inputs.size() != function.inputs.size())
    fail("{}: {} inputs are given, the function '{}' has {}", who, inputs.size(), function.name,
         function.inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) check_observation(inputs[k], function.inputs[k], nodes, who);
}

void check_parameters(const ir::Function& function, const std::vector<std::vector<double>>& parameters,
                      const std::string& who) {
  if (parameters.size() != function.parameters.size())
    fail("{}: {} parameters are given, the function '{}' has {}", who, parameters.size(), function.name,
         function.parameters.size());
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const auto& declared = function.parameters[k];
    if (parameters[k].size() != declared.components())
      fail("{}: '{}' has {} values, it needs {}", who, declared.name, parameters[k].size(), declared.components());
    for (const double value : parameters[k])
      if (!(value > declared.lower && value < declared.upper && std::isfinite(value)))
        fail("{}: '{}' is {}, it must satisfy {}", who, declared.name, value, interval_text(declared));
  }
}

void check_controllers(const Model& model) {
  std::set<std::pair<std::size_t, std::size_t>> driven;
  for (const Controller& controller : model.controllers) {
    const auto who = fmt::format("controller '{}'", controller.name);
    if (!controller.function) fail("{} has no function", who);
    check_inputs(*controller.function, controller.inputs, model.mesh.nodes.size(), who);
    check_parameters(*controller.function, controller.parameters, who);
    if (controller.drives.empty()) fail("{} drives nothing", who);
    for (const Drive& drive : controller.drives) {
      check_drive(model, drive, *controller.function, who);
      if (!driven.emplace(drive.region, drive.parameter).second)
        fail("{}: parameter '{}' of region '{}' is driven twice", who,
             model.regions[drive.region].energy->parameters[drive.parameter].name, model.regions[drive.region].name);
    }
  }
  for (std::size_t r = 0; r < model.regions.size(); ++r)
    for (std::size_t k = 0; k < model.regions[r].driven.size(); ++k)
      if (is_driven(model.regions[r], k) && !driven.contains({r, k}))
        fail("region '{}': parameter '{}' is marked as driven, but no controller drives it", model.regions[r].name,
             model.regions[r].energy->parameters[k].name);
}

std::string interval_text(const ir::FunctionParameter& parameter) {
  return interval_text(
      ir::Parameter{parameter.name, parameter.unit, 0, parameter.lower, parameter.upper, parameter.where});
}

std::vector<std::vector<double>> default_parameters(const ir::Function& function) {
  std::vector<std::vector<double>> values;
  values.reserve(function.parameters.size());
  for (const auto& parameter : function.parameters) values.push_back(parameter.default_values);
  return values;
}

}  // namespace proxima::model
