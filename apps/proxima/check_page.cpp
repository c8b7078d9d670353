#include "apps/proxima/check_page.hpp"

#include <fmt/format.h>

#include "apps/plot/plot.hpp"
#include "compiler/check/text.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/xml.hpp"

namespace proxima::app {
namespace {

constexpr const char* style = R"(
body { font: 15px/1.5 system-ui, "Helvetica Neue", Arial, sans-serif; color: #2b3138; max-width: 900px; margin: 2em auto;
       padding: 0 1em; background: #fff; }
h1 { font-size: 1.7em; margin: 1.6em 0 0.2em; } h2 { font-size: 1.15em; margin: 1.6em 0 0.4em; }
p.file { color: #5b6470; margin: 0; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 3px 18px 3px 0; border-bottom: 1px solid #e3e6ea;
       vertical-align: top; font-variant-numeric: tabular-nums; } th { font-weight: 600; }
ul.findings { list-style: none; padding: 0; } ul.findings li { padding: 8px 12px; margin: 6px 0; border-left: 5px solid; }
li.error { border-color: #b3261e; background: #fbe9e7; } li.warning { border-color: #d58a00; background: #fff6e0; }
li.note { border-color: #5b6470; background: #f2f4f6; }
svg { max-width: 100%; height: auto; }
)";

std::string cell(const char* kind, const std::string& text) {
  return fmt::format("<{0}>{1}</{0}>", kind, escape_xml(text));
}

std::string section_html(const check::Section& section) {
  std::string html = fmt::format("<h2>{}</h2>\n", escape_xml(section.title));
  if (!section.facts.empty()) html += "<table>\n";
  for (const check::Fact& fact : section.facts)
    html += fmt::format("<tr>{}{}</tr>\n", cell("td", fact.label),
                        cell("td", check::to_text(fact.value) + (fact.unit.empty() ? "" : " " + fact.unit)));
  if (!section.facts.empty()) html += "</table>\n";
  for (const check::Table& table : section.tables) {
    html += "<table>\n<tr>";
    for (const auto& column : table.columns) html += cell("th", check::column_title(column));
    html += "</tr>\n";
    for (const auto& row : table.rows) {
      html += "<tr>";
      for (const check::Value& value : row) html += cell("td", check::to_text(value));
      html += "</tr>\n";
    }
    html += "</table>\n";
  }
  return html;
}

std::string report_html(const check::Report& report) {
  std::string html = fmt::format("<h1>{}</h1>\n<p class=\"file\">{}: {}</p>\n", escape_xml(report.name),
                                 escape_xml(report.file), escape_xml(report.describes));
  html += "<h2>Findings</h2>\n<ul class=\"findings\">\n";
  for (const check::Finding& finding : report.findings)
    html += fmt::format("<li class=\"{0}\"><b>{0}</b>: {1}</li>\n", check::name_of(finding.severity),
                        escape_xml(finding.sentence));
  html += report.findings.empty() ? "<li class=\"note\">none</li>\n</ul>\n" : "</ul>\n";
  for (const check::Section& section : report.sections) html += section_html(section);
  if (!report.curves.empty()) html += "<h2>Curves</h2>\n";
  for (const check::Curve& curve : report.curves) html += curve_svg(report.name, curve);
  return html;
}

}  // namespace

std::string curve_svg(const std::string& name, const check::Curve& curve) {
  plot::Plot plot{.title = fmt::format("{}: {}", name, curve.title),
                  .x_label = curve.x_label,
                  .y_label = curve.y_label,
                  .log_y = false,
                  .series = {}};
  for (const check::Series& series : curve.series) plot.series.push_back({series.name, series.xs, series.ys});
  return plot::to_svg(plot);
}

std::string check_page(std::span<const check::Report> reports) {
  std::string body;
  for (const check::Report& report : reports) body += report_html(report);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n{}</body>\n</html>\n",
      escape_xml(reports.empty() ? "" : "Check of " + reports.front().file), style, body);
}

void write_curves(std::span<const check::Report> reports, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail("{}: cannot be made ({})", folder.string(), error.message());
  for (const check::Report& report : reports)
    for (const check::Curve& curve : report.curves)
      write_file(folder / fmt::format("{}_{}.svg", report.name, curve.key), curve_svg(report.name, curve));
}

}  // namespace proxima::app
