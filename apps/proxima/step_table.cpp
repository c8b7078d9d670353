#include "apps/proxima/step_table.hpp"

#include <algorithm>
#include <optional>

#include "compiler/support/csv.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

// Nothing where some word is no number.
std::optional<std::vector<double>> parse_row(std::string_view line) {
  std::vector<double> row;
  for (const auto word : split(line, ',')) {
    const auto number = to_number(word);
    if (!number) return std::nullopt;
    row.push_back(*number);
  }
  return row;
}

}  // namespace

bool StepTable::has(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }

std::vector<double> StepTable::column(std::string_view name) const {
  std::vector<double> values;
  if (!has(name)) return values;
  const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(row[place]);
  return values;
}

StepTable read_steps(const std::filesystem::path& file) {
  StepTable table;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return table;
  const std::string text = read_file(file);
  auto lines = split(text, '\n');
  if (!lines.back().empty())
    ++table.damaged;  // cut short: even if it looks like a row, its last number may not be whole
  lines.pop_back();
  if (lines.empty()) return table;
  for (const auto name : split(lines.front(), ',')) table.names.emplace_back(name);
  for (std::size_t k = 1; k < lines.size(); ++k) {
    auto row = parse_row(lines[k]);
    if (row && row->size() == table.names.size())
      table.rows.push_back(std::move(*row));
    else
      ++table.damaged;
  }
  return table;
}

}  // namespace proxima::app
