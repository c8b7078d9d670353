#include "apps/proxima/step_log.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "apps/proxima/step_table.hpp"
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
    {"substeps", [](const Entry& e) { return static_cast<double>(e.report.substeps); }},
    {"iterations", [](const Entry& e) { return static_cast<double>(e.report.iterations); }},
    {"a_solves", [](const Entry& e) { return static_cast<double>(e.report.a_solves); }},
    {"hessian_products", [](const Entry& e) { return static_cast<double>(e.report.hessian_products); }},
    {"gradients", [](const Entry& e) { return static_cast<double>(e.report.gradients); }},
    {"line_search_halvings", [](const Entry& e) { return static_cast<double>(e.report.line_search_halvings); }},
    {"parts", [](const Entry& e) { return static_cast<double>(e.report.parts); }},
    {"residual", [](const Entry& e) { return e.report.residual; }},
    {"elastic_J", [](const Entry& e) { return e.report.elastic_energy; }},
    {"kinetic_J", [](const Entry& e) { return e.report.kinetic_energy; }},
    {"momentum_x_Ns", [](const Entry& e) { return e.report.momentum[0]; }},
    {"momentum_y_Ns", [](const Entry& e) { return e.report.momentum[1]; }},
    {"momentum_z_Ns", [](const Entry& e) { return e.report.momentum[2]; }},
    {"angular_momentum_x_Nms", [](const Entry& e) { return e.report.angular_momentum[0]; }},
    {"angular_momentum_y_Nms", [](const Entry& e) { return e.report.angular_momentum[1]; }},
    {"angular_momentum_z_Nms", [](const Entry& e) { return e.report.angular_momentum[2]; }},
    {"contacts_open", [](const Entry& e) { return static_cast<double>(e.report.contact.open); }},
    {"contacts_stick", [](const Entry& e) { return static_cast<double>(e.report.contact.stick); }},
    {"contacts_slip", [](const Entry& e) { return static_cast<double>(e.report.contact.slip); }},
    {"contact_proximal_steps", [](const Entry& e) { return static_cast<double>(e.report.contact.proximal); }},
    {"contact_newton_steps", [](const Entry& e) { return static_cast<double>(e.report.contact.newton); }},
    {"contact_residual", [](const Entry& e) { return e.report.contact.complementarity; }},
    {"contact_depth_m", [](const Entry& e) { return e.report.contact.deepest; }},
    {"obstacle_force_x_N", [](const Entry& e) { return e.report.contact.obstacle_force[0]; }},
    {"obstacle_force_y_N", [](const Entry& e) { return e.report.contact.obstacle_force[1]; }},
    {"obstacle_force_z_N", [](const Entry& e) { return e.report.contact.obstacle_force[2]; }},
    {"negative_curvature", [](const Entry& e) { return e.report.negative_curvature ? 1.0 : 0.0; }},
    {"seconds", [](const Entry& e) { return e.report.seconds; }},
};

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const Column& column : columns) names.emplace_back(column.name);
  return names;
}

template <class Values>
std::string line(const Values& values) {
  return fmt::format("{}\n", fmt::join(values, ","));
}

std::size_t index_of(std::string_view name) {
  const auto* const found = std::ranges::find(columns, name, &Column::name);
  if (found == std::end(columns)) throw std::logic_error(fmt::format("steps.csv has no column '{}'", name));
  return static_cast<std::size_t>(found - std::begin(columns));
}

}  // namespace

StepLog::StepLog(std::filesystem::path file, int steps) : file_(std::move(file)) {
  std::string content = line(column_names());
  // A line that was cut short is none; rows of another version of the program have other columns.
  auto found = steps > 0 ? read_steps(file_) : StepTable();
  if (found.names == column_names())
    for (auto& row : found.rows) {
      if (row.front() > steps) continue;
      content += line(row);
      rows_.push_back(std::move(row));
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

std::vector<std::pair<std::string, double>> StepLog::last() const {
  std::vector<std::pair<std::string, double>> result;
  for (std::size_t k = 0; !rows_.empty() && k < std::size(columns); ++k)
    result.emplace_back(columns[k].name, rows_.back()[k]);
  return result;
}

double StepLog::largest(std::string_view column) const {
  double most = 0;
  for (const auto& row : rows_) most = std::max(most, row[index_of(column)]);
  return most;
}

}  // namespace proxima::app
