#include "apps/proxima/step_log.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

struct Entry {
  int step;
  double time;
  const solve::StepReport& report;
};

struct Column {
  std::string_view name;  // with the unit where there is one
  double (*value)(const Entry& entry);
};

// A new one goes here and nowhere else: docs/output.md says what they mean.
constexpr Column columns[] = {
    {"step", [](const Entry& e) { return static_cast<double>(e.step); }},
    {"time_s", [](const Entry& e) { return e.time; }},
    {"iterations", [](const Entry& e) { return static_cast<double>(e.report.iterations); }},
    {"a_solves", [](const Entry& e) { return static_cast<double>(e.report.a_solves); }},
    {"hessian_products", [](const Entry& e) { return static_cast<double>(e.report.hessian_products); }},
    {"gradients", [](const Entry& e) { return static_cast<double>(e.report.gradients); }},
    {"line_search_halvings", [](const Entry& e) { return static_cast<double>(e.report.line_search_halvings); }},
    {"parts", [](const Entry& e) { return static_cast<double>(e.report.parts); }},
    {"residual", [](const Entry& e) { return e.report.residual; }},
    {"elastic_J", [](const Entry& e) { return e.report.elastic_energy; }},
    {"kinetic_J", [](const Entry& e) { return e.report.kinetic_energy; }},
    {"negative_curvature", [](const Entry& e) { return e.report.negative_curvature ? 1.0 : 0.0; }},
    {"seconds", [](const Entry& e) { return e.report.seconds; }},
};

std::string header() {
  std::vector<std::string_view> names;
  for (const Column& column : columns) names.push_back(column.name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string line(const std::vector<double>& row) { return fmt::format("{}\n", fmt::join(row, ",")); }

// Nothing for a line that was cut short.
std::optional<std::vector<double>> parse(std::string_view text) {
  std::vector<double> row(std::size(columns));
  const char* at = text.data();
  const char* const end = at + text.size();
  for (auto& value : row) {
    const auto [after, error] = std::from_chars(at, end, value);
    const bool last = &value == &row.back();
    if (error != std::errc() || (after == end) != last || (!last && *after != ',')) return std::nullopt;
    at = last ? after : after + 1;
  }
  return row;
}

std::size_t index_of(std::string_view name) {
  const auto* const found = std::ranges::find(columns, name, &Column::name);
  if (found == std::end(columns)) throw std::logic_error(fmt::format("steps.csv has no column '{}'", name));
  return static_cast<std::size_t>(found - std::begin(columns));
}

}  // namespace

StepLog::StepLog(std::filesystem::path file, int steps) : file_(std::move(file)) {
  std::string content = header();
  std::error_code ignored;
  if (steps > 0 && std::filesystem::exists(file_, ignored)) {
    const std::string found = read_file(file_);
    for (std::size_t begin = 0, end; (end = found.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto row = parse(std::string_view(found).substr(begin, end - begin));
      if (!row || row->front() > steps) continue;
      rows_.push_back(*row);
      content += line(*row);
    }
  }
  write_file(file_, content);
}

void StepLog::add(int step, double time, const solve::StepReport& report) {
  auto& row = rows_.emplace_back();
  for (const Column& column : columns) row.push_back(column.value({step, time, report}));
  std::ofstream stream(file_, std::ios::app | std::ios::binary);
  stream << line(row);
  stream.close();
  if (!stream) fail("{}: cannot be written", file_.string());
}

double StepLog::total(std::string_view column) const {
  double sum = 0;
  for (const auto& row : rows_) sum += row[index_of(column)];
  return sum;
}

double StepLog::largest(std::string_view column) const {
  double most = 0;
  for (const auto& row : rows_) most = std::max(most, row[index_of(column)]);
  return most;
}

}  // namespace proxima::app
