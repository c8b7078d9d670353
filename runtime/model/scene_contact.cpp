// The obstacles of a scene and who touches whom.
#include <algorithm>
#include <limits>
#include <set>

#include "runtime/model/scene_values.hpp"

namespace proxima::model {
namespace {

using Json = SceneValues::Json;

std::optional<double> number_at(const Json& value, const char* key) {
  return value.contains(key) ? std::optional(value[key].get<double>()) : std::nullopt;
}

// "static": what is pressed does not slide.
double friction(const Json& value) {
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

std::optional<double> friction_at(const Json& value) {
  return value.contains("friction") ? std::optional(friction(value["friction"])) : std::nullopt;
}

// What a scene calls the sizes of a shape is what is easily measured; the function's parameters are halves of it.
struct SizeRow {
  const char* key;
  const char* shape;
  std::vector<double> (*parameters)(const Json& value);
};
constexpr SizeRow size_rows[] = {
    {"plane", "half_space", [](const Json&) { return std::vector<double>(); }},
    {"half_space", "half_space", [](const Json&) { return std::vector<double>(); }},
    {"box", "box",
     [](const Json& value) {
       const auto size = value["size"].get<Vector3>();
       return std::vector<double>{size[0] / 2, size[1] / 2, size[2] / 2};
     }},
    {"sphere", "sphere", [](const Json& value) { return std::vector<double>{value["radius"]}; }},
    {"capsule", "capsule",
     [](const Json& value) { return std::vector<double>{value["length"].get<double>() / 2, value["radius"]}; }},
    {"cylinder", "cylinder",
     [](const Json& value) { return std::vector<double>{value["height"].get<double>() / 2, value["radius"]}; }},
};

HeightFieldSource height_field(Json& value, const SceneValues& values) {
  HeightFieldSource result{{}, value["points"], value["length"], value["width"]};
  if (value.contains("file"))
    result.heights = values.path(value["file"]);
  else
    result.heights = Expression{value["expression"].get<std::string>()};
  return result;
}

DistanceGridSource distance_grid(Json& value, const SceneValues& values, const std::string& where) {
  const auto box = values.box(value, where);
  return {values.path(value["file"]), value["points"], box.lower, box.upper};
}

FunctionSource function(Json& value, const SceneValues& values) {
  FunctionSource result{values.path(value["file"]), value["name"], {}, {}};
  result.parameters = values.weights(value["parameters"]);
  return result;
}

decltype(ObstacleSource::shape) shape(Json& value, const SceneValues& values, const std::string& where) {
  for (const auto& row : size_rows)
    if (value.contains(row.key)) return ShapeSource{row.shape, row.parameters(value[row.key])};
  if (value.contains("height_field")) return height_field(value["height_field"], values);
  if (value.contains("distance_grid")) return distance_grid(value["distance_grid"], values, where + ".distance_grid");
  if (value.contains("surface")) return SurfaceSource{values.path(value["surface"]["file"]), value["surface"]["scale"]};
  return function(value["function"], values);
}

std::vector<KeyFrame> motion(const Json& value, const SceneValues& values, const std::string& where) {
  auto keys = values.motion(value["motion"], where + ".motion");
  if (!keys.empty() && value.contains("place"))
    values.refuse(where, "has both a place and a motion; the key frames of a motion say where it is at any time");
  if (keys.empty()) keys.push_back({});
  if (value.contains("place")) keys[0] = {0, value["place"]["translate"], value["place"]["rotate"]};
  return keys;
}

}  // namespace

std::vector<ObstacleSource> read_obstacles(Json& scene, const SceneValues& values) {
  std::vector<ObstacleSource> result;
  std::set<std::string> names;
  for (std::size_t i = 0; i < scene["obstacles"].size(); ++i) {
    const auto where = fmt::format("obstacles[{}]", i);
    Json& value = scene["obstacles"][i];
    ObstacleSource obstacle{value["name"],
                            shape(value, values, where),
                            value["inside"],
                            motion(value, values, where),
                            friction_at(value),
                            number_at(value, "restitution"),
                            number_at(value, "friction_across"),
                            value["friction_direction"]};
    if (!names.insert(obstacle.name).second) values.refuse(where, "there is an obstacle '{}' already", obstacle.name);
    if (obstacle.inside && std::holds_alternative<HeightFieldSource>(obstacle.shape))
      values.refuse(where + ".inside", "is for closed shapes; a height field has none");
    result.push_back(std::move(obstacle));
  }
  return result;
}

ContactSource read_contact(const Json& value, const SceneValues& values) {
  ContactSource result{
      friction(value["friction"]), value["restitution"], value["thickness"], value["bodies"], value["self"], {}};
  if (value.contains("penalty")) {
    const Json& penalty = value["penalty"];
    result.penalty = {penalty["stiffness"], penalty["exponent"], penalty["slip_speed"]};
  }
  for (std::size_t i = 0; i < value["pairs"].size(); ++i) {
    const Json& pair = value["pairs"][i];
    if (pair["between"].size() != 2)
      values.refuse(fmt::format("contact.pairs[{}].between", i),
                    "has {} names; a pair has two, of bodies or of a body and an obstacle", pair["between"].size());
    result.pairs.push_back({{pair["between"][0], pair["between"][1]},
                            friction_at(pair),
                            number_at(pair, "restitution"),
                            number_at(pair, "thickness"),
                            number_at(pair, "friction_across"),
                            number_at(pair, "friction_crossed"),
                            pair["friction_direction"],
                            pair["other_direction"],
                            pair["touch"]});
  }
  return result;
}

}  // namespace proxima::model
