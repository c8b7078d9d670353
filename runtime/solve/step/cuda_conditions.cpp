#include "runtime/solve/step/cuda_conditions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "kernels/kernels.hpp"
#include "runtime/model/pose.hpp"
#include "runtime/model/rotation.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t block = kernels::vector_block;

// As step.cu has it.
struct Pose {
  double pivot[3], rotation[9], translation[3];
};

Pose pose_of(const model::Dirichlet& held, const model::KeyFrame& at) {
  Pose pose{};
  for (std::size_t column = 0; column < 3; ++column) {
    model::Vector3 axis{};
    axis[column] = 1;
    const model::Vector3 turned = model::rotate(at.rotation, axis);
    for (std::size_t row = 0; row < 3; ++row) pose.rotation[3 * row + column] = turned[row];
    pose.pivot[column] = held.pivot[column];
    pose.translation[column] = at.translation[column];
  }
  return pose;
}

std::size_t held_numbers(const model::Model& model) {
  std::size_t count = 0;
  for (const auto& held : model.dirichlet) count += 3 * held.nodes.size();
  return count;
}

std::shared_ptr<const device::CudaModule> text_of(const CudaObjective& objective) {
  return objective.algebra().engine().compile_text("step.cu", kernels::asset_step_cu());
}

}  // namespace

CudaConditions::CudaConditions(CudaObjective& objective, const model::Model& model)
    : objective_(&objective),
      model_(&model),
      add_force_(text_of(objective)->function("add_force")),
      add_body_force_(text_of(objective)->function("add_body_force")),
      clear_nodes_(text_of(objective)->function("clear_nodes")),
      pose_(text_of(objective)->function("pose")),
      place_(text_of(objective)->function("place")),
      free_flight_(text_of(objective)->function("free_flight")),
      velocities_(text_of(objective)->function("velocities")),
      motion_(text_of(objective)->function("motion")),
      share_rows_(text_of(objective)->function("share_rows")),
      mass_(objective.algebra().engine().device().upload(std::as_bytes(objective.host().mass()))),
      held_rest_(objective.algebra_of_vectors(), held_numbers(model)) {
  upload_forces();
  upload_held();
  std::set<std::int32_t> loaded, observed;
  for (const auto& load : model.surface_loads) loaded.insert(load.triangles.nodes.begin(), load.triangles.nodes.end());
  for (const auto& controller : model.controllers)
    for (const auto& input : controller.inputs)
      for (const auto& point : input.points) observed.insert(point.nodes.begin(), point.nodes.end());
  const auto watch = [&](const std::set<std::int32_t>& nodes) {
    return std::make_unique<CudaWatchedNodes>(objective.algebra_of_vectors(), objective.host(),
                                              std::vector<std::int32_t>(nodes.begin(), nodes.end()));
  };
  if (!loaded.empty()) loaded_ = watch(loaded);
  if (!model.controllers.empty()) observed_ = watch(observed);  // maybe none: of the time alone
}

CudaConditions::Nodes CudaConditions::upload(std::span<const std::int32_t> numbers) const {
  return {objective_->algebra().engine().device().upload(std::as_bytes(numbers)), {}, static_cast<int>(numbers.size())};
}

void CudaConditions::upload_forces() {
  for (const auto& force : model_->forces) {
    std::map<std::int32_t, double> shares;
    for (std::size_t k = 0; k < force.nodes.size(); ++k) shares[force.nodes[k]] += model::share_of(force, k);
    std::vector<std::int32_t> numbers;
    std::vector<double> share;
    for (const auto& [number, part] : shares) {
      numbers.push_back(number);
      share.push_back(part);
    }
    forces_.push_back(upload(numbers));
    forces_.back().share = objective_->algebra().engine().device().upload(std::as_bytes(std::span(share)));
  }
}

void CudaConditions::upload_held() {
  std::vector<double> rest;
  for (const auto& held : model_->dirichlet) {
    held_counts_.push_back(static_cast<int>(held.nodes.size()));
    held_numbers_.insert(held_numbers_.end(), held.nodes.begin(), held.nodes.end());
    for (const auto node : held.nodes)
      rest.insert(rest.end(), model_->mesh.nodes[node].begin(), model_->mesh.nodes[node].end());
  }
  held_ = upload(held_numbers_);
  held_rest_.write(rest);
}

