#include <fmt/format.h>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/design_choice.hpp"
#include "apps/proxima/fit_report.hpp"
#include "apps/proxima/loss_terms.hpp"
#include "apps/proxima/output_folder.hpp"
#include "apps/proxima/rollout_record.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/optimize/fit.hpp"

namespace proxima::app {
namespace {

optimize::FitSettings fit_settings(const model::Scene& scene) {
  optimize::FitSettings settings;
  settings.step = step_settings(scene);
  settings.adjoint = adjoint_settings(scene);
  settings.optimiser.max_evaluations = scene.optimize->max_evaluations;
  settings.optimiser.projected_gradient = scene.optimize->gradient_tolerance;
  settings.optimiser.relative_decrease = scene.optimize->decrease_tolerance;
  settings.optimiser.value = scene.optimize->loss_tolerance;
  return settings;
}

// --overwrite would remove the very motion that is to be matched.
void keep_recordings(const RunOptions& options, const model::Scene& scene) {
  namespace fs = std::filesystem;
  for (std::size_t i = 0; i < scene.loss.size(); ++i) {
    const auto* term = std::get_if<model::TrajectoryTerm>(&scene.loss[i].what);
    if (!term) continue;
    std::error_code ignored;
    const auto folder = fs::is_directory(term->recording, ignored) ? term->recording : term->recording.parent_path();
    if (fs::equivalent(folder, options.output, ignored)) {
      fail("{}: loss[{}].trajectory lies in the output folder {}; choose another folder", scene.file.string(), i,
           options.output.string());
    }
  }
}

}  // namespace

int optimize(const RunOptions& options) {
  check_folder(options.output, options.existing);
  Problem problem = load_problem(options);
  print_problem(problem);
  const auto loss = make_loss(problem);
  keep_recordings(options, problem.scene);
  const NamedDesign named = make_design(problem);

  FitReport report(named, options.output);
  bool opened = false;  // only once the start has been simulated: a scene that can't be leaves no folder
  const auto result = optimize::fit(*problem.objective, problem.model(), named.design, *loss,
                                    fit_settings(problem.scene), [&](const optimize::FitProgress& progress) {
                                      if (!opened) {
                                        open_folder(options.output, options.existing);
                                        write_file(options.output / "scene.json", problem.scene.resolved);
                                        opened = true;
                                      }
                                      report.add(progress);
                                      return true;
                                    });
  report.finish(result);

  // The motion with the values found; fit() left them in the objective.
  put_values(problem, named.design, result.minimum.point);
  RolloutRecord record(problem, options.output);
  record_rollout(problem, record, "best");
  print_kernels(problem);
  fmt::print(
      "written to {}: result.json, loss.csv, loss.svg, and the motion found: motion.pvd (ParaView), trajectory.bin\n",
      options.output.string());
  return 0;
}

}  // namespace proxima::app
