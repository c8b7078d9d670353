// The user functions of a scene: its controllers, and losses.
#include <set>

#include "runtime/model/scene_values.hpp"

namespace proxima::model {
namespace {

using Json = SceneValues::Json;
using Of = NodeObservation::Of;

std::variant<TimeObservation, NodeObservation> observation(const Json& value, const SceneValues& values,
                                                           const std::string& where) {
  if (!value.is_object()) return TimeObservation{};
  const std::string of = value["of"];
  NodeObservation result;
  result.of = of == "position" ? Of::position : of == "displacement" ? Of::displacement : Of::velocity;
  result.select = values.selection(value["select"], where + ".select");
  result.each = value["each"];
  result.by_mass = value["mean"] == "mass";
  if (value.contains("relative_to"))
    result.relative_to = values.selection(value["relative_to"], where + ".relative_to");
  return result;
}

}  // namespace

FunctionSource read_function(Json& value, const SceneValues& values, const std::string& where) {
  FunctionSource result{values.path(value["file"]), value["name"], {}, {}};
  for (const auto& [name, input] : value["inputs"].items())
    result.inputs.emplace_back(name, observation(input, values, fmt::format("{}.inputs.{}", where, name)));
  result.parameters = values.weights(value["parameters"]);
  return result;
}

std::vector<ControllerSource> read_controllers(Json& scene, const SceneValues& values) {
  std::vector<ControllerSource> result;
  std::set<std::string> names;
  for (std::size_t i = 0; i < scene["controllers"].size(); ++i) {
    const auto where = fmt::format("controllers[{}]", i);
    Json& value = scene["controllers"][i];
    ControllerSource controller{value["name"], read_function(value["function"], values, where + ".function"), {}};
    if (!names.insert(controller.name).second)
      values.refuse(where, "there is a controller '{}' already", controller.name);
    if (value["drives"].empty()) values.refuse(where + ".drives", "is empty, at least one is needed");
    for (const Json& drive : value["drives"])
      controller.drives.push_back({drive["output"], drive["materials"], drive["parameter"]});
    result.push_back(std::move(controller));
  }
  return result;
}

}  // namespace proxima::model
