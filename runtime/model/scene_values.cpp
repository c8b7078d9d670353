#include "runtime/model/scene_values.hpp"

namespace proxima::model {
namespace {

using Json = SceneValues::Json;

Group group(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  return {value.get<std::int32_t>()};
}

SphereShape sphere(const Json& value) { return {value["centre"], value["radius"]}; }

}  // namespace

std::filesystem::path SceneValues::path(Json& value) const {
  const auto result = std::filesystem::absolute(file_.parent_path() / value.get<std::string>()).lexically_normal();
  value = result.string();
  return result;
}

BoxShape SceneValues::box(const Json& value, const std::string& where) const {
  const BoxShape result{value["lower"], value["upper"]};
  for (int i = 0; i < 3; ++i) {
    if (result.lower[i] > result.upper[i]) {
      refuse(where, "lower is {} and upper is {} along {}; lower must not be above upper", result.lower[i],
             result.upper[i], "xyz"[i]);
    }
  }
  return result;
}

Selection SceneValues::selection(const Json& value, const std::string& where) const {
  if (!value.is_object()) return {All{}};
  const std::string body = value.value("body", "");
  if (value.contains("box")) return {box(value["box"], where + ".box"), body};
  if (value.contains("sphere")) return {sphere(value["sphere"]), body};
  if (value.contains("group")) return {group(value["group"]), body};
  if (value.contains("nodes")) return {value["nodes"].get<std::vector<std::int32_t>>(), body};
  return {All{}, body};
}

ElementSelection SceneValues::element_selection(Json& value, const std::string& where) const {
  if (value == "all") return All{};
  if (!value.is_object()) return group(value);
  if (value.contains("box")) return box(value["box"], where + ".box");
  if (value.contains("sphere")) return sphere(value["sphere"]);
  if (value.contains("expression")) return Expression{value["expression"].get<std::string>()};
  return path(value["file"]);
}

ElementValues SceneValues::element_values(Json& value) const {
  if (value.is_number()) return value.get<double>();
  if (value.contains("file")) return path(value["file"]);
  return Expression{value["expression"].get<std::string>()};
}

std::vector<KeyFrame> SceneValues::motion(const Json& keys, const std::string& where) const {
  std::vector<KeyFrame> result;
  for (const Json& key : keys) {
    if (!result.empty() && key["time"] <= result.back().time)
      refuse(where, "time {} follows {}; times must increase", key["time"].get<double>(), result.back().time);
    result.push_back({key["time"], key["translation"], key["rotation"]});
  }
  return result;
}

decltype(FunctionSource::parameters) SceneValues::weights(Json& value) const {
  decltype(FunctionSource::parameters) result;
  for (auto& [name, parameter] : value.items()) {
    if (parameter.is_number())
      result.emplace_back(name, parameter.get<double>());
    else
      result.emplace_back(name, path(parameter["file"]));
  }
  return result;
}

Signal SceneValues::signal(const Json& keys, const std::string& where) const {
  Signal result;
  for (const Json& key : keys) {
    if (!result.empty() && key["time"] <= result.back().time)
      refuse(where, "time {} follows {}; times must increase", key["time"].get<double>(), result.back().time);
    result.push_back({key["time"], key["value"]});
  }
  if (result.empty()) refuse(where, "is empty, at least one key frame is needed");
  return result;
}

}  // namespace proxima::model
