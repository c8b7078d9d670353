// The proximal local steps of all regions, with the weights of A.
#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/solve/objective/objective_state.hpp"

namespace proxima::solve {

void refuse_proximal_step(const RegionKernels& region) {
  fail("region '{}': the energy '{}' is not finite where the step starts and has no proximal step to mend that",
       region.name(), region.energy().name);
}

void Objective::require_proximal_step(std::span<const double> x) const {
  for (auto& region : state_->regions) {
    if (region.has_proximal_step()) continue;
    const auto energies = region.energies(x, 0);
    if (!std::all_of(energies.begin(), energies.end(), [](double energy) { return std::isfinite(energy); }))
      refuse_proximal_step(region);
  }
}

ProximalDual Objective::zero_dual() const {
  ProximalDual dual;
  for (const auto& region : state_->regions)
    dual.push_back(region.has_proximal_step() ? region.zero_dual() : device::AlignedVector<double>{});
  return dual;
}

ProximalDual Objective::equilibrium_dual(std::span<const double> x) const {
  ProximalDual dual;
  for (auto& region : state_->regions)
    dual.push_back(region.has_proximal_step() ? region.equilibrium_dual(x) : device::AlignedVector<double>{});
  return dual;
}

void Objective::add_proximal_force(std::span<const double> x, ProximalDual& dual, std::span<double> y) const {
  auto of_region = dual.begin();
  for (auto& region : state_->regions) {
    if (of_region->empty())
      region.add_gradient(x, y);
    else
      region.add_proximal_force(x, *of_region, y);
    ++of_region;
  }
  clear_held(y);
}

}  // namespace proxima::solve
