#include "runtime/solve/step/step_words.hpp"

namespace proxima::solve {
namespace {

std::string with_cause(const Objective& objective, const ElementPoint& point, std::span<const double> x) {
  const std::string cause = objective.trace(point, x);
  return objective.describe(point, x) + (cause.empty() ? "" : ": " + cause);
}

}  // namespace

std::string describe_outside(const Objective& objective, const ElasticEnergy& energy, std::span<const double> x) {
  return with_cause(objective, energy.outside.value_or(objective.most_compressed(x)), x);
}

std::string describe_infinite(const Objective& objective, std::span<const double> x) {
  const auto point = objective.find_infinite_force(x);
  return point ? with_cause(objective, *point, x) : "";
}

std::string describe_compressed(const Objective& objective, std::span<const double> x) {
  return objective.describe(objective.most_compressed(x), x);
}

}  // namespace proxima::solve
