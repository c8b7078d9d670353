#include <fmt/format.h>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/output_folder.hpp"
#include "apps/proxima/rollout_record.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {

int run(const RunOptions& options) {
  check_folder(options.output, options.existing);
  const Problem problem = load_problem(options);
  print_problem(problem);
  open_folder(options.output, options.existing);
  RolloutRecord record(problem, options.output);
  write_file(options.output / "scene.json", problem.scene.resolved);
  if (record.steps() > 0) fmt::print("resumed after step {} of {}\n", record.steps(), problem.model().steps);
  record_rollout(problem, record, "run");
  print_kernels(problem);
  fmt::print("written to {}: motion.pvd (ParaView), trajectory.bin, steps.csv, summary.json, scene.json\n",
             options.output.string());
  return 0;
}

}  // namespace proxima::app