device::CudaVector CudaConditions::held_targets(double time) const {
  device::CudaVector targets = device::like(held_rest_);
  device::copy(held_rest_, targets);
  std::uint64_t first = 0;  // in bytes
  for (std::size_t d = 0; d < held_counts_.size(); ++d) {
    const auto& held = model_->dirichlet[d];
    const model::KeyFrame at = model::pose_at(held.motion, time);
    // At rest exactly there: pivot + (rest - pivot) would round.
    if (at.translation != model::Vector3{} || at.rotation != model::Vector3{})
      pose_.each(static_cast<std::size_t>(held_counts_[d]), block, targets.array().address() + first,
                 held_rest_.array().address() + first, pose_of(held, at), held_counts_[d]);
    first += 3 * sizeof(double) * static_cast<std::uint64_t>(held_counts_[d]);
  }
  return targets;
}

void CudaConditions::place_held(const device::CudaVector& from, const device::CudaVector& targets, double fraction,
                                device::CudaVector& x) const {
  place_.each(static_cast<std::size_t>(held_.count), block, x.array(), from.array(), targets.array(), held_.numbers,
              fraction, held_.count);
}

device::CudaVector CudaConditions::given_force(double time, const CudaStepStart& start, const CudaState& state) const {
  device::CudaVector force = objective_->vector();
  if (!model_->surface_loads.empty()) {
    const auto x = loaded_->seen(state.positions), v = loaded_->seen(state.velocities);
    loaded_->add_to_free(force, [&](std::span<double> loads) {
      for (const auto& load : model_->surface_loads) model::add_force(load, time, x, v, loads);
    });
  }
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    const auto& given = model_->forces[f];
    if (!model::acts(given, time, model_->time_step)) continue;
    const double factor = model::factor_at(given, time);
    add_force_.each(static_cast<std::size_t>(forces_[f].count), block, force.array(), forces_[f].numbers,
                    forces_[f].share, factor * given.force[0], factor * given.force[1], factor * given.force[2],
                    forces_[f].count);
  }
  const auto& g = model_->gravity;
  add_body_force_.each(force.size(), block, force.array(), mass_, start.velocities.array(), g[0], g[1], g[2],
                       start.row->inertia ? 1 / start.step : 0.0, static_cast<int>(force.size()));
  clear_held(force);
  return force;
}

void CudaConditions::clear_held(device::CudaVector& y) const {
  clear_nodes_.each(static_cast<std::size_t>(held_.count), block, y.array(), held_.numbers, held_.count);
}

void CudaConditions::read_held(const device::CudaVector& y, std::span<double> to) const {
  device::CudaVector rows = device::like(held_rest_);
  objective_->algebra().nodes_to_rows.each(rows.size(), block, rows.array(), y.array(), held_.numbers,
                                           static_cast<int>(rows.size()));
  std::vector<double> values(rows.size());
  rows.read(values);
  for (std::size_t k = 0; k < held_numbers_.size(); ++k)
    std::copy_n(&values[3 * k], 3, &to[3 * static_cast<std::size_t>(held_numbers_[k])]);
}

model::Vector3 CudaConditions::sum_over_force(std::size_t force, const device::CudaVector& y) const {
  const Nodes& nodes = forces_[force];
  const auto count = static_cast<std::size_t>(nodes.count);
  device::CudaVector rows(objective_->algebra_of_vectors(), 3 * count);
  share_rows_.each(count, block, rows.array(), y.array(), nodes.numbers, nodes.share, nodes.count);
  model::Vector3 sums{};
  objective_->algebra().sum_rows(rows.array(), static_cast<std::int64_t>(count), count, sums);
  return sums;
}

void CudaConditions::set_free_flight(const device::CudaVector& start, const device::CudaVector& force,
                                     device::CudaVector& y) const {
  free_flight_.each(y.size(), block, y.array(), start.array(), objective_->inertia(), force.array(),
                    static_cast<int>(y.size()));
}

void CudaConditions::set_velocities(const CudaStepStart& start, const device::CudaVector& x,
                                    device::CudaVector& v) const {
  if (start.row->inertia)
    velocities_.each(v.size(), block, v.array(), x.array(), start.positions.array(), start.step,
                     static_cast<int>(v.size()));
  else
    device::set_zero(v);
}

void CudaConditions::add_motion(const CudaState& state, StepReport& report) const {
  const std::size_t nodes = state.positions.size() / 3;
  device::CudaVector rows(objective_->algebra_of_vectors(), 7 * nodes);
  motion_.each(nodes, block, rows.array(), mass_, state.positions.array(), state.velocities.array(),
               static_cast<int>(nodes));
  std::array<double, 7> sums{};
  objective_->algebra().sum_rows(rows.array(), static_cast<std::int64_t>(nodes), nodes, sums);
  report.kinetic_energy += sums[0];
  for (std::size_t i = 0; i < 3; ++i) {
    report.momentum[i] += sums[1 + i];
    report.angular_momentum[i] += sums[4 + i];
  }
}

}  // namespace proxima::solve
