// Questions about a formula that are answered by numbers: is it symmetric, does it depend on a sign. Deterministic, in
// extended precision. Internal to this room.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::derive {

using Numbers = std::vector<long double>;

// Formulas as a function of some nodes: whatever else they are made of and does not depend on these is a number to be
// chosen freely.
class Probe {
 public:
  // nullopt when a bundle would have to be chosen.
  static std::optional<Probe> make(const ir::Graph& source, std::span<const ir::NodeId> outputs,
                                   std::span<const ir::NodeId> variables);

  // The outputs for these values of the variables; the free numbers as chosen by the number `sample`.
  Numbers operator()(const Numbers& variables, int sample);

 private:
  Probe(const ir::Graph& graph, std::span<const ir::NodeId> outputs, std::size_t free);
  ir::Interpreter<long double> interpreter_;
  std::size_t free_;
};

// Sample number `sample` of `count` positive numbers around 1, no two equal: in turn up to 10 % from it, a factor
// of 1.6, and a factor of 20. Energies of limited extension are defined near 1 only.
Numbers sample_numbers(int sample, std::size_t count);

// The same for numbers whose meaning is not known: always up to a factor of 1.6.
Numbers free_numbers(int sample, std::size_t count);

// Whether the first and the second function agree at the samples: at each both are finite and equal to 1e-12 of the
// largest, or neither is finite. False when less than three samples are finite.
bool agree(const std::function<Numbers(int)>& first, const std::function<Numbers(int)>& second);

// Entry k: whether entry k of both agrees at the samples, each to 1e-12 of itself.
std::vector<bool> agree_each(const std::function<Numbers(int)>& first, const std::function<Numbers(int)>& second);

}  // namespace proxima::derive
