#include "apps/proxima/parameter_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "apps/proxima/input_choice.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::app {
namespace {

constexpr const char* density = "density";

// Number of a parameter in a region's energy; nothing when it has none of that name.
std::optional<std::size_t> find_parameter(const model::Region& region, const std::string& name) {
  const auto& declared = region.energy->parameters;
  const auto found =
      std::find_if(declared.begin(), declared.end(), [&](const auto& entry) { return entry.name == name; });
  if (found == declared.end()) return std::nullopt;
  return static_cast<std::size_t>(found - declared.begin());
}

bool has(const model::Region& region, const std::string& name) {
  return name == density ? region.density > 0 : find_parameter(region, name).has_value();
}

std::vector<std::size_t> chosen_regions(const model::Model& model, const model::VariableChoice& choice,
                                        const std::string& where) {
  std::vector<std::size_t> result;
  std::set<std::string> known = {density};
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const auto& region = model.regions[r];
    if (is_for(choice, region) && has(region, choice.parameter)) result.push_back(r);
    for (const auto& parameter : region.energy->parameters) known.insert(parameter.name);
  }
  for (const auto& material : choice.materials) {
    const bool found =
        std::any_of(result.begin(), result.end(), [&](auto r) { return model.regions[r].name == material; });
    if (found) continue;
    std::vector<std::string> energies;
    for (const auto& region : model.regions)
      if (region.name == material) energies.push_back(region.energy->name);
    fail("{}: the energy '{}' of material '{}' has no parameter '{}'", where, fmt::join(energies, "' or '"), material,
         choice.parameter);
  }
  if (result.empty()) {
    const std::vector<std::string> names(known.begin(), known.end());
    const auto nearest = nearest_name(choice.parameter, names);
    fail("{}: no material has a parameter '{}'; {}", where, choice.parameter,
         nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean '{}'?", nearest));
  }
  return result;
}

// The scene's values of a parameter in these regions: one for each tet when they vary or `per_element` is set.
std::vector<double> scene_values(const model::Model& model, const std::vector<std::size_t>& regions,
                                 const std::string& name, bool per_element) {
  std::vector<double> result;
  for (const auto r : regions) {
    const auto& region = model.regions[r];
    const auto values =
        name == density ? std::vector<double>{region.density} : region.parameters[*find_parameter(region, name)];
    const std::size_t count = per_element ? region.elements.count() : values.size();
    for (std::size_t i = 0; i < count; ++i) result.push_back(values[values.size() == 1 ? 0 : i]);
  }
  return result;
}

optimize::Variable variable(const model::Model& model, const model::VariableChoice& choice,
                            std::vector<std::size_t> regions, const std::string& where) {
  optimize::Variable result = bounded_variable(choice);
  result.name = choice.parameter;
  result.quantity = choice.parameter == density ? optimize::Quantity::density : optimize::Quantity::parameter;
  result.each = choice.sharing == model::Sharing::per_element;
  if (!choice.start) result.start = scene_values(model, regions, choice.parameter, result.each);
  if (!choice.start && !result.each) {
    const auto [least, most] = std::minmax_element(result.start.begin(), result.start.end());
    if (*least != *most) {
      fail("{}: the scene's values of '{}' are not all the same ({:g} to {:g}), so 'start' is needed", where,
           choice.parameter, *least, *most);
    }
    result.start.resize(1);
  }
  result.objects = std::move(regions);
  return result;
}

// A parameter that all of these regions have by key frames.
bool by_keys(const model::Model& model, const std::vector<std::size_t>& regions, const std::string& name) {
  return name != density && std::all_of(regions.begin(), regions.end(), [&](std::size_t r) {
           const std::size_t k = *find_parameter(model.regions[r], name);
           return model::varies_in_time(model.regions[r], k) && !model::is_driven(model.regions[r], k);
         });
}

// Of a function that the scene has by name. Design knows whether that has such a parameter.
template <class Owner>
std::vector<NamedVariable> function_variables(const std::vector<Owner>& owners, const char* kind,
                                              const std::string& wanted, optimize::Quantity quantity,
                                              const model::VariableChoice& choice, const std::string& where) {
  const auto found =
      std::find_if(owners.begin(), owners.end(), [&](const Owner& owner) { return owner.name == wanted; });
  if (found == owners.end()) {
    std::vector<std::string> names;
    names.reserve(owners.size());
    for (const Owner& owner : owners) names.push_back(owner.name);
    fail("{}: there is no {} '{}'; there are {}", where, kind, wanted,
         names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  }
  optimize::Variable result = bounded_variable(choice);
  result.objects = {static_cast<std::size_t>(found - owners.begin())};
  result.name = choice.parameter;
  result.quantity = quantity;
  result.each = true;
  return {{fmt::format("{}[{}]", choice.parameter, wanted), std::move(result)}};
}

}  // namespace

std::vector<NamedVariable> parameter_variables(const Problem& problem, const model::VariableChoice& choice,
                                               const std::string& where) {
  const auto& model = problem.model();
  const auto regions = chosen_regions(model, choice, where);
  const std::string all = label(choice.parameter, choice);
  if (by_keys(model, regions, choice.parameter)) return {{all, key_variable(problem, choice, regions, where)}};
  if (choice.sharing != model::Sharing::per_material) return {{all, variable(model, choice, regions, where)}};
  // A material with several energies that have the parameter has one value for them.
  std::vector<NamedVariable> result;
  for (auto first = regions.begin(); first != regions.end();) {
    const auto& name = model.regions[*first].name;
    const auto last = std::find_if(first, regions.end(), [&](auto r) { return model.regions[r].name != name; });
    result.push_back({fmt::format("{}[{}]", choice.parameter, name), variable(model, choice, {first, last}, where)});
    first = last;
  }
  return result;
}

std::vector<NamedVariable> controller_variables(const Problem& problem, const model::VariableChoice& choice,
                                                const std::string& where) {
  return function_variables(problem.model().controllers, "controller", choice.controller,
                            optimize::Quantity::controller, choice, where);
}

std::vector<NamedVariable> obstacle_variables(const Problem& problem, const model::VariableChoice& choice,
                                              const std::string& where) {
  return function_variables(problem.model().obstacles, "obstacle", choice.obstacle,
                            optimize::Quantity::obstacle_parameter, choice, where);
}

}  // namespace proxima::app
