// Kernels at the level of the strain measure.
#include <stdexcept>

#include "compiler/derive/kernel_builder.hpp"

namespace proxima::derive {

using ir::Access;

ir::Kernel strain_kernel(const ir::Energy& energy, Quantity quantity) {
  if (quantity == Quantity::rest_pull_back)
    throw std::logic_error("strain kernels of " + energy.name + ": the strain has no rest positions");
  KernelBuilder builder(energy.name + ".strain." + name_of(quantity), 0);
  const std::uint32_t n = energy.strain_components();
  Arguments arguments;
  arguments.strain = builder.input("strain", Access::element, n);
  const Nodes direction = takes_direction(quantity) ? builder.input("strain_direction", Access::element, n) : Nodes();
  if (energy.find(ir::InputKind::previous_strain) != nullptr)
    arguments.previous = builder.input("previous", Access::element, n);
  declare_energy_inputs(builder, energy, std::vector<bool>(energy.parameters.size(), true), Access::element, false,
                        arguments);
  if (is_filtered(quantity)) {
    builder.output("stress", filtered_stress_rate(energy, quantity, builder.graph, arguments, direction));
    return builder.finish();
  }
  const ir::NodeId density = incremental_density(energy, builder.graph, arguments);
  if (quantity == Quantity::state)
    add_state(builder, arguments, density);
  else
    add_outputs(builder, quantity,
                {energy, arguments, density, arguments.strain, direction, arguments.previous, "strain", "stress"});
  return builder.finish();
}

}  // namespace proxima::derive
