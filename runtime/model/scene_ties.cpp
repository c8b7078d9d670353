// The ties of a scene.
#include <algorithm>

#include "runtime/model/scene_values.hpp"

namespace proxima::model {

std::vector<TieSource> read_ties(const SceneValues::Json& list, const SceneValues& values) {
  std::vector<TieSource> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto where = fmt::format("ties[{}]", i);
    const auto& value = list[i];
    TieSource tie{value["name"], values.selection(value["select"], where + ".select"), {}, {}};
    if (std::ranges::any_of(result, [&](const TieSource& other) { return other.name == tie.name; }))
      values.refuse(where, "there is a tie '{}' already", tie.name);
    if (value.contains("to")) tie.to = value["to"].get<Vector3>();
    if (value.contains("to_body")) tie.to_body = value["to_body"].get<std::string>();
    if (tie.to && tie.to_body) values.refuse(where, "has both 'to' and 'to_body'; nodes are tied to one thing");
    result.push_back(std::move(tie));
  }
  return result;
}

}  // namespace proxima::model
