#include "apps/proxima/report_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "apps/proxima/check_page.hpp"
#include "compiler/check/check.hpp"

namespace proxima::app {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_points = 4000;  // of a series; a screen has fewer columns

struct Line {
  const char* column;
  const char* name;
};

// A plot of columns of steps.csv; those that the file lacks are left out.
struct Chart {
  const char* section;
  const char* title;
  const char* y_label;
  report::Axis x;
  bool logarithmic, summed;  // summed: with the sum of the lines
  std::vector<Line> lines;
};

const std::vector<Chart>& charts() {
  using enum report::Axis;
  static const std::vector<Chart> table = {
      {"Energy and momentum",
       "Energies",
       "energy, J",
       time,
       false,
       true,
       {{"elastic_J", "elastic"}, {"kinetic_J", "kinetic"}}},
      {"Energy and momentum",
       "Linear momentum",
       "momentum, N s",
       time,
       false,
       false,
       {{"momentum_x_Ns", "x"}, {"momentum_y_Ns", "y"}, {"momentum_z_Ns", "z"}}},
      {"Energy and momentum",
       "Angular momentum",
       "angular momentum, N m s",
       time,
       false,
       false,
       {{"angular_momentum_x_Nms", "x"}, {"angular_momentum_y_Nms", "y"}, {"angular_momentum_z_Nms", "z"}}},
      {"Solving", "Relative residual at the end of a step", "residual", step, true, false, {{"residual", ""}}},
      {"Solving",
       "Work of a step",
       "count",
       step,
       false,
       false,
       {{"iterations", "iterations"}, {"a_solves", "A-solves"}}},
      {"Solving", "Time of a step", "seconds", step, false, false, {{"seconds", ""}}},
  };
  return table;
}

void add_sum(std::vector<plot::Series>& series) {
  plot::Series total{"sum", series.front().xs, std::vector<double>(series.front().ys.size())};
  for (const auto& part : series)
    for (std::size_t i = 0; i < part.ys.size(); ++i) total.ys[i] += part.ys[i];
  series.push_back(std::move(total));
}

bool has_finite(const std::vector<plot::Series>& series) {
  return std::ranges::any_of(series, [](const plot::Series& one) {
    return std::ranges::any_of(one.ys, [](double y) { return std::isfinite(y); });
  });
}

// Nothing where the file has none of the chart's columns.
std::optional<report::Picture> draw(const Chart& chart, const StepTable& steps) {
  const auto xs = steps.column(chart.x == report::Axis::time ? "time_s" : "step");
  std::vector<plot::Series> series;
  for (const Line& line : chart.lines)
    if (steps.has(line.column)) series.push_back({line.name, xs, steps.column(line.column)});
  if (series.size() > 1 && chart.summed) add_sum(series);
  for (auto& one : series) {
    if (chart.logarithmic)  // a residual of exactly 0 has no place on the axis
      std::ranges::replace_if(one.ys, [](double y) { return !(y > 0); }, nothing);
    thin(one);
  }
  if (series.empty() || xs.empty() || !has_finite(series)) return std::nullopt;
  const char* x_label = chart.x == report::Axis::time ? "time, s" : "step";
  return report::Picture{plot::to_svg({chart.title, x_label, chart.y_label, chart.logarithmic, std::move(series)}),
                         chart.x};
}

// The parameters that one element of a region has: the first of those that vary.
std::vector<double> parameters_of(const model::Region& region) {
  std::vector<double> values;
  values.reserve(region.parameters.size());
  for (std::size_t k = 0; k < region.parameters.size(); ++k)
    values.push_back(model::varies_in_time(region, k) && !model::is_driven(region, k) ? region.signals[k].front().value
                                                                                      : region.parameters[k].front());
  return values;
}

bool varies(const model::Region& region) {
  for (std::size_t k = 0; k < region.parameters.size(); ++k)
    if (region.parameters[k].size() > 1 || model::varies_in_time(region, k)) return true;
  return false;
}

}  // namespace

void thin(plot::Series& series) {
  const std::size_t count = series.xs.size();
  if (count <= most_points) return;
  const std::size_t stride = (2 * count + most_points - 1) / most_points;
  plot::Series thinned{series.name, {}, {}};
  for (std::size_t begin = 0; begin < count; begin += stride) {
    const auto first = series.ys.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = series.ys.begin() + static_cast<std::ptrdiff_t>(std::min(begin + stride, count));
    auto [least, most] = std::minmax_element(first, last);
    if (most < least) std::swap(least, most);
    for (const auto at : {least, most}) {
      thinned.xs.push_back(series.xs[static_cast<std::size_t>(at - series.ys.begin())]);
      thinned.ys.push_back(*at);
    }
  }
  series = std::move(thinned);
}

std::vector<report::Section> plot_sections(const RunFolder& run) {
  std::vector<report::Section> sections;
  for (const Chart& chart : charts()) {
    auto picture = draw(chart, run.steps);
    if (!picture) continue;
    if (sections.empty() || sections.back().title != chart.section) sections.push_back({chart.section, "", {}, {}});
    sections.back().pictures.push_back(std::move(*picture));
  }
  return sections;
}

report::Section material_section(const RunFolder& run) {
  report::Section section{
      "Materials",
      "Each energy alone, at the material's parameters, beside linear elasticity with the same moduli "
      "at rest. Stress is nominal: per area at rest.",
      {},
      {}};
  for (const auto& region : run.problem.model().regions) {
    if (region.load) continue;
    const auto curves = check::curves(*region.energy, *run.problem.engine, {.parameters = parameters_of(region)});
    auto name = fmt::format("{}, {}", region.name, region.energy->name);
    if (varies(region)) name += " (first element, at the start)";
    for (const auto& curve : curves) section.pictures.push_back({curve_svg(name, curve)});
  }
  return section;
}

}  // namespace proxima::app
