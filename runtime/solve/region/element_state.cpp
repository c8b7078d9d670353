#include "runtime/solve/region/element_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/strain.hpp"
#include "runtime/solve/region/stretches.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t chunk = 512;  // elements

// The sums over the quadrature points of one element.
struct Mean {
  double kirchhoff[3][3] = {};   // of P F^T: J times the Cauchy stress
  std::vector<double> gradient;  // as deformation_gradient gives it
  double ratio = 0;
};

Mean mean_of(const ElementSet& set, std::size_t element, std::span<const double> x, std::span<const double> stress,
             int components) {
  const auto& measure = set.rest().measure;
  const int columns = set.rest().dimension;
  Mean mean{.gradient = std::vector<double>(3 * static_cast<std::size_t>(columns))};
  double whole = 0;
  for (std::size_t q = 0; q < set.points(); ++q) whole += measure[element * set.points() + q];
  for (std::size_t q = 0; q < set.points(); ++q) {
    const std::size_t item = element * set.points() + q;
    const double share = measure[item] / whole;
    const auto F = deformation_gradient(set, item, x);
    for (std::size_t i = 0; i < F.size(); ++i) mean.gradient[i] += share * F[i];
    mean.ratio += share * measure_ratio(F);
    if (components != 3 * columns) continue;
    for (int c = 0; c < components; ++c) {
      const double P = set.output(stress, item, c, components);
      const auto k = static_cast<std::size_t>(c % columns), n = static_cast<std::size_t>(columns);
      for (std::size_t j = 0; j < 3; ++j) mean.kirchhoff[c / columns][j] += share * P * F[n * j + k];
    }
  }
  return mean;
}

}  // namespace

ElementState::ElementState(std::size_t elements)
    : stress(6 * elements), stretches(3 * elements, std::numeric_limits<double>::quiet_NaN()), density(elements) {}

void add_element_state(const ElementSet& set, std::span<const double> x, std::span<const double> energies,
                       std::span<const double> stress, int components, std::size_t first, ElementState& state) {
  device::parallel_chunks(set.elements().count(), chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const std::size_t at = first + static_cast<std::size_t>(set.numbers()[e]);
      double energy = 0, whole = 0;
      for (std::size_t item = e * set.points(); item < (e + 1) * set.points(); ++item) {
        energy += energies[item];
        whole += set.rest().measure[item];
      }
      state.density[at] += energy / whole;
      if (set.rest().dimension == 0) continue;
      const Mean mean = mean_of(set, e, x, stress, components);
      std::ranges::copy(principal_stretches(mean.gradient), state.stretches.begin() + 3 * static_cast<long>(at));
      constexpr int entries[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
      for (std::size_t c = 0; c < 6; ++c) {
        const auto [i, j] = entries[c];
        state.stress[6 * at + c] += (mean.kirchhoff[i][j] + mean.kirchhoff[j][i]) / (2 * mean.ratio);
      }
    }
  });
}

double von_mises(std::span<const double, 6> s) {
  const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
  return std::sqrt(normal / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace proxima::solve
