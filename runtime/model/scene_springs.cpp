// The springs and attachments of a scene.
#include <algorithm>

#include "runtime/model/scene_values.hpp"

namespace proxima::model {
namespace {

using Json = SceneValues::Json;

// Names of materials, springs and attachments are all different: results and optimize tell them apart by name.
std::string new_name(const Json& value, const Scene& scene, const SceneValues& values, const std::string& where) {
  const std::string name = value["name"];
  const auto has_name = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  };
  const bool material = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                    [&](const BodySource& body) { return has_name(body.materials); });
  if (material || has_name(scene.springs) || has_name(scene.attachments))
    values.refuse(where, "something named '{}' is there already", name);
  return name;
}

}  // namespace

void read_springs(const Json& json, const SceneValues& values, Scene& scene) {
  for (std::size_t i = 0; i < json["springs"].size(); ++i) {
    const auto where = fmt::format("springs[{}]", i);
    const Json& value = json["springs"][i];
    SpringSource spring{new_name(value, scene, values, where),
                        values.selection(value["from"], where + ".from"),
                        values.selection(value["to"], where + ".to"),
                        value["stiffness"],
                        {}};
    if (value["rest"].is_number()) spring.rest = value["rest"].get<double>();
    scene.springs.push_back(std::move(spring));
  }
  for (std::size_t i = 0; i < json["attachments"].size(); ++i) {
    const auto where = fmt::format("attachments[{}]", i);
    const Json& value = json["attachments"][i];
    AttachmentSource attachment{new_name(value, scene, values, where),
                                values.selection(value["select"], where + ".select"),
                                value["stiffness"],
                                {}};
    if (value.contains("to")) attachment.to = value["to"].get<Vector3>();
    scene.attachments.push_back(std::move(attachment));
  }
}

}  // namespace proxima::model
