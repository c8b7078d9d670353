#include "apps/proxima/report_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/proxima/fields.hpp"
#include "apps/proxima/surface.hpp"

namespace proxima::app {
namespace {

// What the frames of a page may take together, so that a browser opens it at once and a mail carries it.
constexpr std::size_t most_bytes = 18'000'000;
// Beyond this many triangles and lines a browser's own memory and time are the limit.
constexpr std::size_t most_pieces = 1'500'000;

enum class Part : std::uint8_t { magnitude, first, last, category };

// A field of field_rows() as one number.
struct Shown {
  std::string_view field, key, label;
  Part part;
};
constexpr Shown shown[] = {
    {"displacement", "displacement", "displacement", Part::magnitude},
    {"velocity", "speed", "speed", Part::magnitude},
    {"von_mises", "von_mises", "von Mises stress", Part::first},
    {"energy_density", "energy_density", "energy density", Part::first},
    {"principal_stretches", "largest_stretch", "largest stretch", Part::first},
    {"principal_stretches", "smallest_stretch", "smallest stretch", Part::last},
    {"material", "material", "material", Part::category},
};

const FieldRow& row_of(std::string_view name) { return *std::ranges::find(field_rows(), name, &FieldRow::name); }

// Of the components of a vector or a list, whose later entries may be no numbers.
float one_number(std::span<const double> values, Part part) {
  double result = values[0];
  if (part == Part::magnitude) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    result = std::sqrt(sum);
  } else if (part == Part::last) {
    for (const double value : values)
      if (!std::isnan(value)) result = value;
  }
  return static_cast<float>(result);
}

std::vector<float> on_surface(const mesh::DataArray& array, bool on_nodes, Part part, const Surface& surface) {
  const auto width = static_cast<std::size_t>(array.components);
  const auto number_of = [&](std::ptrdiff_t place) {
    if (place < 0) return std::numeric_limits<float>::quiet_NaN();
    return one_number(std::span(array.values).subspan(width * static_cast<std::size_t>(place), width), part);
  };
  std::vector<float> values;
  if (on_nodes)
    for (const auto node : surface.nodes) values.push_back(number_of(node));
  else
    for (const auto element : surface.elements) values.push_back(number_of(element));
  return values;
}

std::vector<std::string> material_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const auto& region : model.regions)
    if (!region.overlay && !region.load) names.push_back(region.name);
  return names;
}

// Those that can be told of this run. Without the values that made the motion there is no stress.
std::vector<Shown> shown_fields(const RunFolder& run) {
  std::vector<Shown> result;
  for (const Shown& one : shown) {
    const bool of_values = one.field == "von_mises" || one.field == "energy_density";
    const bool alone = one.part == Part::category && material_names(run.problem.model()).size() < 2;
    if (!(of_values && !run.of_scene) && !alone) result.push_back(one);
  }
  return result;
}

std::vector<float> narrow(std::span<const double> values) { return {values.begin(), values.end()}; }

report::Motion start_motion(const RunFolder& run, const Surface& surface, const std::vector<Shown>& fields) {
  const auto& model = run.problem.model();
  report::Motion motion;
  for (const auto node : surface.nodes)
    for (const double coordinate : model.mesh.nodes[node]) motion.rest.push_back(static_cast<float>(coordinate));
  for (const auto& corners : surface.triangles)
    motion.triangles.insert(motion.triangles.end(), corners.begin(), corners.end());
  for (const auto& ends : surface.lines) motion.lines.insert(motion.lines.end(), ends.begin(), ends.end());
  motion.time_step = model.time_step;
  const auto& g = model.gravity;
  if (const double size = std::hypot(g[0], g[1], g[2]); size > 0)
    motion.up = {-g[0] / size, -g[1] / size, -g[2] / size};
  for (const Shown& one : fields) {
    const FieldRow& row = row_of(one.field);
    motion.fields.push_back({std::string(one.key),
                             std::string(one.label),
                             std::string(row.unit),
                             row.on_nodes ? report::On::nodes : report::On::elements,
                             one.part == Part::category ? material_names(model) : std::vector<std::string>(),
                             {}});
  }
  return motion;
}

void add_frame(const RunFolder& run, int step, const Surface& surface, const std::vector<Shown>& fields,
               report::Motion& motion) {
  auto frame = run.states.read(step);
  const solve::State state{std::move(frame.positions), std::move(frame.velocities), std::move(frame.history)};
  motion.steps.push_back(step);
  motion.positions.push_back(narrow(surface.at_nodes(state.positions, 3)));
  FieldSource source(run.problem, step, state);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const FieldRow& row = row_of(fields[k].field);
    if (!row.of_state && !motion.fields[k].frames.empty()) continue;
    motion.fields[k].frames.push_back(on_surface(row.arrays(source).front(), row.on_nodes, fields[k].part, surface));
  }
}

// How many frames fit.
int frames_that_fit(const Surface& surface, const std::vector<Shown>& fields) {
  const auto on_nodes = static_cast<std::size_t>(
      std::ranges::count_if(fields, [](const Shown& one) { return row_of(one.field).on_nodes; }));
  const std::size_t bytes =
      report::frame_bytes(surface.nodes.size(), surface.size(), on_nodes, fields.size() - on_nodes);
  return static_cast<int>(std::min<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1'000'000));
}

}  // namespace

void add_motion(const RunFolder& run, int most, report::Page& page) {
  const Surface surface = surface_of(run.problem.model());
  const auto fields = shown_fields(run);
  const int fit = frames_that_fit(surface, fields);
  if (surface.size() == 0) {
    page.no_motion = "Nothing of this model has a surface to show.";
    return;
  }
  if (surface.size() > most_pieces || fit < 1) {
    page.no_motion = fmt::format(
        "The surface has {} triangles and lines, more than a page can carry: ParaView shows the "
        ".vtu files of the run.",
        surface.size());
    return;
  }
  page.motion = start_motion(run, surface, fields);
  for (const int step : report::spread_frames(run.last_step(), std::min(most, fit)))
    add_frame(run, step, surface, fields, *page.motion);
  const auto count = page.motion->steps.size();
  if (count <= static_cast<std::size_t>(run.last_step()))
    page.notes.push_back(fmt::format("The body is shown at {} of {} steps, one of about {:.3g}{}.", count,
                                     run.last_step() + 1,
                                     static_cast<double>(run.last_step() + 1) / static_cast<double>(count),
                                     fit < most ? ", so that the page stays small" : ""));
}

}  // namespace proxima::app
