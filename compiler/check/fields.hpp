// What an energy takes besides its strain: parameters, directions, histories, rest lengths, ..., as they are at rest
// and by the names of the kernels' input fields (compiler/derive/derive.hpp). Internal to the room.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/check/space.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::check {

using Fields = std::map<std::string, std::vector<double>>;

// "parameter:NAME", "direction:NAME", "history:NAME", "previous" (the strain at rest), "time_step", "rest_length",
// "rest_positions", and some adjoint of each history, "history_bar:NAME"; the times and rest shapes always, since
// kernels may ask for them without the energy.
Fields fields_at_rest(const ir::Energy& energy, const Space& space, const std::vector<double>& parameters);

// In the order of the energy's slots after the strain's.
std::vector<double> other_inputs(const ir::Energy& energy, const Fields& fields);

// In the order of the kernel's inputs. Throws std::out_of_range for a field that is not there.
template <class Number>
std::vector<Number> inputs_of(const ir::Kernel& kernel, const std::map<std::string, std::vector<Number>>& fields) {
  std::vector<Number> inputs;
  for (const ir::Field& field : kernel.inputs) {
    const auto& values = fields.at(field.name);
    inputs.insert(inputs.end(), values.begin(), values.end());
  }
  return inputs;
}

}  // namespace proxima::check
