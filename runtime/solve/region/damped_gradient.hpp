// Gradients of regions with damping by stiffness, whose dissipation is one more energy on the same elements: its
// parameters are the region's, and last the coefficient.
#pragma once

#include <span>

#include "runtime/solve/region/region_gradient.hpp"

namespace proxima::solve {

// All zero, in the shape of a dissipation's own.
RegionGradient zero_with_damping(const RegionGradient& total);
void add_with_damping(const RegionGradient& more, RegionGradient& total);

// `add`(r, gradient) for each region r of the model and then for each dissipation, whose gradient is added to that of
// its region, damped[k].
template <class Add>
void for_each_gradient(std::span<const std::size_t> damped, std::vector<RegionGradient>& total, const Add& add) {
  for (std::size_t r = 0; r < total.size(); ++r) add(r, total[r]);
  for (std::size_t k = 0; k < damped.size(); ++k) {
    RegionGradient more = zero_with_damping(total[damped[k]]);
    add(total.size() + k, more);
    add_with_damping(more, total[damped[k]]);
  }
}

}  // namespace proxima::solve
