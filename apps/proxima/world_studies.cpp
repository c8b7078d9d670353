#include "apps/proxima/world_studies.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"

namespace proxima::app {
namespace {

std::string name_of(const Study& study) { return study.problem.scene.file.stem().string(); }

}  // namespace

void require_worlds(const std::vector<Study>& studies, const JointDesign& design) {
  std::vector<solve::World> worlds;
  worlds.reserve(studies.size());
  for (const Study& study : studies) worlds.push_back({name_of(study), study.problem.objective.get(), {}});
  solve::require_alike(worlds);
  for (std::size_t s = 0; s < studies.size(); ++s)
    for (std::size_t v = 0; v < design.labels().size(); ++v)
      if (std::ranges::find(design.variables(s), v) == design.variables(s).end())
        fail("{}: worlds that are fitted side by side have the same variables; '{}' of another is missing here",
             worlds[s].name, design.labels()[v].name);
}

optimize::Part world_part(const std::vector<Study>& studies, const JointDesign& design, solve::SharedWork& work) {
  std::vector<optimize::FitWorld> worlds;
  worlds.reserve(studies.size());
  for (std::size_t s = 0; s < studies.size(); ++s) {
    const auto& problem = studies[s].problem;
    worlds.push_back({name_of(studies[s]), problem.objective.get(), &problem.model(), &design.design(s),
                      studies[s].loss.get(), fit_settings(problem.scene)});
  }
  return [worlds = std::move(worlds), &design, &work](std::span<const double> u) {
    std::vector<std::vector<double>> of_worlds;
    of_worlds.reserve(worlds.size());
    for (std::size_t s = 0; s < worlds.size(); ++s) of_worlds.push_back(design.of_scene(s, u));
    auto values = optimize::rollout_values(worlds, of_worlds, work);
    for (std::size_t s = 0; s < worlds.size(); ++s)
      values[s].found.gradient = design.gradient(s, values[s].found.gradient);
    optimize::PartValue sum = std::move(values[0]);
    for (std::size_t s = 1; s < worlds.size(); ++s) {
      optimize::add(values[s].found, sum.found);
      sum.cost += values[s].cost;
    }
    return sum;
  };
}

}  // namespace proxima::app
