// The formulas of pairs as functions of the language, compiled for many pairs. Internal to the room.
#pragma once

#include <array>

#include "runtime/contact/batched_function.hpp"
#include "runtime/contact/feature.hpp"

namespace proxima::contact {

// Inputs are the formula's points, outputs gap, normal and weights. Of touching there is none.
class PairFunctions {
 public:
  explicit PairFunctions(jit::Engine& engine);
  const BatchedFunction& of(FormulaKind kind) const { return functions_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<BatchedFunction, 4> functions_;
};

}  // namespace proxima::contact
