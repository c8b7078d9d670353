#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/fit_report.hpp"
#include "apps/proxima/output_folder.hpp"
#include "apps/proxima/rollout_record.hpp"
#include "apps/proxima/world_studies.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/optimize/evaluation_log.hpp"
#include "runtime/ranks/ranks.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;
using optimize::EvaluationLog;

// What the first process alone does: the folder, its files and what is printed.
class Desk {
 public:
  Desk(const OptimizeOptions& options, const std::vector<Study>& studies, const JointDesign& design,
       const std::vector<std::vector<double>>& starts)
      : options_(options), studies_(studies), report_(design, options.output, starts) {
    if (options.existing != Existing::resume || !fs::exists(options.output)) return;
    const fs::path file = options.output / optimize::evaluation_log_name;
    if (!fs::exists(file) && fs::exists(options.output / model::trajectory_name))
      fail("{}: has the results of a run, not of an optimization, and cannot be resumed by one",
           options.output.string());
    log_.emplace(file, search_fingerprint(studies, options.side_by_side()));
    if (!log_->records().empty()) fmt::print("resumed after {} evaluations\n", log_->records().size());
  }

  std::vector<optimize::Record> done() const { return log_ ? log_->records() : std::vector<optimize::Record>(); }

  void add(const optimize::SearchProgress& progress) {
    if (!progress.repeated) {
      open();
      log_->append(progress.record);
    }
    report_.add(progress);
  }

  void finish(const optimize::SearchResult& result) {
    open();  // where nothing was left to evaluate
    report_.finish(result);
  }

 private:
  // Only once the start has been simulated: a scene that can't be leaves no folder.
  void open() {
    if (opened_) return;
    open_folder(options_.output, options_.existing);
    for (const auto& study : studies_) {
      if (study.folder != options_.output) open_folder(study.folder, options_.existing);
      write_file(study.folder / "scene.json", study.problem.scene.resolved);
    }
    if (!log_)
      log_.emplace(options_.output / optimize::evaluation_log_name,
                   search_fingerprint(studies_, options_.side_by_side()));
    opened_ = true;
  }

  const OptimizeOptions& options_;
  const std::vector<Study>& studies_;
  FitReport report_;
  std::optional<EvaluationLog> log_;
  bool opened_ = false;
};

std::vector<std::vector<double>> starts(const std::vector<Study>& studies, const JointDesign& design) {
  const auto& scene = studies[0].problem.scene;
  const auto& chosen = *scene.optimize;
  return optimize::draw_starts(design.start(), design.lower(), design.upper(), design.counts(), chosen.starts,
                               chosen.seed);
}

// The motion with the values found, begun or gone on with; that of other values makes room for it.
void record_best(Study& study, const optimize::Design& design, std::span<const double> u) {
  Problem& problem = study.problem;
  put_values(problem, design, u);
  if (fs::exists(study.folder / model::trajectory_name) &&
      model::TrajectoryReader(study.folder).header().fingerprint != trajectory_header(problem).fingerprint)
    remove_motion(study.folder);
  RolloutRecord record(problem, study.folder);
  record_rollout(problem, record, "best");
  print_kernels(problem);
  fmt::print("motion found: {} (ParaView)\n", (study.folder / "motion.pvd").string());
  study.markers.report(study.folder);
}

int optimize(const OptimizeOptions& options, ranks::Ranks& ranks) {
  if (options.side_by_side() && options.scenes.size() > 1)
    fail("optimize: --worlds goes with one scene, and {} are given; all but the first belong behind it",
         options.scenes.size());
  if (ranks.first()) check_folder(options.output, options.existing);
  auto studies = load_studies(options);
  const auto design = joint_design(studies);
  if (options.side_by_side()) require_worlds(studies, design);
  const auto all_starts = starts(studies, design);
  std::optional<Desk> desk;
  if (ranks.first()) {
    for (const auto& study : studies) print_problem(study.problem);
    desk.emplace(options, studies, design, all_starts);
  }
  const auto done = optimize::unpack_all(ranks.broadcast(desk ? optimize::pack(desk->done()) : std::string()));
  solve::SharedWork work;
  const auto parts =
      options.side_by_side() ? std::vector{world_part(studies, design, work)} : search_parts(studies, design);
  const auto result = optimize::search({parts, all_starts, design.lower(), design.upper()},
                                       fit_settings(studies[0].problem.scene).optimiser, done, ranks,
                                       [&](const optimize::SearchProgress& progress) {
                                         if (desk) desk->add(progress);
                                       });
  if (!desk) return 0;
  desk->finish(result);
  if (options.side_by_side()) print_shared(studies.size(), work);
  const auto& best = result.minima[result.best].point;
  for (std::size_t s = 0; s < studies.size(); ++s) record_best(studies[s], design.design(s), design.of_scene(s, best));
  fmt::print("written to {}: result.json, loss.csv, loss.svg, and what --resume goes on from\n",
             options.output.string());
  return 0;
}

// Where one process ends by an error the others would wait for ever. The first usually has the same one, and its
// message is enough.
int end_all(ranks::Ranks& ranks, const char* message, int status) {
  if (!ranks.first()) std::this_thread::sleep_for(std::chrono::seconds(2));
  std::fflush(stdout);
  fmt::print(stderr, "proxima: {}{}\n", ranks.first() ? "" : fmt::format("process {}: ", ranks.rank()), message);
  ranks.end_all(status);
  return status;
}

}  // namespace

int optimize(const OptimizeOptions& options) {
  const auto ranks = ranks::make_ranks();
  if (ranks->size() == 1) return optimize(options, *ranks);
  try {
    return optimize(options, *ranks);
  } catch (const Error& error) {
    return end_all(*ranks, error.what(), mendable);
  } catch (const std::exception& error) {
    return end_all(*ranks, error.what(), defect);
  }
}

}  // namespace proxima::app
