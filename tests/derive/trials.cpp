#include "tests/derive/trials.hpp"

#include <algorithm>
#include <stdexcept>

namespace proxima::test {
namespace {

Trial trial_of(const std::string& name, const ir::Energy& energy, const std::vector<State>& states) {
  Trial trial{.name = name, .energy = energy, .fields = {}, .strains = {}};
  const Numbers parameters = parameters_of(energy);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    trial.fields["parameter:" + energy.parameters[k].name] = {parameters[k]};
  for (const State& state : states) {
    const Numbers F = flat(state.F);
    trial.strains.emplace_back(state.name, Extended(F.begin(), F.end()));
  }
  return trial;
}

// Samples on elements other than tetrahedra repeat what is tested here.
Trial trial_of(const Sample& sample) {
  Trial trial{
      .name = sample.name, .energy = sample.energy, .fields = completed(sample.shape, sample.fields), .strains = {}};
  trial.strains.emplace_back("deformed", strain_at(sample, trial.fields, trial.fields.at("positions")));
  trial.strains.emplace_back("rest", strain_at(sample, trial.fields, trial.fields.at("rest")));
  trial.fields["previous"] = strain_at(sample, trial.fields, trial.fields.at("previous"));
  trial.fields.erase("weight");
  return trial;
}

}  // namespace

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Where there is no smooth minimum to be found: it lies on a kink, or on the edge of a domain without barrier, or F is
// a line and the rotation of an energy that depends on it is any.
bool has_smooth_minimum(const std::string& trial, const std::string& state) {
  if (is_one_of(trial, {"branches", "spectral_largest"})) return false;
  const bool a_line = state == "rank_one", edge = is_one_of(state, {"rank_two", "inverted", "opposite_stretches"});
  return !(trial == "spectral_mixed" && (edge || a_line)) && !(trial == "spectral_fibre" && a_line);
}

bool is_differentiable(const std::string& state) { return !is_one_of(state, {"rank_one", "opposite_stretches"}); }

const std::vector<Trial>& trials() {
  static const std::vector<Trial> all = [] {
    std::vector<Trial> result;
    for (const ir::Energy& energy : energies()) result.push_back(trial_of(energy.name, energy, spectral_states()));
    for (const SpectralEnergy& each : spectral_energies())
      result.push_back(trial_of("spectral_" + each.name, each.energy, spectral_states()));
    for (const Sample& sample : samples())
      if (sample.shape.corners != 8) result.push_back(trial_of(sample));
    return result;
  }();
  return all;
}

const Trial& trial_named(const std::string& name) {
  for (const Trial& trial : trials())
    if (trial.name == name) return trial;
  throw std::logic_error("no trial " + name);
}

std::vector<std::string> trial_names() {
  std::vector<std::string> result;
  for (const Trial& trial : trials()) result.push_back(trial.name);
  return result;
}

}  // namespace proxima::test
