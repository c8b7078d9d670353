// Small scenes in which bodies touch obstacles and each other, and are tied, by name.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

const std::map<std::string, std::function<model::Model()>>& touching_scenes();

}  // namespace proxima::bodies
