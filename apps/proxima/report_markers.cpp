#include "apps/proxima/report_markers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/proxima/marker_distances.hpp"
#include "apps/proxima/report_plots.hpp"
#include "compiler/support/error.hpp"

namespace proxima::app {
namespace {

constexpr std::size_t most_lines = 6;  // of a picture, in colours of their own

struct Marker {
  std::string name;
  Squares squares;
  plot::Series distances;  // over time
  double largest = 0, when = 0;
};

// A term of the loss.
struct Term {
  std::map<double, Squares> at;  // of each time
  std::vector<Marker> markers;   // the farthest first
};

std::map<std::size_t, Term> terms_of(const std::vector<MarkerDistance>& rows) {
  std::map<std::size_t, Term> terms;
  std::map<std::pair<std::size_t, std::string>, std::size_t> numbers;
  for (const auto& [loss, time, name, distance] : rows) {
    auto& [at, markers] = terms[loss];
    at[time].add(distance);
    const auto [number, is_new] = numbers.emplace(std::pair(loss, name), markers.size());
    if (is_new) markers.push_back({name, {}, {name, {}, {}}});
    auto& marker = markers[number->second];
    marker.squares.add(distance);
    marker.distances.xs.push_back(time);
    marker.distances.ys.push_back(distance);
    if (distance < marker.largest) continue;
    marker.largest = distance;
    marker.when = time;
  }
  for (auto& [loss, term] : terms)
    std::ranges::stable_sort(term.markers, std::ranges::greater{},
                             [](const Marker& marker) { return marker.squares.root_mean(); });
  return terms;
}

plot::Series root_means(const std::map<double, Squares>& at) {
  plot::Series result;
  for (const auto& [time, squares] : at) {
    result.xs.push_back(time);
    result.ys.push_back(squares.root_mean());
  }
  return result;
}

report::Picture draw(const std::string& title, std::vector<plot::Series> series) {
  for (auto& one : series) thin(one);
  return {plot::to_svg({title, "time, s", "distance, m", false, std::move(series)}), report::Axis::time};
}

report::Table table_of(const std::string& title, const Term& term) {
  report::Table table{title, {"marker", "seen", "root mean square, m", "largest, m", "at time, s"}, {}};
  for (const auto& [name, squares, distances, largest, when] : term.markers)
    table.rows.push_back({name, fmt::format("{}", squares.count), fmt::format("{:.3g}", squares.root_mean()),
                          fmt::format("{:.3g}", largest), fmt::format("{:g}", when)});
  return table;
}

report::Section section_of(const std::map<std::size_t, Term>& terms) {
  report::Section section{"Markers",
                          "How far markers were seen from where the motion found has them. Where all of them grow, the "
                          "model parts from the recording; one that jumps was probably taken for another.",
                          {},
                          {}};
  for (const auto& [loss, term] : terms) {
    const auto of_term = terms.size() == 1 ? "" : fmt::format(", loss[{}]", loss);
    section.pictures.push_back(draw("Markers, root mean square of all" + of_term, {root_means(term.at)}));
    std::vector<plot::Series> farthest;
    for (std::size_t k = 0; k < std::min(most_lines, term.markers.size()); ++k)
      farthest.push_back(term.markers[k].distances);
    const auto which = farthest.size() == term.markers.size()
                           ? "Each marker"
                           : fmt::format("The {} markers that are farthest", farthest.size());
    section.pictures.push_back(draw(which + of_term, std::move(farthest)));
    section.tables.push_back(table_of("The farthest first" + of_term, term));
  }
  return section;
}

}  // namespace

void add_markers(const RunFolder& run, report::Page& page) {
  const auto file = run.folder / marker_distances_name;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  try {
    page.sections.push_back(section_of(terms_of(read_marker_distances(file))));
  } catch (const Error&) {
    page.notes.push_back(fmt::format("{} is damaged and left out.", marker_distances_name));
  }
}

}  // namespace proxima::app
