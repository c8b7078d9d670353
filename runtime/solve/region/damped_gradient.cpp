#include "runtime/solve/region/damped_gradient.hpp"

#include "runtime/device/parallel.hpp"

namespace proxima::solve {

RegionGradient zero_with_damping(const RegionGradient& total) {
  RegionGradient result;
  for (const auto& values : total.parameters) result.parameters.emplace_back(values.size());
  result.parameters.emplace_back(total.stiffness_damping.size());
  for (const auto& keys : total.signals) result.signals.emplace_back(keys.size());
  result.signals.emplace_back();
  result.driven.resize(result.parameters.size());
  for (const auto& field : total.directions) result.directions.emplace_back(field.size());
  return result;
}

void add_with_damping(const RegionGradient& more, RegionGradient& total) {
  for (std::size_t k = 0; k < total.parameters.size(); ++k) {
    device::add_scaled(total.parameters[k], 1, more.parameters[k]);
    device::add_scaled(total.signals[k], 1, more.signals[k]);
    total.driven[k] += more.driven[k];
  }
  device::add_scaled(total.stiffness_damping, 1, more.parameters.back());
  for (std::size_t k = 0; k < total.directions.size(); ++k)
    for (std::size_t e = 0; e < total.directions[k].size(); ++e)
      for (std::size_t i = 0; i < 3; ++i) total.directions[k][e][i] += more.directions[k][e][i];
}

}  // namespace proxima::solve
