#include "compiler/check/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace proxima::check {
namespace {

using Json = nlohmann::ordered_json;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> cells(1);
  for (const std::string& column : table.columns) cells[0].push_back(column_title(column));
  for (const auto& row : table.rows) {
    cells.emplace_back();
    for (const Value& value : row) cells.back().push_back(to_text(value));
  }
  std::vector<std::size_t> widths(table.columns.size());
  for (const auto& row : cells)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const auto& row : cells) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format(" {:<{}} ", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value)); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json json_of(const Value& value) {
  return std::visit(
      Overloaded{[](bool b) { return Json(b); }, [](double d) { return number(d); },
                 [](const std::string& s) { return Json(s); }, [](const std::vector<double>& v) { return numbers(v); }},
      value);
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json entry;
    for (std::size_t c = 0; c < row.size(); ++c) entry[table.columns[c]] = json_of(row[c]);
    rows.push_back(entry);
  }
  return rows;
}

Json json_of(const Report& report) {
  Json json{{"name", report.name}, {"file", report.file}, {"describes", report.describes}};
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings)
    json["findings"].push_back({{"severity", name_of(finding.severity)},
                                {"check", finding.check},
                                {"sentence", finding.sentence},
                                {"strain", numbers(finding.strain)}});
  for (const Section& section : report.sections) {
    Json& entry = json[section.key] = Json::object();
    for (const Fact& fact : section.facts) entry[fact.key] = json_of(fact.value);
    for (const Table& table : section.tables) entry[table.key] = json_of(table);
  }
  json["curves"] = Json::object();
  for (const Curve& curve : report.curves) {
    Json& list = json["curves"][curve.key] = Json::array();
    for (const Series& series : curve.series)
      list.push_back({{"name", series.name}, {"x", numbers(series.xs)}, {"y", numbers(series.ys)}});
  }
  return json;
}

}  // namespace

std::string column_title(std::string column) {
  std::ranges::replace(column, '_', ' ');
  return column;
}

std::string to_text(const Value& value) {
  return std::visit(
      Overloaded{[](bool b) { return std::string(b ? "yes" : "no"); },
                 [](double d) { return fmt::format("{:.6g}", d); }, [](const std::string& s) { return s; },
                 [](const std::vector<double>& v) {
                   std::string text;
                   for (const double d : v) text += fmt::format("{}{:.4g}", text.empty() ? "" : " ", d);
                   return text;
                 }},
      value);
}

std::string to_text(const Report& report) {
  std::string text = fmt::format("{} ({}): {}\n", report.name, report.file, report.describes);
  for (const Section& section : report.sections) {
    text += fmt::format("\n{}\n", section.title);
    std::size_t width = 0;
    for (const Fact& fact : section.facts) width = std::max(width, fact.label.size());
    for (const Fact& fact : section.facts)
      text += fmt::format("  {:<{}}  {}{}{}\n", fact.label, width, to_text(fact.value), fact.unit.empty() ? "" : " ",
                          fact.unit);
    for (const Table& table : section.tables) text += table_text(table);
  }
  text += "\nFindings\n";
  for (const Finding& finding : report.findings)
    text += fmt::format("  {:<8} {}\n", name_of(finding.severity), finding.sentence);
  if (report.findings.empty()) text += "  none\n";
  return text;
}

std::string to_json(std::span<const Report> reports) {
  Json json;
  json["energies"] = Json::array();
  for (const Report& report : reports) json["energies"].push_back(json_of(report));
  return json.dump(2) + "\n";
}

}  // namespace proxima::check
