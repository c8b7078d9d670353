#include "runtime/optimize/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "compiler/support/error.hpp"

namespace proxima::optimize {
namespace {

void check_bounds(const Variable& variable) {
  const auto& [name, lower, upper] = std::tie(variable.name, variable.lower, variable.upper);
  if (!(lower < upper)) fail("variable '{}': its lower bound {} must be below its upper bound {}", name, lower, upper);
  if (variable.around_start && variable.scale == Scale::logarithmic)
    fail("variable '{}': bounds around the start do not go with a logarithmic scale", name);
  if (variable.scale == Scale::logarithmic && !(lower > 0 && std::isfinite(upper)))
    fail("variable '{}': on a logarithmic scale bounds must be positive and finite, they are {} and {}", name, lower,
         upper);
  if (variable.quantity == Quantity::density && !variable.around_start && !(lower > 0))
    fail("variable '{}': a density's bounds must be above 0", name);
  const bool damping = variable.quantity == Quantity::mass_damping || variable.quantity == Quantity::stiffness_damping;
  if (variable.quantity == Quantity::friction && !variable.around_start && !(lower >= 0))
    fail("variable '{}': bounds of a coefficient of friction must not be below 0", name);
  const bool directed =
      variable.quantity == Quantity::friction_across || variable.quantity == Quantity::friction_crossed;
  if (directed && !variable.around_start && !(lower > 0))
    fail("variable '{}': bounds of a coefficient of friction across a direction must be above 0", name);
  if (variable.quantity == Quantity::restitution && !variable.around_start && !(lower >= 0 && upper <= 1))
    fail("variable '{}': bounds of a coefficient of restitution must be from 0 to 1", name);
  const bool penalty = variable.quantity == Quantity::penalty_stiffness || variable.quantity == Quantity::slip_speed;
  if (penalty && !variable.around_start && !(lower > 0))
    fail("variable '{}': bounds of a penalty's numbers must be above 0", name);
  if (damping && !(lower >= 0)) fail("variable '{}': a damping's bounds must not be below 0", name);
}

void check_interval(const Variable& variable, const auto& parameter) {
  if (!(variable.lower > parameter.lower && variable.upper < parameter.upper) &&
      !(std::isinf(parameter.lower) && std::isinf(parameter.upper)))
    fail("variable '{}': its bounds {} to {} must lie inside the open interval {}", variable.name, variable.lower,
         variable.upper, model::interval_text(parameter));
}

}  // namespace

Design::Design(const model::Model& model, std::vector<Variable> variables) : variables_(std::move(variables)) {
  model::Model shaped = model;
  std::set<std::tuple<Quantity, std::size_t, std::size_t, std::size_t>> covered;
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    auto& variable = variables_[v];
    const auto& row = quantity_row(variable.quantity);
    check_bounds(variable);
    targets_.push_back(find_targets(model, variable));
    std::vector<double> present;
    for (const auto& target : targets_[v]) {
      set_spread(shaped, variable.quantity, target, variable.each);
      const auto numbers = row.get(shaped, target);
      std::size_t place = 0;
      std::vector<std::size_t> varied;
      each_number(variable, numbers.size(), place, [&](std::size_t number, std::size_t) { varied.push_back(number); });
      for (const std::size_t number : varied) {
        if (number >= numbers.size())
          fail("variable '{}': number {} is chosen, there are {}", variable.name, number, numbers.size());
        if (!covered.emplace(variable.quantity, target.object, target.part, number).second)
          fail("variable '{}': {} has two variables for it", variable.name,
               row.object == "region" ? fmt::format("material '{}'", model.regions[target.object].name)
                                      : fmt::format("{} {}", row.object, target.object));
        if (variable.each || present.empty()) present.push_back(numbers[number]);
      }
    }
    if (variable.start.empty()) variable.start = present;
    if (variable.start.size() == 1) variable.start.resize(present.size(), variable.start[0]);
    if (variable.start.size() != present.size())
      fail("variable '{}': {} start values are given, it needs 1 or {}", variable.name, variable.start.size(),
           present.size());
    const double around = variable.around_start ? 1 : 0;
    for (const double start : variable.start)
      if (!(variable.lower + around * start <= start && start <= variable.upper + around * start))
        fail("variable '{}': its start {} is outside its bounds {} to {}", variable.name, start,
             variable.lower + around * start, variable.upper + around * start);
    add(variable);
  }
}

