#include "apps/proxima/rollout_record.hpp"

#include <nlohmann/json.hpp>

#include "apps/proxima/progress.hpp"
#include "apps/proxima/run_summary.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

model::TrajectoryWriter open_trajectory(const Problem& problem, const fs::path& file) {
  if (fs::exists(file)) return model::TrajectoryWriter::resume(file, trajectory_header(problem));
  const auto start = solve::initial_state(problem.model());
  return model::TrajectoryWriter::create(file, trajectory_header(problem),
                                         {start.positions, start.velocities, start.history});
}

class TimedStepper : public solve::Stepper {
 public:
  TimedStepper(const Problem& problem, const solve::State& start)
      : phases_(*problem.phases),
        stepper_(solve::make_stepper(*problem.objective, problem.model(), step_settings(problem.scene), start)) {}

  solve::StepReport advance(int step) override {
    const auto timer = phases_.measure("steps");
    return stepper_->advance(step);
  }
  std::function<solve::State()> state() override { return stepper_->state(); }
  bool streams() const override { return stepper_->streams(); }

 private:
  Phases& phases_;
  std::unique_ptr<solve::Stepper> stepper_;
};

}  // namespace

model::TrajectoryHeader trajectory_header(const Problem& problem) {
  const auto& solver = problem.scene.solver;
  // The solver's settings determine the last bits; the number of threads does not.
  const auto text =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", model::fingerprint(problem.model()).hex(),
                  solver.tolerance, solver.method, solver.window, solver.max_iterations, solver.max_newton,
                  solver.max_cg, solver.contact, solver.max_contact, solver.factor_in_fp32, solver.deflation,
                  solver.device, solver.products_in_fp32, problem.scene.max_substeps);
  return {problem.model().mesh.nodes.size(), problem.model().time_step, hash_bytes(text),
          model::initial_history(problem.model()).size()};
}

RolloutRecord::RolloutRecord(const Problem& problem, fs::path folder)
    : problem_(problem),
      folder_(std::move(folder)),
      trajectory_(open_trajectory(problem, folder_ / model::trajectory_name)),
      log_(folder_ / "steps.csv", steps()),
      frames_(problem, folder_) {
  // A run may have been killed between a state and its picture.
  const model::TrajectoryReader states(folder_);
  for (int step = 0; step <= steps(); ++step) {
    if (!frames_.wanted(step) || frames_.written(step)) continue;
    auto frame = states.read(step);
    frames_.write(step, {std::move(frame.positions), std::move(frame.velocities), std::move(frame.history)});
  }
  list_frames();
}

solve::State RolloutRecord::state() const {
  const model::TrajectoryReader frames(folder_);
  auto frame = frames.read(steps());
  solve::State result{std::move(frame.positions), std::move(frame.velocities), std::move(frame.history)};
  if (steps() > 0 && model::integrator_row(problem_.model().integrator).before != 0) {
    auto previous = frames.read(steps() - 1);
    result.previous_positions = std::move(previous.positions);
    result.previous_velocities = std::move(previous.velocities);
  }
  return result;
}

// The log first: what is in the trajectory counts as done, and a row too many is dropped on resuming.
void RolloutRecord::add(const solve::State& state, const solve::StepReport& report) {
  const int step = steps() + 1;
  log_.add(step, step * problem_.model().time_step, report);
  trajectory_.append({state.positions, state.velocities, state.history});
  if (!frames_.wanted(step)) return;
  frames_.write(step, state);
  // The list is written as a whole, so it is not written for each of very many frames.
  if (std::chrono::steady_clock::now() - listed_ > std::chrono::seconds(1)) list_frames();
}

void RolloutRecord::list_frames() {
  frames_.write_series(steps());
  listed_ = std::chrono::steady_clock::now();
}

void RolloutRecord::finish(const std::string& name) const {
  const auto count = [&](const char* column) { return static_cast<std::int64_t>(log_.total(column)); };
  write_file(folder_ / "summary.json", run_summary(problem_, log_, steps()).dump(2) + "\n");
  fmt::print("{}{}{} steps: {} iterations, {} A-solves, largest residual {:.1e}, {:.2f} s\n", name,
             name.empty() ? "" : ": ", steps(), count("iterations"), count("a_solves"), log_.largest("residual"),
             log_.total("seconds"));
}

namespace {

// Calls `told` after each step: how many are done, and how the last was solved.
template <class Told>
void run_steps(const Problem& problem, RolloutRecord& record, const Told& told) {
  TimedStepper stepper(problem, record.state());
  const auto keep = [&](int done, const solve::State& state, const solve::StepReport& report) {
    {
      const auto timer = problem.phases->measure("output");
      record.add(state, report);
    }
    told(done, report);
  };
  try {
    solve::run_steps(stepper, record.steps(), problem.model().steps, keep);
  } catch (const Error&) {
    record.list_frames();
    throw;
  }
  record.list_frames();
}

}  // namespace

void record_rollout(const Problem& problem, RolloutRecord& record, const std::string& label) {
  {
    Progress progress(label, problem.model().steps, record.steps());
    run_steps(problem, record, [&](int done, const solve::StepReport& report) {
      const auto& contact = report.contact;
      const std::string touching =
          problem.model().contacts.empty() ? "" : fmt::format(", {} stick, {} slip", contact.stick, contact.slip);
      progress.update(done, fmt::format("{} iterations, {} A-solves, residual {:.1e}{}", report.iterations,
                                        report.a_solves, report.residual, touching));
    });
  }
  record.finish();
}

void record_world(const Problem& problem, RolloutRecord& record, const std::string& name) {
  run_steps(problem, record, [](int, const solve::StepReport&) {});
  record.finish(name);
}

}  // namespace proxima::app
