// Energies with all that they depend on, and the strains at which local steps and envelopes are tried.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/derive/measures.hpp"
#include "tests/derive/spectral_energies.hpp"

namespace proxima::test {

// An energy with all its fields but "strain" and "weight", and the strains at which it is tried.
struct Trial {
  std::string name;
  ir::Energy energy;
  Fields fields;
  std::vector<std::pair<std::string, Extended>> strains;
};
const std::vector<Trial>& trials();
const Trial& trial_named(const std::string& name);
std::vector<std::string> trial_names();

// Whether Psi + w/2 |. - F|^2 has a smooth minimum there.
bool has_smooth_minimum(const std::string& trial, const std::string& state);
// Where sigma_2 = -sigma_3, as for a line, a turn of the two decides which way a stretch goes: no derivative.
bool is_differentiable(const std::string& state);

bool is_one_of(const std::string& name, std::initializer_list<const char*> names);

}  // namespace proxima::test
