#include "apps/proxima/design_choice.hpp"

#include <algorithm>
#include <numeric>

#include "apps/proxima/direction_choice.hpp"
#include "apps/proxima/input_choice.hpp"
#include "apps/proxima/parameter_choice.hpp"
#include "compiler/support/error.hpp"

namespace proxima::app {
namespace {

using Choice = model::VariableChoice;

// What a choice is of, by the key that says so. A controller's or an obstacle's has `parameter` besides.
struct Kind {
  std::string Choice::* key;
  std::vector<NamedVariable> (*variables)(const Problem&, const Choice&, const std::string& where);
};
constexpr Kind kinds[] = {
    {&Choice::input, input_variables},           {&Choice::direction, direction_variables},
    {&Choice::controller, controller_variables}, {&Choice::obstacle, obstacle_variables},
    {&Choice::parameter, parameter_variables},
};

}  // namespace

NamedDesign make_design(const Problem& problem) {
  const auto& scene = problem.scene;
  if (!scene.optimize)
    fail("{}: 'optimize' is missing; it says what to look for (see proxima schema)", scene.file.string());
  std::vector<optimize::Variable> variables;
  std::vector<VariableLabel> labels;
  for (std::size_t i = 0; i < scene.optimize->variables.size(); ++i) {
    const auto& choice = scene.optimize->variables[i];
    const auto where = fmt::format("{}: optimize.variables[{}]", scene.file.string(), i);
    const auto kind = std::ranges::find_if(kinds, [&](const Kind& row) { return !(choice.*row.key).empty(); });
    for (auto& [name, variable] : kind->variables(problem, choice, where)) {
      variables.push_back(std::move(variable));
      labels.push_back({std::move(name), choice.truth});
    }
  }
  try {
    return {optimize::Design(problem.model(), std::move(variables)), std::move(labels)};
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
