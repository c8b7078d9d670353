#include "apps/proxima/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/plot/plot.hpp"
#include "apps/proxima/evidence.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

using Json = nlohmann::ordered_json;

// A list of one is written as a number.
Json values_json(const std::vector<double>& values) { return values.size() == 1 ? Json(values[0]) : Json(values); }

}  // namespace

FitReport::FitReport(const JointDesign& design, std::filesystem::path folder,
                     const std::vector<std::vector<double>>& starts)
    : design_(design), folder_(std::move(folder)), starts_(starts.size()), matters_(design.labels().size()) {
  for (std::size_t s = 0; s < starts.size(); ++s) starts_[s].from = design.physical(starts[s]);
}

void FitReport::add(const optimize::SearchProgress& progress) {
  const auto& step = progress.minimiser.progress();
  const auto& minimum = progress.minimiser.minimum();
  const bool failed = !step.failure.empty();
  rows_.push_back({progress.record.start, step.evaluation, step.value, step.steepest, progress.record.cost, failed});
  auto slope = progress.record.found.gradient.begin();
  for (std::size_t v = 0; v < matters_.size() && !failed; ++v) {
    const auto end = slope + static_cast<std::ptrdiff_t>(design_.counts()[v]);
    matters_[v] = matters_[v] || std::any_of(slope, end, [](double value) { return value != 0; });
    slope = end;
  }
  Start& start = starts_[static_cast<std::size_t>(progress.record.start)];
  start.evaluations = step.evaluation;
  const auto values = design_.physical(step.point);
  if (!failed && (!start.has_value() || step.value < start.loss)) {
    start.found = values;
    start.loss = step.value;
  }
  start.state = progress.minimiser.finished() ? optimize::describe(minimum.stop) : "running";
  if (progress.repeated) return;
  if (!titled_) {
    fmt::print("{}{:>5} {:>14} {:>12} {:>9} {:>9}", starts_.size() > 1 ? "start " : "", "eval", "loss", "|gradient|",
               "forward", "backward");
    for (const auto& label : design_.labels()) fmt::print("  {:>14}", label.name);
    fmt::print("\n");
    titled_ = true;
  }
  print(rows_.back(), values, step.failure);
  write(false);
}

void FitReport::print(const Row& row, const std::vector<std::vector<double>>& values,
                      const std::string& failure) const {
  if (starts_.size() > 1) fmt::print("{:>5} ", row.start + 1);
  if (row.failed) {
    fmt::print("{:>5} {:>14} {:>12}", row.evaluation, "failed", "");
  } else {
    fmt::print("{:>5} {:>14.6e} {:>12.3e}", row.evaluation, row.loss, row.gradient);
  }
  fmt::print(" {:>7.2f} s {:>7.2f} s", row.cost.seconds_forward, row.cost.seconds_backward);
  for (const auto& entry : values) fmt::print("  {:>14}", value_text(entry));
  fmt::print("{}{}\n", row.failed ? "  " : "", failure);
  std::fflush(stdout);
}

void FitReport::print_starts() const {
  fmt::print("\n{:>5} {:>14} {:>5}", "start", "loss", "eval");
  for (const auto& label : design_.labels()) fmt::print("  {:>14}  {:>14}", label.name, "found");
  fmt::print("  stopped because\n");
  for (std::size_t s = 0; s < starts_.size(); ++s) {
    const auto& start = starts_[s];
    fmt::print("{:>5} {:>14} {:>5}", s + 1, start.has_value() ? fmt::format("{:.6e}", start.loss) : "-",
               start.evaluations);
    for (std::size_t v = 0; v < start.from.size(); ++v)
      fmt::print("  {:>14}  {:>14}", value_text(start.from[v]), start.has_value() ? value_text(start.found[v]) : "-");
    fmt::print("  {}\n", start.state);
  }
}

void FitReport::finish(const optimize::SearchResult& result) {
  write(true);
  if (starts_.size() > 1) print_starts();
  const Start& winner = starts_[result.best];
  const auto& labels = design_.labels();
  fmt::print("\n{:<16} {:>14} {:>14} {:>14} {:>12}\n", "variable", "truth", "start", "found", "error");
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const auto& [name, truth] = labels[v];
    const auto& found = winner.found[v];
    const bool comparable = truth && found.size() == 1 && *truth != 0;
    fmt::print("{:<16} {:>14} {:>14} {:>14} {:>12}\n", name, truth ? fmt::format("{:.6g}", *truth) : "-",
               value_text(winner.from[v]), value_text(found),
               comparable ? fmt::format("{:.3g} %", 100 * std::abs(found[0] / *truth - 1)) : "-");
  }
  const auto& minimum = result.minima[result.best];
  fmt::print("\nloss {:.6e} after {} evaluations ({} iterations, {} failed trials); stopped because {}\n",
             minimum.value, minimum.evaluations, minimum.iterations, minimum.failures, winner.state);
  std::fflush(stdout);
  print_warnings(minimum);
  const auto& cost = result.cost;
  fmt::print("forward {:.2f} s, backward {:.2f} s; {} A-solves backward, worst adjoint residual {:.1e}\n",
             cost.seconds_forward, cost.seconds_backward, cost.a_solves_backward, cost.worst_adjoint_residual);
  print_evidence(cost);
}

