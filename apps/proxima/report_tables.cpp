#include "apps/proxima/report_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/model/schema.hpp"

namespace proxima::app {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t longest_value = 120;  // letters: a list of a thousand nodes is not for a table

// Sections of a scene that say nothing about the motion, and materials, which have tables of their own.
constexpr std::array left_out = {"materials", "loss", "optimize", "gradcheck"};

// The unit of a key, "" where it has none or is one of a shared shape's. `path` as in "dirichlet[].motion[].time".
std::string unit_of(const std::string& path) {
  const auto keys = model::scene_keys();
  const auto key = std::ranges::find(keys, path, &model::Key::path);
  return key == keys.end() ? "" : std::string(key->unit);
}

std::string value_text(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.size() > longest_value) text = text.substr(0, longest_value) + fmt::format(" ... ({} in all)", value.size());
  return text;
}

bool is_list_of_objects(const Json& value) {
  return value.is_array() && !value.empty() && std::ranges::all_of(value, [](const Json& e) { return e.is_object(); });
}

// One row for each value below: its path from `label` on, and the value with its unit. `key` is the path in the
// specification.
void flatten(const Json& value, const std::string& label, const std::string& key, Rows& rows) {
  if (value.is_object()) {
    const auto below = [](const std::string& path, const std::string& name) {
      return path.empty() ? name : fmt::format("{}.{}", path, name);
    };
    for (const auto& [name, inner] : value.items()) flatten(inner, below(label, name), below(key, name), rows);
  } else if (is_list_of_objects(value)) {
    for (std::size_t k = 0; k < value.size(); ++k) flatten(value[k], fmt::format("{}[{}]", label, k), key + "[]", rows);
  } else if (!(value.is_array() && value.empty())) {
    const auto unit = unit_of(key);
    rows.push_back({label, value_text(value) + (unit.empty() ? "" : " " + unit)});
  }
}

// "mesh: 45 nodes, ..." -> {"mesh", "45 nodes, ..."}
std::vector<std::string> split_note(const std::string& note) {
  const auto colon = note.find(": ");
  if (colon == std::string::npos) return {"", note};
  return {note.substr(0, colon), note.substr(colon + 2)};
}

std::string values_text(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return *least == *most ? fmt::format("{:g}", *least) : fmt::format("{:g} to {:g}", *least, *most);
}

report::Table parameter_table(const model::Model& model) {
  report::Table table{"Parameters", {"material", "energy", "parameter", "value", "unit"}, {}};
  for (const auto& region : model.regions)
    for (std::size_t k = 0; k < region.parameters.size(); ++k) {
      const auto& parameter = region.energy->parameters[k];
      std::string value;
      if (model::is_driven(region, k)) {
        value = "driven";
      } else if (model::varies_in_time(region, k)) {
        std::vector<double> keys;
        for (const auto& entry : region.signals[k]) keys.push_back(entry.value);
        value = values_text(keys) + ", in time";
      } else {
        value = values_text(region.parameters[k]);
      }
      table.rows.push_back({region.name, region.energy->name, parameter.name, value, parameter.unit});
    }
  return table;
}

}  // namespace

report::Section scene_section(const RunFolder& run) {
  report::Section section{"Scene", "", {}, {}};
  report::Table body{"Model", {}, {}};
  for (const auto& note : run.problem.built.notes) body.rows.push_back(split_note(note));
  for (const auto& warning : run.problem.built.warnings) body.rows.push_back({"warning", warning});
  section.tables.push_back(std::move(body));
  if (auto parameters = parameter_table(run.problem.model()); !parameters.rows.empty())
    section.tables.push_back(std::move(parameters));
  report::Table keys{"Scene file, with defaults", {"key", "value"}, {}};
  const Json scene = Json::parse(run.problem.scene.resolved);
  for (const auto& [name, value] : scene.items())
    if (std::ranges::find(left_out, name) == left_out.end()) flatten(value, name, name, keys.rows);
  section.tables.push_back(std::move(keys));
  return section;
}

report::Section run_section(const RunFolder& run) {
  report::Section section{"Run and machine", "", {}, {}};
  report::Table totals{"Totals", {}, {}};
  for (const auto& [name, value] : run.summary.items()) {
    if (value.is_object()) {
      report::Table table{name, {}, {}};
      flatten(value, "", name, table.rows);
      section.tables.push_back(std::move(table));
    } else {
      flatten(value, name, name, totals.rows);
    }
  }
  if (totals.rows.empty())
    section.text = "There is no summary.json: the run is not finished.";
  else
    section.tables.insert(section.tables.begin(), std::move(totals));
  return section;
}

}  // namespace proxima::app
