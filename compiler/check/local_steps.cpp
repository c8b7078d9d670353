// Local steps: each form's own equation at the point it gives, and its adjoint against differences of that point.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/check/trial.hpp"

namespace proxima::check {
namespace {

// The part of a kernel's results that is output `name`, or nothing.
std::span<const Number> output(const Function& function, const Numbers& results, const std::string& name) {
  std::size_t next = 0;
  for (const ir::Field& field : function.outputs()) {
    if (field.name == name) return std::span(results).subspan(next, field.components);
    next += field.components;
  }
  return {};
}

Vector of_doubles(std::span<const Number> numbers) {
  Vector result(static_cast<Eigen::Index>(numbers.size()));
  for (std::size_t k = 0; k < numbers.size(); ++k)
    result[static_cast<Eigen::Index>(k)] = static_cast<double>(numbers[k]);
  return result;
}

struct Outcome {
  double points = 0, error = 0, iterations = 0, pivot = INFINITY;
  Vector strain;
};

// |w (F - p) - P| relative, with P the stress at F, or at p for the proximal form; NaN where there is no p.
double residual(const Context& context, const LocalForm& form, const Values& fields, const Function& step,
                const Numbers& results, const Function& stress) {
  const auto p = output(step, results, "p");
  const Numbers& F = fields.at("strain");
  const auto own = output(step, results, "weight");
  const Number w = own.empty() ? fields.at("weight")[0] : own[0];
  Values at = fields;
  if (form.implicit) at["strain"] = Numbers(p.begin(), p.end());
  const Numbers P = stress(at);
  Number difference = 0, size = static_cast<Number>(context.rest.scale);
  for (std::size_t k = 0; k < F.size(); ++k) {
    difference = std::max(difference, std::fabs(w * (F[k] - p[k]) - P[k]));
    if (std::isnan(p[k]) || std::isnan(P[k])) return NAN;
    size = std::max(size, std::fabs(P[k]));
  }
  return static_cast<double>(difference / size);
}

}  // namespace

void check_local_steps(Context& context) {
  constexpr int random = 4;
  constexpr double tolerance = 1e-7;
  std::vector<State> tried = states();
  for (State& state : random_states(random)) tried.push_back(std::move(state));
  const double weight = local_weight(context);
  const Function stress(derive::strain_kernel(context.energy, derive::Quantity::forces));
  std::vector<Trial> trials;
  trials.reserve(local_forms(context.energy).size());
  Table steps{"steps", {"form", "points", "worst_residual", "most_iterations", "smallest_pivot"}, {}};
  for (const LocalForm& form : local_forms(context.energy)) {
    const std::vector<bool> uniform(context.parameters.size(), false);
    const Function step(derive::local_step(context.energy, form.form, uniform));
    const Function adjoint(derive::local_step_adjoint(context.energy, form.form, uniform));
    // Newton's iterations end within the rounding of doubles.
    Trial trial{.kernel = form.adjoint_title,
                .of = form.title,
                .rounding = form.implicit ? 1e-13L : 1e-18L,
                .strain = {},
                .where = {}};
    Outcome outcome;
    for (const State& state : tried) {
      const Vector x = context.space.at(state.A);
      if (context.response.not_finite(x)) continue;
      Values fields = extended(context.fields);
      fields["strain"] = Numbers(x.begin(), x.end());
      fields["weight"] = {weight};
      const Numbers& p_bar = fields["p_bar"] = some_direction(fields["strain"].size(), 5);
      const Numbers results = step(fields);
      const auto p = output(step, results, "p");
      fields["p"] = Numbers(p.begin(), p.end());
      ++outcome.points;
      const double error = residual(context, form, fields, step, results, stress);
      if (!(error <= outcome.error)) {
        outcome.error = error;
        outcome.strain = x;
      }
      if (form.implicit) {
        outcome.iterations = std::max(outcome.iterations, static_cast<double>(output(step, results, "iterations")[0]));
        outcome.pivot = std::min(outcome.pivot, static_cast<double>(output(step, results, "pivot")[0]));
      }
      if (form.implicit && !(error <= tolerance && output(step, results, "pivot")[0] > 0 &&
                             !context.response.kink(of_doubles(p)) && !context.response.kink(x)))
        continue;  // there is no point, or one of several
      for (const Move& move : moves_of(context, adjoint, fields))
        trial([&](const Values& v) { return dot(step(v), p_bar); }, fields, move, 1, x,
              fmt::format("{}, by {}", state.name, move.field));
    }
    const auto if_implicit = [&](double value) { return form.implicit ? Value(value) : Value("-"); };
    steps.rows.push_back(
        {form.title, outcome.points, outcome.error, if_implicit(outcome.iterations), if_implicit(outcome.pivot)});
    if (!(outcome.error <= tolerance))
      context.find(form.implicit ? Severity::warning : Severity::error, outcome.strain,
                   "the {} does not solve its equation at {}: it is off by {:.2g} of the stress there", form.title,
                   context.space.text(outcome.strain), outcome.error);
    trials.push_back(std::move(trial));
  }
  context.section->tables.push_back(std::move(steps));
  Table& table = context.table("adjoints", Trial::columns());
  for (const Trial& trial : trials) trial.report(context, table);
}

}  // namespace proxima::check
