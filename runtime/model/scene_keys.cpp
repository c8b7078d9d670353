#include <vector>

#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

std::span<const Key> scene_keys() {
  static const std::vector<Key> all = [] {
    std::vector<Key> result;
    for (const auto part : {body_keys(), load_keys(), contact_keys(), step_keys(), fit_keys(), shape_keys()})
      result.insert(result.end(), part.begin(), part.end());
    return result;
  }();
  return all;
}

}  // namespace proxima::model
