// Graphs as text for people: messages, tests, debugging. Not parsed by anything.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::ir {

// One line a live node, operands first: "%4 = mul %0 %3", then "return %4". `input_name` names an input's slot.
std::string to_text(const Graph& graph, std::span<const NodeId> roots,
                    const std::function<std::string(std::uint32_t slot)>& input_name);

// "F01", "mu", "fibre[2]": input number `slot` of an energy.
std::string input_name(const Energy& energy, std::uint32_t slot);

std::string to_text(const Energy& energy);  // with its inputs by name, and their declarations
std::string to_text(const Kernel& kernel);  // with field names, and the fields

}  // namespace proxima::ir
