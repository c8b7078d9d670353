// Energies of singular values, eigenvalues and rotations, as graphs, and the states at which their derivatives tend to
// go wrong.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/expression.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {

struct SpectralEnergy {
  std::string name;
  ir::Energy energy;            // without parameters
  bool needs_positive = false;  // the domain is det F > 0
  bool isotropic = true;

  // Whether it has two derivatives at a state: inside the domain; no exchange of signs where it depends on them
  // (sigma_2 = -sigma_3, where the rotation is one of many); no equal stretches for that of the largest one.
  bool is_smooth_at(const State& state) const;
};

std::vector<SpectralEnergy> spectral_energies();
SpectralEnergy spectral_energy(const std::string& name);

// states() and more: three equal stretches, rank 2 and rank 1, gaps from 1e-3 to 1e-12.
std::vector<State> spectral_states();

using F9 = std::array<ir::Expression, 9>;
ir::Energy energy_of(const std::string& name, const std::function<ir::Expression(const F9&)>& density,
                     const std::vector<ir::Parameter>& parameters = {});

std::array<ir::Expression, 3> singular_values(const F9& F);
std::array<ir::Expression, 9> polar_of(const F9& F);
std::array<ir::Expression, 3> eigenvalues_of_right_cauchy_green(const F9& F);
ir::Expression determinant(const F9& F);
ir::Expression squared_norm(const F9& F);

}  // namespace proxima::test
