// What the compiler makes of a material file: its parameters, and the size of every kernel.
#include <fmt/format.h>

#include "apps/proxima/commands.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/model/model.hpp"

namespace proxima::app {
namespace {

using derive::Quantity;

struct Row {
  Quantity quantity;
  const char* name;
};
constexpr Row kernels[] = {
    {Quantity::energy, "energy"},
    {Quantity::forces, "forces"},
    {Quantity::energy_forces, "energy and forces"},
    {Quantity::hessian_vector, "Hessian-vector product"},
    {Quantity::pull_back, "pull-back to the parameters"},
    {Quantity::state, "stress and density, for output"},
};

}  // namespace

int explain(const ExplainOptions& options) {
  jit::Engine engine;
  const auto energy = engine.load_energy(options.material, options.energy);
  fmt::print("energy {}\n\n{:<16} {:<10} {:>12}   {}\n", energy.name, "parameter", "unit", "default", "allowed");
  for (const auto& parameter : energy.parameters) {
    fmt::print("{:<16} {:<10} {:>12g}   {}\n", parameter.name, parameter.unit.empty() ? "-" : parameter.unit,
               parameter.default_value, model::interval_text(parameter));
  }
  fmt::print("\n{:<32} {:>10} {:>16}\n", "kernel for a tetrahedron", "operations", "cost (additions)");
  const std::vector<bool> uniform(energy.parameters.size(), false);
  for (const auto& [quantity, name] : kernels) {
    const auto count = ir::count_operations(derive::element_kernel(energy, quantity, derive::Shape{4, 3}, uniform));
    fmt::print("{:<32} {:>10} {:>16}\n", name, count.operations, count.cost);
  }
  return 0;
}

}  // namespace proxima::app
