#include "apps/proxima/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/plot/plot.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::vector<double>> start_values(const NamedDesign& named) {
  return named.design.physical(named.design.start());
}

// A list of one is written as a number.
Json values_json(const std::vector<double>& values) { return values.size() == 1 ? Json(values[0]) : Json(values); }

}  // namespace

FitReport::FitReport(const NamedDesign& named, std::filesystem::path folder)
    : named_(named), folder_(std::move(folder)) {}

void FitReport::add(const optimize::FitProgress& progress) {
  const auto& step = progress.optimiser;
  if (evaluations_.empty()) {
    fmt::print("{:>5} {:>14} {:>12} {:>9} {:>9}", "eval", "loss", "|gradient|", "forward", "backward");
    for (const auto& label : named_.labels) fmt::print("  {:>14}", label.name);
    fmt::print("\n");
  }
  evaluations_.push_back({step.value, step.projected_gradient, progress.cost.seconds_forward,
                          progress.cost.seconds_backward, progress.values, !step.failure.empty()});
  const auto& last = evaluations_.back();
  if (last.failed) {
    fmt::print("{:>5} {:>14} {:>12} {:>7.2f} s {:>7.2f} s", step.evaluation, "failed", "", last.seconds_forward,
               last.seconds_backward);
  } else {
    fmt::print("{:>5} {:>14.6e} {:>12.3e} {:>7.2f} s {:>7.2f} s", step.evaluation, last.loss, last.gradient,
               last.seconds_forward, last.seconds_backward);
  }
  for (const auto& values : last.values) fmt::print("  {:>14}", value_text(values));
  fmt::print("{}{}\n", last.failed ? "  " : "", step.failure);
  std::fflush(stdout);
  write("running");
}

void FitReport::finish(const optimize::FitResult& result) {
  const std::string reason = optimize::describe(result.minimum.stop);
  write(reason.c_str());
  write_plot();
  const auto starts = start_values(named_);
  fmt::print("\n{:<16} {:>14} {:>14} {:>14} {:>12}\n", "variable", "truth", "start", "found", "error");
  for (std::size_t v = 0; v < named_.labels.size(); ++v) {
    const auto& [name, truth] = named_.labels[v];
    const auto& found = result.values[v];
    const bool comparable = truth && found.size() == 1 && *truth != 0;
    fmt::print("{:<16} {:>14} {:>14} {:>14} {:>12}\n", name, truth ? fmt::format("{:.6g}", *truth) : "-",
               value_text(starts[v]), value_text(found),
               comparable ? fmt::format("{:.3g} %", 100 * std::abs(found[0] / *truth - 1)) : "-");
  }
  const auto& minimum = result.minimum;
  fmt::print("\nloss {:.6e} after {} evaluations ({} iterations, {} failed trials); stopped because {}\n",
             minimum.value, minimum.evaluations, minimum.iterations, minimum.failures, reason);
  fmt::print("forward {:.2f} s, backward {:.2f} s; {} A-solves backward, worst adjoint residual {:.1e}\n",
             result.cost.seconds_forward, result.cost.seconds_backward, result.cost.a_solves_backward,
             result.cost.worst_adjoint_residual);
  if (result.cost.negative_curvature_steps > 0) {
    fmt::print(
        "negative curvature in {} steps: those states are not minima, and the gradient holds for the branch that was "
        "found\n",
        result.cost.negative_curvature_steps);
  }
}

void FitReport::write_plot() const {
  plot::Series losses;
  for (std::size_t i = 0; i < evaluations_.size(); ++i) {
    if (evaluations_[i].failed) continue;
    losses.xs.push_back(static_cast<double>(i + 1));
    losses.ys.push_back(evaluations_[i].loss);
  }
  const bool positive = std::all_of(losses.ys.begin(), losses.ys.end(), [](double loss) { return loss > 0; });
  write_file(folder_ / "loss.svg",
             plot::to_svg({"Loss of the identification", "evaluation", "loss", positive, {losses}}));
}

const FitReport::Evaluation* FitReport::best() const {
  const Evaluation* result = nullptr;
  for (const auto& evaluation : evaluations_) {
    if (!evaluation.failed && (!result || evaluation.loss < result->loss)) result = &evaluation;
  }
  return result;
}

void FitReport::write(const char* state) const {
  std::string table = "evaluation,loss,gradient,seconds_forward,seconds_backward\n";
  for (std::size_t i = 0; i < evaluations_.size(); ++i) {
    const auto& entry = evaluations_[i];
    if (entry.failed) continue;
    table += fmt::format("{},{},{},{},{}\n", i + 1, entry.loss, entry.gradient, entry.seconds_forward,
                         entry.seconds_backward);
  }
  write_file(folder_ / "loss.csv", table);

  Json result = {{"state", state}, {"evaluations", evaluations_.size()}};
  const auto* found = best();
  if (found) result["loss"] = found->loss;
  const auto starts = start_values(named_);
  for (std::size_t v = 0; v < named_.labels.size(); ++v) {
    Json entry = {{"name", named_.labels[v].name}, {"start", values_json(starts[v])}};
    if (found) entry["found"] = values_json(found->values[v]);
    if (named_.labels[v].truth) entry["truth"] = *named_.labels[v].truth;
    result["variables"].push_back(entry);
  }
  write_file(folder_ / "result.json", result.dump(2) + "\n");
}

}  // namespace proxima::app
