#include "runtime/adjoint/cuda_sweep.hpp"

#include <array>

#include "kernels/kernels.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/copied.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::adjoint {
namespace {

constexpr std::size_t block = kernels::vector_block;

device::CudaFunction kernel(const solve::CudaObjective& objective, const char* name) {
  return objective.algebra().engine().compile_text("adjoint.cu", kernels::asset_adjoint_cu())->function(name);
}

// Of the effective step, 0 without inertia, as adjoint.cu has it.
double inverse_step(const solve::CudaStepStart& start) { return start.row->inertia ? 1 / start.step : 0; }

}  // namespace

CudaSweep::CudaSweep(const solve::Objective& objective, const model::Model& model)
    : objective_(*objective.gpu()),
      conditions_(objective_, model),
      upload_(objective_),
      mass_pull_back_(kernel(objective_, "mass_pull_back")),
      pass_back_(kernel(objective_, "pass_back")),
      items_(objective_.zero_item_gradient()),
      rest_of_held_(3 * objective.nodes()) {
  device::CudaDevice& gpu = objective_.algebra().engine().device();
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const auto& [nodes, volume] = objective.nodal_volume(r);
    volumes_.push_back({gpu.upload(std::as_bytes(std::span(nodes))), gpu.upload(std::as_bytes(std::span(volume))),
                        device::CudaVector(objective_.algebra_of_vectors(), nodes.size())});
  }
}

void CudaSweep::send(const solve::State& state) {
  upload_.send(state);
  sent_ = &state;
}

std::shared_ptr<const solve::CudaState> CudaSweep::placed(const solve::State& state) {
  if (sent_ == &state) {
    sent_ = nullptr;
    return std::make_shared<const solve::CudaState>(upload_.receive());
  }
  return std::make_shared<const solve::CudaState>(solve::uploaded(objective_, state));
}

std::vector<double> CudaSweep::on_host(In vector) const {
  std::vector<double> result(vector.size());
  vector.read(result);
  return result;
}

solve::CudaWatchedNodes& CudaSweep::nodes_of(Rule rule) const {
  if (rule == Rule::contact) return objective_.touching_nodes();
  return rule == Rule::load ? conditions_.loaded() : conditions_.observed();
}

void CudaSweep::add_where_any(std::span<const double> values, Vector& to) const {
  if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }))
    device::add_scaled(to, 1, objective_.uploaded(values));
}

void CudaSweep::enter(const Step& step) const {
  objective_.enter_step(step.end, step.start.step, step.start.positions, step.there.history, step.driven);
}

void CudaSweep::add_rest_pull_back(In x, In direction, Vector& y) {
  if (!rest_) {
    std::vector<double> rest;
    for (const auto& node : conditions_.model().mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
    rest_ = objective_.uploaded(rest);
  }
  objective_.add_rest_pull_back(x, direction, *rest_, y);
}

void CudaSweep::add_mass(const Step& step, const Vector& z, std::vector<solve::RegionGradient>& total,
                         model::Vector3& gravity) {
  const auto& start = step.start;
  const auto& model = conditions_.model();
  const model::Vector3& g = model.gravity;
  for (std::size_t r = 0; r < volumes_.size(); ++r) {
    Volume& own = volumes_[r];
    const std::size_t count = own.by_volume.size();
    const double density = model.regions[r].density;
    device::CudaVector rows(objective_.algebra_of_vectors(), 5 * count);
    mass_pull_back_.each(count, block, rows.array(), own.by_volume.array(), own.nodes, own.volume, z.array(),
                         step.after.array(), start.positions.array(), start.velocities.array(), g[0], g[1], g[2],
                         inverse_step(start), density, model.regions[r].damping.mass, static_cast<int>(count));
    std::array<double, 5> sums{};
    objective_.algebra().sum_rows(rows.array(), static_cast<std::int64_t>(count), count, sums);
    total[r].density -= sums[0];
    total[r].mass_damping -= density * sums[1];
    for (std::size_t axis = 0; axis < 3; ++axis) gravity[axis] += density * sums[2 + axis];
  }
}

void CudaSweep::add_held(double time, const Vector& bars, std::vector<model::MotionGradient>& motions, Vector&) {
  std::vector<double> of_held(bars.size());
  conditions_.read_held(bars, of_held);
  model::add_dirichlet_pull_back(conditions_.model(), time, of_held, motions, rest_of_held_);
}

void CudaSweep::pass_back(const Step& step, const Vector& z, const Vector& previous, Bars<CudaSweep>& at,
                          Bars<CudaSweep>& earlier) const {
  const auto& row = *step.start.row;
  const std::uint64_t none = 0;
  pass_back_.each(z.size(), block, at.x.array(), at.v.array(), step.first ? earlier.x.array().address() : none,
                  step.first ? earlier.v.array().address() : none, z.array(), previous.array(), objective_.inertia(),
                  conditions_.mass(), inverse_step(step.start), row.now, row.before, static_cast<int>(z.size()));
}

solve::CudaPotential CudaSweep::potential(const Step& step) const {
  return {objective_, solve::copied(step.start.positions), conditions_.given_force(step.end, step.start, step.there)};
}

std::vector<double> CudaSweep::by_rest(const Vector& summed) const {
  std::vector<double> result = on_host(summed);
  device::add_scaled(result, 1, rest_of_held_);
  std::vector<std::vector<double>> by_volume;
  by_volume.reserve(volumes_.size());
  for (const Volume& own : volumes_) by_volume.push_back(on_host(own.by_volume));
  objective_.host().add_volume_pull_back(by_volume, result);
  return result;
}

}  // namespace proxima::adjoint
