#include "apps/proxima/step_log.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

std::string line(const StepLog::Row& row) { return fmt::format("{}\n", fmt::join(row, ",")); }

// Nothing for a line that was cut short.
std::optional<StepLog::Row> parse(std::string_view text) {
  StepLog::Row row{};
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

std::size_t index_of(std::string_view column) {
  return static_cast<std::size_t>(std::find(StepLog::columns.begin(), StepLog::columns.end(), column) -
                                  StepLog::columns.begin());
}

}  // namespace

StepLog::StepLog(std::filesystem::path file, int steps) : file_(std::move(file)) {
  std::string content = fmt::format("{}\n", fmt::join(columns, ","));
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
  rows_.push_back({static_cast<double>(step), time, static_cast<double>(report.newton),
                   static_cast<double>(report.a_solves), static_cast<double>(report.line_search_halvings),
                   static_cast<double>(report.parts), report.residual, report.elastic_energy, report.kinetic_energy,
                   report.negative_curvature ? 1.0 : 0.0, report.seconds});
  std::ofstream stream(file_, std::ios::app | std::ios::binary);
  stream << line(rows_.back());
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
