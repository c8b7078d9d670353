#include "apps/proxima/direction_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "apps/proxima/input_choice.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::app {
namespace {

const std::vector<model::Vector3>& field_of(const model::Model& model, std::size_t region, const std::string& name) {
  return model.regions[region].directions[optimize::part_named(model, optimize::Quantity::direction, region, name)];
}

std::vector<std::size_t> regions_with(const Problem& problem, const model::VariableChoice& choice,
                                      const std::string& where) {
  std::vector<std::size_t> result;
  std::set<std::string> known;
  for (std::size_t r = 0; r < problem.model().regions.size(); ++r) {
    const auto names = optimize::part_names(problem.model(), optimize::Quantity::direction, r);
    known.insert(names.begin(), names.end());
    if (is_for(choice, problem.model().regions[r]) &&
        std::find(names.begin(), names.end(), choice.direction) != names.end())
      result.push_back(r);
  }
  if (!result.empty()) return result;
  const std::string nearest = nearest_name(choice.direction, {known.begin(), known.end()});
  fail("{}: {} has a direction '{}'; {}", where,
       choice.materials.empty() ? "no material" : fmt::format("no material of {}", fmt::join(choice.materials, ", ")),
       choice.direction,
       !nearest.empty() ? fmt::format("did you mean '{}'?", nearest)
       : known.empty()  ? std::string("there are none")
                        : fmt::format("there are {}", fmt::join(known, ", ")));
}

optimize::Variable variable_for(const model::VariableChoice& choice, std::vector<std::size_t> regions) {
  optimize::Variable result = bounded_variable(choice);
  result.name = choice.direction;
  result.quantity = optimize::Quantity::direction;
  result.objects = std::move(regions);
  return result;
}

}  // namespace

std::vector<NamedVariable> direction_variables(const Problem& problem, const model::VariableChoice& choice,
                                               const std::string& where) {
  if (choice.start) fail("{}.start: a direction starts as the scene has it", where);
  if (choice.truth && choice.components.size() != 1)
    fail("{}.truth: goes with one of the components alone, since the length of a direction does not matter", where);
  const auto regions = regions_with(problem, choice, where);
  const auto& model = problem.model();
  std::vector<int> components = choice.components;
  if (components.empty()) components = {0, 1, 2};

  if (choice.sharing == model::Sharing::per_element) {
    optimize::Variable all = variable_for(choice, regions);
    all.each = true;
    if (choice.components.empty()) return {{choice.direction, std::move(all)}};
    fail("{}.components: goes with directions that elements share", where);
  }

  std::vector<std::vector<std::size_t>> sharing;  // regions
  for (const std::size_t r : regions) {
    const auto& region = model.regions[r];
    const auto& field = field_of(model, r, choice.direction);
    if (field.size() != 1)
      fail("{}: the scene gives '{}' of material '{}' for each element, so it needs \"sharing\": \"per_element\"",
           where, choice.direction, region.name);
    const bool new_material = sharing.empty() || model.regions[sharing.back()[0]].name != region.name;
    if (sharing.empty() || (new_material && choice.sharing == model::Sharing::per_material)) sharing.emplace_back();
    sharing.back().push_back(r);
    if (field_of(model, sharing.back()[0], choice.direction) != field)
      fail("{}: the scene's values of '{}' differ between materials '{}' and '{}', so they cannot share one", where,
           choice.direction, model.regions[sharing.back()[0]].name, region.name);
  }
  std::vector<NamedVariable> result;
  for (const auto& group : sharing)
    for (const int c : components) {
      optimize::Variable one = variable_for(choice, group);
      one.chosen = {static_cast<std::size_t>(c)};
      const std::string of = choice.sharing == model::Sharing::per_material
                                 ? fmt::format("[{}]", model.regions[group[0]].name)
                                 : std::string();
      result.push_back({fmt::format("{}{}.{}", choice.direction, of, "xyz"[c]), std::move(one)});
    }
  return result;
}

}  // namespace proxima::app
