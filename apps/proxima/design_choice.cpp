#include "apps/proxima/design_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "apps/proxima/direction_choice.hpp"
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

// "E", "E[soft+hard]".
std::string label(const std::string& name, const model::VariableChoice& choice) {
  return choice.materials.empty() ? name : fmt::format("{}[{}]", name, fmt::join(choice.materials, "+"));
}

// A parameter that all of these regions have by key frames.
bool by_keys(const model::Model& model, const std::vector<std::size_t>& regions, const std::string& name) {
  return name != density && std::all_of(regions.begin(), regions.end(), [&](std::size_t r) {
           const std::size_t k = *find_parameter(model.regions[r], name);
           return model::varies_in_time(model.regions[r], k) && !model::is_driven(model.regions[r], k);
         });
}

// Of a controller's function; Design knows whether that has such a parameter.
optimize::Variable controller_variable(const model::Model& model, const model::VariableChoice& choice,
                                       const std::string& where) {
  std::vector<std::string> names;
  optimize::Variable result = bounded_variable(choice);
  for (std::size_t c = 0; c < model.controllers.size(); ++c) {
    if (model.controllers[c].name == choice.controller) result.objects = {c};
    names.push_back(model.controllers[c].name);
  }
  if (result.objects.empty())
    fail("{}: there is no controller '{}'; there are {}", where, choice.controller,
         names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  result.name = choice.parameter;
  result.quantity = optimize::Quantity::controller;
  result.each = true;
  return result;
}

// Of an obstacle's shape; Design knows whether that has such a parameter.
optimize::Variable obstacle_variable(const model::Model& model, const model::VariableChoice& choice,
                                     const std::string& where) {
  std::vector<std::string> names;
  optimize::Variable result = bounded_variable(choice);
  for (std::size_t o = 0; o < model.obstacles.size(); ++o) {
    if (model.obstacles[o].name == choice.obstacle) result.objects = {o};
    names.push_back(model.obstacles[o].name);
  }
  if (result.objects.empty())
    fail("{}: there is no obstacle '{}'; there are {}", where, choice.obstacle,
         names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  result.name = choice.parameter;
  result.quantity = optimize::Quantity::obstacle_parameter;
  result.each = true;
  return result;
}

}  // namespace

NamedDesign make_design(const Problem& problem) {
  const auto& scene = problem.scene;
  const auto& model = problem.model();
  if (!scene.optimize)
    fail("{}: 'optimize' is missing; it says what to look for (see proxima schema)", scene.file.string());
  std::vector<optimize::Variable> variables;
  std::vector<VariableLabel> labels;
  for (std::size_t i = 0; i < scene.optimize->variables.size(); ++i) {
    const auto& choice = scene.optimize->variables[i];
    const auto where = fmt::format("{}: optimize.variables[{}]", scene.file.string(), i);
    if (!choice.input.empty()) {
      variables.push_back(input_variable(problem, choice, where));
      labels.push_back({label(variables.back().name, choice), choice.truth});
      continue;
    }
    if (!choice.direction.empty()) {
      for (auto& [name, variable] : direction_variables(problem, choice, where)) {
        variables.push_back(std::move(variable));
        labels.push_back({std::move(name), choice.truth});
      }
      continue;
    }
    if (!choice.controller.empty()) {
      variables.push_back(controller_variable(model, choice, where));
      labels.push_back({fmt::format("{}[{}]", choice.parameter, choice.controller), choice.truth});
      continue;
    }
    if (!choice.obstacle.empty()) {
      variables.push_back(obstacle_variable(model, choice, where));
      labels.push_back({fmt::format("{}[{}]", choice.parameter, choice.obstacle), choice.truth});
      continue;
    }
    const auto regions = chosen_regions(model, choice, where);
    if (by_keys(model, regions, choice.parameter)) {
      variables.push_back(key_variable(problem, choice, regions, where));
      labels.push_back({label(choice.parameter, choice), choice.truth});
      continue;
    }
    if (choice.sharing == model::Sharing::per_material) {
      // A material with several energies that have the parameter has one value for them.
      for (auto first = regions.begin(); first != regions.end();) {
        const auto& name = model.regions[*first].name;
        const auto last = std::find_if(first, regions.end(), [&](auto r) { return model.regions[r].name != name; });
        variables.push_back(variable(model, choice, {first, last}, where));
        labels.push_back({fmt::format("{}[{}]", choice.parameter, name), choice.truth});
        first = last;
      }
    } else {
      variables.push_back(variable(model, choice, regions, where));
      labels.push_back({label(choice.parameter, choice), choice.truth});
    }
  }
  try {
    return {optimize::Design(model, std::move(variables)), std::move(labels)};
  } catch (const Error& error) {
    fail("{}: optimize.variables: {}", scene.file.string(), error.what());
  }
}

void put_values(Problem& problem, const optimize::Design& design, std::span<const double> u) {
  design.apply(u, problem.built.model);
  problem.objective->set_values(problem.model());
}

std::string value_text(const std::vector<double>& values) {
  if (values.size() == 1) return fmt::format("{:.6g}", values[0]);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return fmt::format("{:.4g} < {:.4g} < {:.4g}", *least, mean, *most);
}

}  // namespace proxima::app