std::vector<Target> Design::find_targets(const model::Model& model, const Variable& variable) const {
  const auto& row = quantity_row(variable.quantity);
  if (variable.objects.empty()) fail("variable '{}' is for no {}", variable.name, row.object);
  const std::size_t count = row.objects(model);
  std::vector<Target> result;
  for (const std::size_t object : variable.objects) {
    if (object >= count)
      fail("variable '{}': there is no {} {}, the model has {}", variable.name, row.object, object, count);
    const Target target{object, part_named(model, variable.quantity, object, variable.name)};
    if (const auto why = row.lacks(model, target); !why.empty()) fail("variable '{}': {}", variable.name, why);
    if (variable.quantity == Quantity::parameter || variable.quantity == Quantity::signal)
      check_interval(variable, model.regions[object].energy->parameters[target.part]);
    if (variable.quantity == Quantity::obstacle_parameter) {
      const auto& shape = std::get<model::AnalyticDistance>(model.obstacles[object].shape);
      check_interval(variable, shape.function->parameters[target.part]);
    }
    result.push_back(target);
  }
  return result;
}

void Design::add(const Variable& variable) {
  const bool logarithmic = variable.scale == Scale::logarithmic;
  const double range = variable.upper - variable.lower, magnitude = std::abs(variable.start[0]);
  const double unit = std::isfinite(range) ? range : (magnitude > 0 ? magnitude : 1);
  const auto scaled = [&](double value) { return logarithmic ? std::log(value) : value / unit; };
  first_.push_back(start_.size());
  unit_.push_back(unit);
  for (const double value : variable.start) {
    least_.push_back(variable.around_start ? value + variable.lower : variable.lower);
    most_.push_back(variable.around_start ? value + variable.upper : variable.upper);
    lower_.push_back(scaled(least_.back()));
    upper_.push_back(scaled(most_.back()));
    start_.push_back(scaled(value));
  }
}

template <class Visit>
void Design::each_number(const Variable& variable, std::size_t numbers, std::size_t& place, Visit visit) const {
  const std::size_t count = variable.chosen.empty() ? numbers : variable.chosen.size();
  for (std::size_t k = 0; k < count; ++k) {
    visit(variable.chosen.empty() ? k : variable.chosen[k], place);
    if (variable.each) ++place;
  }
}

std::vector<std::vector<double>> Design::physical(std::span<const double> u) const {
  std::vector<std::vector<double>> result;
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    const Variable& variable = variables_[v];
    auto& values = result.emplace_back();
    for (std::size_t k = 0; k < variable.start.size(); ++k) {
      const double entry = u[first_[v] + k];
      // Rounding of the scale must not carry a value past its bound.
      values.push_back(std::clamp(variable.scale == Scale::logarithmic ? std::exp(entry) : unit_[v] * entry,
                                  least_[first_[v] + k], most_[first_[v] + k]));
    }
  }
  return result;
}

void Design::apply(std::span<const double> u, model::Model& model) const {
  const auto values = physical(u);
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    const auto& row = quantity_row(variables_[v].quantity);
    std::size_t place = 0;
    for (const auto& target : targets_[v]) {
      set_spread(model, variables_[v].quantity, target, variables_[v].each);
      auto numbers = row.get(model, target);
      each_number(variables_[v], numbers.size(), place,
                  [&](std::size_t number, std::size_t from) { numbers[number] = values[v][from]; });
      row.set(model, target, numbers);
    }
  }
}

adjoint::AdjointSettings Design::needs(adjoint::AdjointSettings settings) const {
  for (const auto& variable : variables_) {
    const auto& row = quantity_row(variable.quantity);
    settings.rest_shape = settings.rest_shape || row.rest_shape;
    settings.motions = settings.motions || row.motions;
  }
  return settings;
}

std::vector<double> Design::chain(std::span<const double> u, const model::Model& model,
                                  const adjoint::Gradient& gradient) const {
  const auto values = physical(u);
  std::vector<double> result(size());
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    const bool logarithmic = variables_[v].scale == Scale::logarithmic;
    std::size_t place = 0;
    for (const auto& target : targets_[v]) {
      const auto slopes = quantity_row(variables_[v].quantity).gradient(model, gradient, target);
      each_number(variables_[v], slopes.size(), place, [&](std::size_t number, std::size_t to) {
        result[first_[v] + to] += slopes[number] * (logarithmic ? values[v][to] : unit_[v]);
      });
    }
  }
  return result;
}

}  // namespace proxima::optimize
