// Models that have every input between them, by name: every element shape and integrator, histories, previous strains,
// dampings, lagged loads, controllers, moving ends, steps that are halved (with few iterations).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

inline constexpr int input_scene_steps = 5;
const std::map<std::string, std::function<model::Model()>>& input_scenes();

}  // namespace proxima::bodies
