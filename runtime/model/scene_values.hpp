// Reads values that occur in several parts of a scene whose form has been checked, so that only meaning is left to
// check. Internal to the room.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::model {

class SceneValues {
 public:
  using Json = nlohmann::ordered_json;

  explicit SceneValues(std::filesystem::path file) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }

  // Throws Error "FILE: WHERE: ...".
  template <class... Args>
  [[noreturn]] void refuse(const std::string& where, fmt::format_string<Args...> format, Args&&... args) const {
    throw Error(fmt::format("{}: {}: {}", file_.string(), where, fmt::format(format, std::forward<Args>(args)...)));
  }

  // Makes a path in the scene absolute, in the scene too.
  std::filesystem::path path(Json& value) const;

  BoxShape box(const Json& value, const std::string& where) const;
  Selection selection(const Json& value, const std::string& where) const;
  ElementSelection element_selection(Json& value, const std::string& where) const;
  Signal signal(const Json& keys, const std::string& where) const;
  ElementValues element_values(Json& value) const;
  std::vector<KeyFrame> motion(const Json& keys, const std::string& where) const;  // none where there are no keys
  // Parameters and weights of a function, by name.
  decltype(FunctionSource::parameters) weights(Json& value) const;

 private:
  std::filesystem::path file_;
};

// Under "bodies", or the one under "mesh" and "materials".
std::vector<BodySource> read_bodies(SceneValues::Json& scene, const SceneValues& values);

// Under "springs" and "attachments"; to be called when `scene` has its bodies.
void read_springs(const SceneValues::Json& json, const SceneValues& values, Scene& scene);

// Under "ties".
std::vector<TieSource> read_ties(const SceneValues::Json& list, const SceneValues& values);

// Under "controllers".
std::vector<ControllerSource> read_controllers(SceneValues::Json& scene, const SceneValues& values);
FunctionSource read_function(SceneValues::Json& value, const SceneValues& values, const std::string& where);

// Under "obstacles" and "contact".
std::vector<ObstacleSource> read_obstacles(SceneValues::Json& scene, const SceneValues& values);
ContactSource read_contact(const SceneValues::Json& value, const SceneValues& values);

}  // namespace proxima::model
