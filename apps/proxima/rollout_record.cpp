#include "apps/proxima/rollout_record.hpp"

#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/proxima/progress.hpp"
#include "apps/proxima/run_summary.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/solve/rollout.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* series_name = "motion.pvd";

std::string frame_name(int step) { return fmt::format("frame_{:06}.vtu", step); }

model::TrajectoryWriter open_trajectory(const Problem& problem, const fs::path& file) {
  if (fs::exists(file)) return model::TrajectoryWriter::resume(file, trajectory_header(problem));
  const auto start = solve::initial_state(problem.model());
  return model::TrajectoryWriter::create(file, trajectory_header(problem),
                                         {start.positions, start.velocities, start.history});
}

// Which material each element has (-1 where none), and every parameter that varies from element to element within one.
std::vector<mesh::DataArray> material_arrays(const model::Model& model) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::map<mesh::Shape, std::size_t> first;
  std::size_t count = 0;
  for (const auto& block : model.mesh.blocks) {
    first[block.elements.shape] = count;
    count += block.elements.count();
  }
  std::map<std::string, std::vector<double>> varying;
  std::vector<double> material(count, -1);
  double materials = 0;  // so far; overlays belong to the one before them
  for (const auto& region : model.regions) {
    if (!region.overlay) ++materials;
    if (region.numbers.empty()) continue;
    const std::size_t begin = first.at(region.elements.shape);
    for (const auto number : region.numbers) material[begin + number] = materials - 1;
    for (std::size_t k = 0; k < region.parameters.size(); ++k) {
      if (region.parameters[k].size() == 1) continue;
      auto& values = varying.try_emplace(region.energy->parameters[k].name, count, none).first->second;
      for (std::size_t i = 0; i < region.numbers.size(); ++i)
        values[begin + region.numbers[i]] = region.parameters[k][i];
    }
  }
  std::vector<mesh::DataArray> result = {{"material", 1, std::move(material)}};
  for (auto& [name, values] : varying) result.push_back({name, 1, std::move(values)});
  return result;
}

solve::StepReport timed_step(const Problem& problem, int step, const solve::StepSettings& settings,
                             solve::State& state) {
  const auto timer = problem.phases->measure("steps");
  return solve::advance(*problem.objective, problem.model(), step, settings, state);
}

}  // namespace

model::TrajectoryHeader trajectory_header(const Problem& problem) {
  const auto& solver = problem.scene.solver;
  // The solver's settings determine the last bits; the number of threads does not.
  const auto text = fmt::format("{} {} {} {} {} {} {} {} {}", model::fingerprint(problem.model()).hex(),
                                solver.tolerance, solver.method, solver.window, solver.max_iterations,
                                solver.max_newton, solver.max_cg, solver.factor_in_fp32, problem.scene.max_substeps);
  return {problem.model().mesh.nodes.size(), problem.model().time_step, hash_bytes(text),
          model::initial_history(problem.model()).size()};
}

RolloutRecord::RolloutRecord(const Problem& problem, fs::path folder)
    : problem_(problem),
      folder_(std::move(folder)),
      trajectory_(open_trajectory(problem, folder_ / model::trajectory_name)),
      log_(folder_ / "steps.csv", steps()) {
  // A run may have been killed between a state and its picture.
  const model::TrajectoryReader states(folder_);
  for (int step = 0; step <= steps(); ++step) {
    if (!wants_frame(step) || fs::exists(folder_ / frame_name(step))) continue;
    auto frame = states.read(step);
    write_frame(step, {std::move(frame.positions), std::move(frame.velocities), std::move(frame.history)});
  }
  write_series();
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
  if (!wants_frame(step)) return;
  write_frame(step, state);
  write_series();
}

void RolloutRecord::finish() const {
  const auto count = [&](const char* column) { return static_cast<std::int64_t>(log_.total(column)); };
  write_file(folder_ / "summary.json", run_summary(problem_, log_, steps()).dump(2) + "\n");
  fmt::print("{} steps: {} iterations, {} A-solves, largest residual {:.1e}, {:.2f} s\n", steps(), count("iterations"),
             count("a_solves"), log_.largest("residual"), log_.total("seconds"));
}

bool RolloutRecord::wants_frame(int step) const {
  const int every = problem_.scene.output_every;
  return every > 0 && (step % every == 0 || step == problem_.model().steps);
}

void RolloutRecord::write_frame(int step, const solve::State& state) const {
  const auto& model = problem_.model();
  std::vector<double> displacement(state.positions);
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    for (int i = 0; i < 3; ++i) displacement[3 * n + i] -= model.mesh.nodes[n][i];
  }
  const mesh::DataArray nodes[] = {{"displacement", 3, std::move(displacement)}, {"velocity", 3, state.velocities}};
  auto tets = material_arrays(model);
  // As if the next step began here: energies with history are shown with what they carry on.

  const double effective = model::integrator_row(model.integrator).share * model.time_step;
  problem_.objective->enter_step({step * model.time_step, effective, state.positions, state.history});
  tets.push_back({"energy_density", 1, problem_.objective->element_state(state.positions).density});
  mesh::write_vtu(folder_ / frame_name(step), model.mesh, state.positions, nodes, tets);
}

void RolloutRecord::write_series() const {
  std::vector<std::pair<double, std::string>> frames;
  for (int step = 0; step <= steps(); ++step) {
    if (wants_frame(step)) frames.emplace_back(step * problem_.model().time_step, frame_name(step));
  }
  if (!frames.empty()) mesh::write_pvd(folder_ / series_name, frames);
}

void record_rollout(const Problem& problem, RolloutRecord& record, const std::string& label) {
  const auto settings = step_settings(problem.scene);
  auto state = record.state();
  {
    Progress progress(label, problem.model().steps, record.steps());
    for (int step = record.steps(); step < problem.model().steps; ++step) {
      const auto report = timed_step(problem, step, settings, state);
      {
        const auto timer = problem.phases->measure("output");
        record.add(state, report);
      }
      progress.update(step + 1, fmt::format("{} iterations, {} A-solves, residual {:.1e}", report.iterations,
                                            report.a_solves, report.residual));
    }
  }
  record.finish();
}

}  // namespace proxima::app
