// The proximal local steps of all regions, with the weights of A.
#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/solve/objective_state.hpp"

namespace proxima::solve {
namespace {

// Calls body(region, its weights) for every region in turn.
template <class Body>
void each_region(std::vector<RegionKernels>& regions, std::span<const double> weights, Body body) {
  for (auto& region : regions) {
    const std::size_t count = region.set().elements().count();
    body(region, weights.first(count));
    weights = weights.subspan(count);
  }
}

bool splits(const RegionKernels& region, std::span<const double> weights) {
  return region.has_proximal_step() &&
         std::all_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
}

}  // namespace

void Objective::require_proximal_step(std::span<const double> x) const {
  each_region(state_->regions, state_->weights, [&](RegionKernels& region, std::span<const double> weights) {
    if (splits(region, weights)) return;
    const auto energies = region.energies(x, 0);
    if (!std::all_of(energies.begin(), energies.end(), [](double energy) { return std::isfinite(energy); }))
      fail("region '{}': the energy '{}' is not finite where the step starts and has no proximal step to mend that",
           region.name(), region.energy().name);
  });
}

ProximalDual Objective::zero_dual() const {
  ProximalDual dual;
  each_region(state_->regions, state_->weights, [&](RegionKernels& region, std::span<const double> weights) {
    dual.push_back(splits(region, weights) ? region.zero_dual() : device::AlignedVector<double>{});
  });
  return dual;
}

ProximalDual Objective::equilibrium_dual(std::span<const double> x) const {
  ProximalDual dual;
  each_region(state_->regions, state_->weights, [&](RegionKernels& region, std::span<const double> weights) {
    dual.push_back(splits(region, weights) ? region.equilibrium_dual(x, weights) : device::AlignedVector<double>{});
  });
  return dual;
}

void Objective::add_proximal_force(std::span<const double> x, ProximalDual& dual, std::span<double> y) const {
  auto of_region = dual.begin();
  each_region(state_->regions, state_->weights, [&](RegionKernels& region, std::span<const double> weights) {
    if (of_region->empty())
      region.add_gradient(x, y);
    else
      region.add_proximal_force(x, weights, *of_region, y);
    ++of_region;
  });
  clear_held(y);
}

}  // namespace proxima::solve
