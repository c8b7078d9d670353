#include "runtime/solve/region.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "runtime/solve/shape.hpp"

namespace proxima::solve {
namespace {

constexpr int corners = 4;

device::Tiling make_tiling(const model::Model& model, const std::vector<std::int32_t>& tets, int lanes) {
  std::vector<std::int32_t> nodes;
  nodes.reserve(tets.size() * corners);
  for (const auto tet : tets) nodes.insert(nodes.end(), model.mesh.tets[tet].begin(), model.mesh.tets[tet].end());
  return device::Tiling::make(nodes, corners, lanes);
}

bool takes_direction(derive::Quantity quantity) {
  return quantity == derive::Quantity::hessian_vector || quantity == derive::Quantity::pull_back;
}

}  // namespace

RegionKernels::RegionKernels(const model::Model& model, const model::Region& region, jit::Engine& engine)
    : engine_(&engine), name_(region.name), energy_(region.energy), tets_(region.tets) {
  tiling_ = make_tiling(model, tets_, engine.target().lanes(jit::Precision::fp64));
  gather_ = device::NodeGather(tiling_, model.mesh.nodes.size());
  std::vector<double> gradients;
  gradients.reserve(tets_.size() * 9);
  for (const auto tet : tets_) {
    const ShapeGradients shape = shape_gradients(model.mesh, tet);
    gradients.insert(gradients.end(), shape.rows.begin(), shape.rows.end());
    volume_.push_back(shape.volume);
  }
  gradient_field_ = tiling_.field(gradients, 9);
  volume_field_ = tiling_.field(volume_, 1);
  forces_.resize(tiling_.scalars(3 * corners));
  for (auto& buffer : energies_) buffer.resize(tiling_.scalars(1));
  set_parameters(region.parameters);
}

void RegionKernels::set_parameters(const std::vector<std::vector<double>>& values) {
  const auto& declared = energy_->parameters;
  if (values.size() != declared.size())
    fail("region '{}': {} parameters are given, the energy '{}' has {}", name_, values.size(), energy_->name,
         declared.size());
  std::vector<bool> per_element;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].size() != 1 && values[k].size() != tets_.size())
      fail("region '{}': parameter '{}' has {} values, it needs 1 or {} (one a tet of the region)", name_,
           declared[k].name, values[k].size(), tets_.size());
    for (const double value : values[k])
      if (!(value > declared[k].lower && value < declared[k].upper && std::isfinite(value)))
        fail("region '{}': parameter '{}' is {}, it must satisfy {}", name_, declared[k].name, value,
             model::interval_text(declared[k]));
    per_element.push_back(values[k].size() > 1);
  }
  if (per_element != per_element_) kernels_.clear();
  per_element_ = std::move(per_element);
  parameters_ = values;
  parameter_fields_.clear();
  for (std::size_t k = 0; k < values.size(); ++k)
    parameter_fields_.push_back(per_element_[k] ? tiling_.field(values[k], 1)
                                                : device::AlignedVector<double>(1, values[k][0]));
}

std::vector<double> RegionKernels::weights() const {
  const ir::Kernel kernel = derive::rest_weight(*energy_);
  ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
  std::vector<double> theta(parameters_.size());
  const auto weight_at = [&](std::size_t element) {
    for (std::size_t k = 0; k < theta.size(); ++k) theta[k] = parameters_[k][per_element_[k] ? element : 0];
    const double weight = interpreter(theta)[0];
    if (!std::isfinite(weight))
      fail("region '{}': the energy '{}' has no finite stiffness at rest (tet {})", name_, energy_->name,
           tets_[element]);
    return std::max(weight, 0.0);
  };
  const bool varies = std::find(per_element_.begin(), per_element_.end(), true) != per_element_.end();
  std::vector<double> result(tets_.size(), varies ? 0.0 : weight_at(0));
  if (varies)
    for (std::size_t e = 0; e < tets_.size(); ++e) result[e] = weight_at(e);
  return result;
}

const jit::CompiledKernel& RegionKernels::kernel(derive::Quantity quantity) {
  auto& entry = kernels_[quantity];
  if (!entry) entry = engine_->compile(derive::element_kernel(*energy_, quantity, derive::Shape{4, 3}, per_element_));
  return *entry;
}

void RegionKernels::run(derive::Quantity quantity, std::span<const double> x, std::span<const double> direction,
                        std::span<void* const> outputs) {
  inputs_.assign({x.data()});
  if (takes_direction(quantity)) inputs_.push_back(direction.data());
  inputs_.push_back(gradient_field_.data());
  inputs_.push_back(volume_field_.data());
  for (const auto& field : parameter_fields_) inputs_.push_back(field.data());
  device::launch(kernel(quantity), tiling_, inputs_, outputs);
}

std::span<const double> RegionKernels::energies(std::span<const double> x, int slot) {
  auto& buffer = energies_[slot];
  void* const outputs[] = {buffer.data()};
  run(derive::Quantity::energy, x, {}, outputs);
  return std::span<const double>(buffer).first(tets_.size());  // one component: tiles are contiguous in the elements
}

void RegionKernels::add_gradient(std::span<const double> x, std::span<double> y) {
  void* const outputs[] = {forces_.data()};
  run(derive::Quantity::forces, x, {}, outputs);
  gather_.add(forces_, y);
}

void RegionKernels::add_hessian_vector(std::span<const double> x, std::span<const double> direction,
                                       std::span<double> y) {
  void* const outputs[] = {forces_.data()};
  run(derive::Quantity::hessian_vector, x, direction, outputs);
  gather_.add(forces_, y);
}

std::vector<std::vector<double>> RegionKernels::pull_back(std::span<const double> x,
                                                          std::span<const double> direction) {
  const int count = static_cast<int>(parameters_.size());
  if (count == 0) return {};
  device::AlignedVector<double> field(tiling_.scalars(count));
  void* const outputs[] = {field.data()};
  run(derive::Quantity::pull_back, x, direction, outputs);
  std::vector<std::vector<double>> result;
  for (int k = 0; k < count; ++k) {
    std::vector<double> values(per_element_[k] ? tets_.size() : 1);
    for (std::size_t e = 0; e < tets_.size(); ++e) values[per_element_[k] ? e : 0] += field[tiling_.at(e, k, count)];
    result.push_back(std::move(values));
  }
  return result;
}

void RegionKernels::write_state(std::span<const double> x, std::span<double> stress, std::span<double> density) {
  device::AlignedVector<double> stress_field(tiling_.scalars(9)), density_field(tiling_.scalars(1));
  void* const outputs[] = {stress_field.data(), density_field.data()};
  run(derive::Quantity::state, x, {}, outputs);
  for (std::size_t e = 0; e < tets_.size(); ++e) {
    for (int c = 0; c < 9; ++c) stress[9 * tets_[e] + c] = stress_field[tiling_.at(e, c, 9)];
    density[tets_[e]] = density_field[tiling_.at(e, 0, 1)];
  }
}

}  // namespace proxima::solve
