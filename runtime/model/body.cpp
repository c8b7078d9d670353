#include "runtime/model/body.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace proxima::model {

std::string of_body(const std::string& name) { return name.empty() ? "" : fmt::format(" of body '{}'", name); }

std::string node_name(const std::vector<Body>& bodies, std::size_t node) {
  const auto number = static_cast<std::int32_t>(node);
  for (const auto& body : bodies) {
    if (number < body.first_node || number >= body.first_node + body.nodes) continue;
    const auto place = std::find(body.node_map.begin(), body.node_map.end(), number);
    return fmt::format("node {}{}", place - body.node_map.begin(), of_body(body.name));
  }
  return fmt::format("node {}", node);
}

}  // namespace proxima::model
