// Selections as a scene has them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::model {

using mesh::Vector3;

struct BoxShape {
  Vector3 lower{}, upper{};
};
struct SphereShape {
  Vector3 centre{};
  double radius = 0;
};
struct All {};
struct Group {  // a physical group, by name or by tag
  std::variant<std::string, std::int32_t> id;
};

// Nodes; a list holds numbers of the body's mesh file.
struct Selection {
  std::variant<All, BoxShape, SphereShape, Group, std::vector<std::int32_t>> what;
  std::string body{};  // "": of all bodies
};

}  // namespace proxima::model
