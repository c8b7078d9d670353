#include "apps/proxima/input_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/model/select.hpp"

namespace proxima::app {
namespace {

// Of one that an input of the scene names: where the model has its numbers.
struct Place {
  optimize::Quantity quantity;
  std::vector<std::size_t> objects;
  std::string name;  // of the parameter, or for tables
};

optimize::Quantity quantity_named(const std::string& name) {
  const auto rows = optimize::all_quantities();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return static_cast<optimize::Quantity>(found - rows.begin());
}

// A pressure is a region where it has a potential, else a surface load; fluids follow these.
Place pressure_place(const Problem& problem, std::size_t number) {
  const auto& regions = problem.model().regions;
  const auto region_of = [&](std::size_t k) {
    const auto name = fmt::format("pressures[{}]", k);
    return std::find_if(regions.begin(), regions.end(), [&](const auto& region) { return region.name == name; });
  };
  if (const auto found = region_of(number); found != regions.end()) {
    const auto r = static_cast<std::size_t>(found - regions.begin());
    const bool keys = model::varies_in_time(*found, 0);
    return {keys ? optimize::Quantity::signal : optimize::Quantity::parameter, {r}, found->energy->parameters[0].name};
  }
  std::size_t load = 0;
  for (std::size_t k = 0; k < number; ++k) load += region_of(k) == regions.end() ? 1 : 0;
  return {optimize::Quantity::pressure, {load}, fmt::format("pressures[{}]", number)};
}

// One pair by its names, or all of them.
Place pairs_place(const Problem& problem, optimize::Quantity quantity, const model::VariableChoice& choice,
                  const std::string& where) {
  const auto& model = problem.model();
  Place place{quantity, {}, choice.input};
  for (std::size_t p = 0; p < model.contacts.size(); ++p) {
    const auto names = model::pair_names(model, model.contacts[p]);
    if (choice.between.empty() || std::is_permutation(names.begin(), names.end(), choice.between.begin()))
      place.objects.push_back(p);
  }
  if (choice.between.empty()) return place;
  if (place.objects.empty())
    fail("{}.between: '{}' and '{}' are no pair that touches", where, choice.between[0], choice.between[1]);
  place.name = fmt::format("{}[{}, {}]", choice.input, choice.between[0], choice.between[1]);
  return place;
}

Place place_of(const Problem& problem, const model::VariableChoice& choice, const std::string& where) {
  const auto quantity = quantity_named(choice.input);
  const auto& row = optimize::quantity_row(quantity);
  const auto& scene = problem.scene;
  const auto of = static_cast<std::size_t>(choice.of);
  const auto require = [&](std::size_t count, const char* list) {
    if (of >= count) fail("{}.of: is {}, the scene has {} {}", where, of, count, list);
  };
  std::string name = row.object.empty() ? choice.input : fmt::format("{}[{}]", choice.input, of);
  if (row.object == "region") {
    std::vector<std::size_t> regions;
    for (std::size_t r = 0; r < problem.model().regions.size(); ++r) {
      const auto& region = problem.model().regions[r];
      const bool wanted = is_for(choice, region) && (!choice.materials.empty() || region.density > 0);
      if (wanted && !region.overlay) regions.push_back(r);
    }
    return {quantity, std::move(regions), choice.input};
  }
  if (row.object == "contact pair") return pairs_place(problem, quantity, choice, where);
  if (row.object == "tie") require(scene.ties.size(), "ties");
  if (row.object == "obstacle") require(scene.obstacles.size(), "obstacles");
  if (row.object == "nodal force") require(scene.forces.size(), "forces");
  if (row.object == "dirichlet") require(scene.dirichlet.size(), "dirichlet");
  if (row.object == "body") require(scene.bodies.size(), "bodies");
  if (quantity == optimize::Quantity::pressure) {
    require(scene.pressures.size(), "pressures");
    return pressure_place(problem, of);
  }
  if (row.object == "surface load") {
    require(scene.fluids.size(), "hydrodynamics");
    return {quantity, {problem.model().surface_loads.size() - scene.fluids.size() + of}, std::move(name)};
  }
  return {quantity, {of}, std::move(name)};
}

// Which numbers of each object vary, none where all do.
std::vector<std::size_t> chosen_numbers(const Problem& problem, const model::VariableChoice& choice, const Place& place,
                                        const std::string& where) {
  const auto& model = problem.model();
  const auto numbers =
      optimize::quantity_row(place.quantity)
          .get(model, {place.objects[0], optimize::part_named(model, place.quantity, place.objects[0], place.name)});
  using optimize::Quantity;
  constexpr Quantity tables[] = {Quantity::signal, Quantity::force_factor, Quantity::pressure, Quantity::drag,
                                 Quantity::thrust};
  const bool table = std::find(std::begin(tables), std::end(tables), place.quantity) != std::end(tables);
  const std::size_t width = table || numbers.size() % 3 != 0 ? 1 : 3, rows = numbers.size() / width;
  if (!choice.components.empty() && width == 1) fail("{}.components: '{}' is no vector", where, choice.input);
  std::vector<std::size_t> entries(choice.keys.begin(), choice.keys.end());
  if (choice.select) {
    if (place.quantity != Quantity::rest_shape) fail("{}.select: goes with \"input\": \"rest_shape\" only", where);
    const auto nodes = model::select_nodes(*choice.select, model, where + ".select");
    entries.assign(nodes.begin(), nodes.end());
  }
  if (entries.empty() && choice.components.empty()) return {};
  if (entries.empty()) {
    entries.resize(rows);
    std::iota(entries.begin(), entries.end(), 0);
  }
  std::vector<int> components = choice.components;
  if (components.empty())
    for (std::size_t c = 0; c < width; ++c) components.push_back(static_cast<int>(c));
  std::vector<std::size_t> result;
  for (const std::size_t entry : entries) {
    if (entry >= rows) fail("{}.keys: there is no key {}, there are {}", where, entry, rows);
    for (const int c : components) result.push_back(width * entry + static_cast<std::size_t>(c));
  }
  return result;
}

// Every number varies by itself, but for values of materials, which are shared unless they are per element, and of
// pairs.
optimize::Variable variable_of(const Problem& problem, const model::VariableChoice& choice, const Place& place,
                               const std::string& where) {
  optimize::Variable result = bounded_variable(choice);
  result.name = place.name;
  result.quantity = place.quantity;
  result.objects = place.objects;
  const bool of_region = optimize::quantity_row(place.quantity).object == "region";
  const bool of_pairs = optimize::quantity_row(place.quantity).object == "contact pair";
  result.each = (!of_region && !of_pairs) || place.quantity == optimize::Quantity::signal ||
                choice.sharing == model::Sharing::per_element;
  if (!result.each && !(choice.components.empty() && choice.keys.empty() && !choice.select))
    fail("{}: components, keys and select do not go with '{}', which is one number", where, choice.input);
  if (!place.objects.empty() && result.each) result.chosen = chosen_numbers(problem, choice, place, where);
  return result;
}

}  // namespace

std::string label(const std::string& name, const model::VariableChoice& choice) {
  return choice.materials.empty() ? name : fmt::format("{}[{}]", name, fmt::join(choice.materials, "+"));
}

optimize::Variable bounded_variable(const model::VariableChoice& choice) {
  optimize::Variable result;
  result.scale = choice.logarithmic ? optimize::Scale::logarithmic : optimize::Scale::linear;
  result.lower = choice.lower;
  result.upper = choice.upper;
  result.around_start = choice.around_start;
  if (choice.start) result.start = {*choice.start};
  return result;
}

bool is_for(const model::VariableChoice& choice, const model::Region& region) {
  const auto& names = choice.materials;
  return names.empty() || std::find(names.begin(), names.end(), region.name) != names.end();
}

std::vector<NamedVariable> input_variables(const Problem& problem, const model::VariableChoice& choice,
                                           const std::string& where) {
  optimize::Variable found = variable_of(problem, choice, place_of(problem, choice, where), where);
  std::string name = label(found.name, choice);
  return {{std::move(name), std::move(found)}};
}

optimize::Variable key_variable(const Problem& problem, const model::VariableChoice& choice,
                                std::vector<std::size_t> regions, const std::string& where) {
  return variable_of(problem, choice, {optimize::Quantity::signal, std::move(regions), choice.parameter}, where);
}

}  // namespace proxima::app
