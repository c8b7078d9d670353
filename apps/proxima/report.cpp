// A run as one HTML page.
#include <fmt/format.h>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/report_markers.hpp"
#include "apps/proxima/report_motion.hpp"
#include "apps/proxima/report_plots.hpp"
#include "apps/proxima/report_tables.hpp"
#include "apps/proxima/run_folder.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

// out/beam/ -> "beam"
std::string name_of(const std::filesystem::path& folder) {
  const auto whole = std::filesystem::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

int report(const ReportOptions& options) {
  const RunFolder run(options.folder);
  const auto& model = run.problem.model();

  report::Page page;
  page.title = name_of(options.folder);
  page.summary =
      fmt::format("{} nodes, {} steps of {:g} s, {:g} s in all. Made by proxima {}.", model.mesh.nodes.size(),
                  run.last_step(), model.time_step, run.last_step() * model.time_step, PROXIMA_VERSION);
  page.notes = run.notes;
  add_motion(run, options.frames, page);
  add_markers(run, page);
  for (auto& section : plot_sections(run)) page.sections.push_back(std::move(section));
  page.sections.push_back(material_section(run));
  page.sections.push_back(scene_section(run));
  page.sections.push_back(run_section(run));

  const auto file = options.output.empty() ? options.folder / "report.html" : options.output;
  const std::string html = report::to_html(page);
  write_file(file, html);
  const auto frames = page.motion ? page.motion->steps.size() : 0;
  fmt::print("written to {}: {:.1f} MB, {} moments of the motion\n", file.string(),
             static_cast<double>(html.size()) / 1e6, frames);
  for (const auto& note : page.notes) fmt::print("{}\n", note);
  return 0;
}

}  // namespace proxima::app