void FitReport::print_warnings(const optimize::Minimum& minimum) const {
  const auto& labels = design_.labels();
  std::size_t entry = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const std::size_t end = entry + design_.counts()[v];
    if (!matters_[v] && minimum.value != 0) {
      fmt::print(stderr,
                 "proxima: warning: the loss does not depend on variable '{}': its gradient was exactly 0 in every "
                 "evaluation\n",
                 labels[v].name);
    } else if (matters_[v]) {
      std::size_t bound = 0;
      for (std::size_t i = entry; i < end; ++i)
        bound += (minimum.point[i] <= design_.lower()[i] && minimum.gradient[i] > 0) ||
                 (minimum.point[i] >= design_.upper()[i] && minimum.gradient[i] < 0);
      if (bound > 0)
        fmt::print(stderr, "proxima: warning: variable '{}' ended at a bound{}, where the loss still falls outwards\n",
                   labels[v].name,
                   design_.counts()[v] == 1 ? "" : fmt::format(", {} of its {} numbers", bound, design_.counts()[v]));
    }
    entry = end;
  }
}

void FitReport::write_plot() const {
  constexpr std::size_t most_names = 8;  // that a legend has room for
  std::vector<plot::Series> losses(starts_.size());
  bool positive = true;
  for (const auto& row : rows_) {
    if (row.failed) continue;
    auto& series = losses[static_cast<std::size_t>(row.start)];
    series.xs.push_back(row.evaluation);
    series.ys.push_back(row.loss);
    positive = positive && row.loss > 0;
  }
  for (std::size_t s = 0; s < losses.size(); ++s)
    if (starts_.size() > 1 && starts_.size() <= most_names) losses[s].name = fmt::format("start {}", s + 1);
  std::erase_if(losses, [](const auto& series) { return series.xs.empty(); });
  write_file(folder_ / "loss.svg",
             plot::to_svg({"Loss of the identification", "evaluation", "loss", positive, std::move(losses)}));
}

const FitReport::Start* FitReport::best() const {
  const Start* result = nullptr;
  for (const auto& start : starts_)
    if (start.has_value() && (!result || start.loss < result->loss)) result = &start;
  return result;
}

void FitReport::write(bool finished) const {
  std::string table = "start,evaluation,loss,gradient,seconds_forward,seconds_backward\n";
  for (const auto& row : rows_) {
    if (row.failed) continue;
    table += fmt::format("{},{},{},{},{},{}\n", row.start + 1, row.evaluation, row.loss, row.gradient,
                         row.cost.seconds_forward, row.cost.seconds_backward);
  }
  write_file(folder_ / "loss.csv", table);

  const Start* found = best();
  if (!found) return;
  write_plot();
  Json result = {{"state", finished ? "finished" : "running"}};
  if (finished) result["stopped_because"] = found->state;
  result["evaluations"] = rows_.size();
  result["loss"] = found->loss;
  const auto& labels = design_.labels();
  for (std::size_t v = 0; v < labels.size(); ++v) {
    Json entry = {
        {"name", labels[v].name}, {"start", values_json(found->from[v])}, {"found", values_json(found->found[v])}};
    if (labels[v].truth) entry["truth"] = *labels[v].truth;
    result["variables"].push_back(std::move(entry));
  }
  for (const auto& start : starts_) {
    if (starts_.size() == 1) break;
    Json entry = {{"state", start.state}, {"evaluations", start.evaluations}};
    if (start.has_value()) entry["loss"] = start.loss;
    for (std::size_t v = 0; v < labels.size(); ++v) {
      entry["start"].push_back(values_json(start.from[v]));
      if (start.has_value()) entry["found"].push_back(values_json(start.found[v]));
    }
    result["starts"].push_back(std::move(entry));
  }
  write_file(folder_ / "result.json", result.dump(2) + "\n");
}

}  // namespace proxima::app
