// User functions as a scene has them: what is observed, by selections, and what is driven, by names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/model/selection.hpp"

namespace proxima::model {

// Of nodes: the mean, or each one by itself.
struct NodeObservation {
  enum class Of : std::uint8_t { position, displacement, velocity };
  Of of = Of::position;
  Selection select;
  bool each = false;
  bool by_mass = false;                  // the mean counts each node by its mass, else all alike
  std::optional<Selection> relative_to;  // minus the same mean of these
};
struct TimeObservation {};

struct FunctionSource {
  std::filesystem::path file;
  std::string name;  // in the file; "" where it defines one
  std::vector<std::pair<std::string, std::variant<TimeObservation, NodeObservation>>> inputs;   // by its author's names
  std::vector<std::pair<std::string, std::variant<double, std::filesystem::path>>> parameters;  // a number: for all
};

// Component k of the output drives the k-th of the materials; one component drives all of them.
struct DriveSource {
  std::string output;  // "" where there is one
  std::vector<std::string> materials;
  std::string parameter;
};

struct ControllerSource {
  std::string name;
  FunctionSource function;
  std::vector<DriveSource> drives;
};

}  // namespace proxima::model
