// What user functions read of a state, and controllers, which set actuations from it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/function.hpp"

namespace proxima::model {

// A weighted sum of nodes: offset + sum of weights[j] times node j's position or velocity.
struct ObservedPoint {
  std::vector<std::int32_t> nodes;
  std::vector<double> weights;  // one a node
  std::array<double, 3> offset{};
};

// What one input of a function is given: the time, 1 number, or of each point its 3 coordinates, point after point.
struct Observation {
  enum class Of : std::uint8_t { time, position, velocity };
  Of of = Of::time;
  std::vector<ObservedPoint> points;  // none of the time

  std::uint32_t components() const { return of == Of::time ? 1 : static_cast<std::uint32_t>(3 * points.size()); }
};

// An output component sets a parameter of a region, one value for all its elements, for a whole step.
struct Drive {
  std::size_t output = 0, component = 0;  // of the function
  std::size_t region = 0, parameter = 0;  // of the model; Region::driven is set for it
};

// A function of the state at the start of a step and of the time at its end.
struct Controller {
  std::string name;
  std::shared_ptr<const ir::Function> function;
  std::vector<std::vector<double>> parameters;  // [parameter of the function][component]
  std::vector<Observation> inputs;              // one for each of the function's
  std::vector<Drive> drives;
};

struct Model;

// Throws Error naming the controller: sizes that do not fit its function, a node that does not exist, a parameter
// outside its interval, nothing driven, or a region's parameter that two outputs, key frames or an element each set.
void check_controllers(const Model& model);

// The same of what a function is given, `who` in messages.
void check_inputs(const ir::Function& function, const std::vector<Observation>& inputs, std::size_t nodes,
                  const std::string& who);
void check_parameters(const ir::Function& function, const std::vector<std::vector<double>>& parameters,
                      const std::string& who);

// The values a parameter may take, as interval_text of an energy's.
std::string interval_text(const ir::FunctionParameter& parameter);

// The values that the function's author declared.
std::vector<std::vector<double>> default_parameters(const ir::Function& function);

}  // namespace proxima::model
