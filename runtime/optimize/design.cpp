#include "runtime/optimize/design.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::optimize {
namespace {

std::size_t find_parameter(const model::Region& region, const std::string& name) {
  const auto& declared = region.energy->parameters;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < declared.size(); ++k) {
    if (declared[k].name == name) return k;
    names.push_back(declared[k].name);
  }
  const std::string nearest = nearest_name(name, names);
  fail("variable '{}': the energy '{}' of region '{}' has no such parameter{}", name, region.energy->name, region.name,
       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

void check_bounds(const Variable& variable) {
  const auto& [name, lower, upper] = std::tie(variable.name, variable.lower, variable.upper);
  if (!(lower < upper)) fail("variable '{}': its lower bound {} must be below its upper bound {}", name, lower, upper);
  if (variable.scale == Scale::logarithmic && !(lower > 0 && std::isfinite(upper)))
    fail("variable '{}': on a logarithmic scale bounds must be positive and finite, they are {} and {}", name, lower,
         upper);
  for (const double start : variable.start)
    if (!(lower <= start && start <= upper))
      fail("variable '{}': its start {} is outside its bounds {} to {}", name, start, lower, upper);
}

void check_interval(const Variable& variable, const ir::Parameter& parameter) {
  if (!(variable.lower > parameter.lower && variable.upper < parameter.upper) &&
      !(std::isinf(parameter.lower) && std::isinf(parameter.upper)))
    fail("variable '{}': its bounds {} to {} must lie inside the open interval {}", variable.name, variable.lower,
         variable.upper, model::interval_text(parameter));
}

}  // namespace

Design::Design(const model::Model& model, std::vector<Variable> variables) : variables_(std::move(variables)) {
  for (const auto& region : model.regions) {
    model_values_.parameters.push_back(region.parameters);
    model_values_.densities.push_back(region.density);
  }
  std::set<std::tuple<Kind, std::size_t, std::size_t>> covered;
  for (auto& variable : variables_) {
    check_bounds(variable);
    if (variable.regions.empty()) fail("variable '{}' is for no region", variable.name);
    if (variable.per_element && variable.kind == Kind::density)
      fail("variable '{}': a density is one value a region", variable.name);
    auto& numbers = parameter_.emplace_back();
    std::size_t count = variable.per_element ? 0 : 1;
    for (const std::size_t r : variable.regions) {
      if (r >= model.regions.size())
        fail("variable '{}': there is no region {}, the model has {}", variable.name, r, model.regions.size());
      const auto& region = model.regions[r];
      if (variable.kind == Kind::parameter) {
        numbers.push_back(find_parameter(region, variable.name));
        check_interval(variable, region.energy->parameters[numbers.back()]);
        if (model::varies_in_time(region, numbers.back()))
          fail("variable '{}': in region '{}' it is given by key frames, whose values cannot be varied", variable.name,
               region.name);
        const std::size_t elements = region.elements.count();
        if (variable.per_element) count += elements;
        model_values_.parameters[r][numbers.back()].resize(variable.per_element ? elements : 1);
      } else {
        numbers.push_back(0);
        if (region.density == 0)
          fail("variable '{}': the energy '{}' of region '{}' brings no mass of its own", variable.name,
               region.energy->name, region.name);
        if (!(variable.lower > 0)) fail("variable '{}': a density's bounds must be above 0", variable.name);
      }
      if (!covered.emplace(variable.kind, r, numbers.back()).second)
        fail("variable '{}': region '{}' has two variables for it", variable.name, region.name);
    }
    if (variable.start.size() == 1) variable.start.resize(count, variable.start[0]);
    if (variable.start.size() != count)
      fail("variable '{}': {} start values are given, it needs 1 or {}", variable.name, variable.start.size(), count);
    const bool logarithmic = variable.scale == Scale::logarithmic;
    const double range = variable.upper - variable.lower, magnitude = std::abs(variable.start[0]);
    const double unit = std::isfinite(range) ? range : (magnitude > 0 ? magnitude : 1);
    const auto scaled = [&](double value) { return logarithmic ? std::log(value) : value / unit; };
    first_.push_back(start_.size());
    unit_.push_back(unit);
    for (const double value : variable.start) {
      lower_.push_back(scaled(variable.lower));
      upper_.push_back(scaled(variable.upper));
      start_.push_back(scaled(value));
    }
  }
}

template <class V, class Visit>
void Design::each_slot(V& values, Visit visit) const {
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    std::size_t place = first_[v];
    for (std::size_t k = 0; k < variables_[v].regions.size(); ++k) {
      const std::size_t r = variables_[v].regions[k];
      if (variables_[v].kind == Kind::density) {
        visit(v, place, values.densities[r]);
      } else if (!variables_[v].per_element) {
        visit(v, place, values.parameters[r][parameter_[v][k]][0]);
      } else {
        for (auto& slot : values.parameters[r][parameter_[v][k]]) visit(v, place++, slot);
      }
    }
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
                                  variable.lower, variable.upper));
    }
  }
  return result;
}

Values Design::values(std::span<const double> u) const {
  const auto physical_values = physical(u);
  Values result = model_values_;
  each_slot(result,
            [&](std::size_t v, std::size_t place, double& slot) { slot = physical_values[v][place - first_[v]]; });
  return result;
}

std::vector<double> Design::chain(std::span<const double> u, const adjoint::Gradient& gradient) const {
  const auto physical_values = physical(u);
  std::vector<double> result(size());
  each_slot(gradient, [&](std::size_t v, std::size_t place, const double& slot) {
    const bool logarithmic = variables_[v].scale == Scale::logarithmic;
    result[place] += slot * (logarithmic ? physical_values[v][place - first_[v]] : unit_[v]);
  });
  return result;
}

}  // namespace proxima::optimize
