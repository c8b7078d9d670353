// The proximal local step of a region and what its points pull on the nodes with.
#include <algorithm>
#include <cmath>

#include "compiler/derive/local_step.hpp"
#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/region.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t item_chunk = 1024;

// Calls body(s, j, g) for the rest gradient g of corners s = 1 on along rest coordinate j; that of corner 0 is minus
// the sum. The strain of an edge is its vector, so its gradient is 1.
template <class Body>
void each_gradient(const ElementSet& set, std::size_t item, Body body) {
  const auto& rest = set.rest();
  if (set.elements().shape == mesh::Shape::edge) return body(std::size_t{1}, std::size_t{0}, 1.0);
  const auto dimension = static_cast<std::size_t>(rest.dimension);
  const std::size_t corners = static_cast<std::size_t>(rest.corners);
  const double* g = &rest.gradients[item * (corners - 1) * dimension];
  for (std::size_t s = 1; s < corners; ++s)
    for (std::size_t j = 0; j < dimension; ++j) body(s, j, *g++);
}

double measure_of(const ElementSet& set, std::size_t item) {
  return set.elements().shape == mesh::Shape::edge ? 1 : set.rest().measure[item];
}

}  // namespace

void RegionKernels::set_proximal_weights(std::span<const double> weights) {
  has_proximal_step_ = energy_->measure != ir::Measure::node_positions && energy_->strain_components() <= 9 &&
                       std::all_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
  if (has_proximal_step_) set_.set_of_elements("weight", weights, 1);
}

ir::Kernel RegionKernels::proximal_graph() const {
  return derive::local_step(*energy_, derive::LocalForm::proximal, per_element_);
}

void RegionKernels::add_strain(std::span<const double> x, device::AlignedVector<double>& field) const {
  const int components = static_cast<int>(energy_->strain_components()), dimension = components / 3;
  device::parallel_chunks(set_.items(), item_chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
      const auto nodes = set_.elements().of(item / set_.points());
      each_gradient(set_, item, [&](std::size_t s, std::size_t j, double g) {
        for (std::size_t i = 0; i < 3; ++i) {
          const double edge =
              x[3 * static_cast<std::size_t>(nodes[s]) + i] - x[3 * static_cast<std::size_t>(nodes[0]) + i];
          field[set_.tiling().at(item, static_cast<int>(i) * dimension + static_cast<int>(j), components)] += edge * g;
        }
      });
    }
  });
}

void RegionKernels::add_strain_forces(const device::AlignedVector<double>& strain, std::span<double> y) {
  const auto& weights = set_.find("weight").values;  // of one component: tiles are contiguous in the items
  const int components = static_cast<int>(energy_->strain_components()), dimension = components / 3;
  const int width = 3 * set_.rest().corners;
  std::fill(forces_.begin(), forces_.end(), 0.0);
  device::parallel_chunks(set_.items(), item_chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
      const double scale = weights[item] * measure_of(set_, item);
      each_gradient(set_, item, [&](std::size_t s, std::size_t j, double g) {
        for (int i = 0; i < 3; ++i) {
          const double force =
              scale * g * strain[set_.tiling().at(item, i * dimension + static_cast<int>(j), components)];
          forces_[set_.tiling().at(item, 3 * static_cast<int>(s) + i, width)] += force;
          forces_[set_.tiling().at(item, i, width)] -= force;
        }
      });
    }
  });
  gather_.add(forces_, y);
}

void RegionKernels::add_proximal_force(std::span<const double> x, device::AlignedVector<double>& dual,
                                       std::span<double> y) {
  if (!proximal_) proximal_ = engine_->compile(proximal_graph());
  const auto& kernel = *proximal_;
  device::AlignedVector<double> strain(dual.size()), previous;
  add_strain(x, strain);
  device::AlignedVector<double> target = strain;
  for (std::size_t i = 0; i < dual.size(); ++i) target[i] += dual[i];
  if (energy_->find(ir::InputKind::previous_strain) != nullptr) {
    previous.resize(dual.size());
    add_strain(previous_, previous);
  }
  std::vector<const void*> inputs;
  inputs.reserve(kernel.inputs.size());
  for (const auto& field : kernel.inputs)
    inputs.push_back(field.name == "strain"     ? target.data()
                     : field.name == "previous" ? previous.data()
                                                : set_.field(field.name));
  std::vector<device::AlignedVector<double>> outputs;
  std::vector<void*> addresses;
  outputs.reserve(kernel.outputs.size());
  addresses.reserve(kernel.outputs.size());
  for (const auto& field : kernel.outputs)
    outputs.emplace_back(set_.tiling().scalars(static_cast<int>(field.components)));
  for (auto& output : outputs) addresses.push_back(output.data());
  device::launch(kernel, set_.tiling(), inputs, addresses);
  const auto& point = outputs.front();
  for (std::size_t i = 0; i < dual.size(); ++i) {
    dual[i] = target[i] - point[i];
    strain[i] += dual[i] - point[i];
  }
  add_strain_forces(strain, y);
}

device::AlignedVector<double> RegionKernels::zero_dual() const {
  return device::AlignedVector<double>(set_.tiling().scalars(static_cast<int>(energy_->strain_components())));
}

device::AlignedVector<double> RegionKernels::equilibrium_dual(std::span<const double> x) {
  const auto& weights = set_.find("weight").values;
  auto stress = std::move(run_to_fields(derive::Quantity::state, {x}).at("stress"));
  const int components = static_cast<int>(energy_->strain_components());
  for (std::size_t item = 0; item < set_.items(); ++item)
    for (int c = 0; c < components; ++c) stress[set_.tiling().at(item, c, components)] /= weights[item];
  return stress;
}

}  // namespace proxima::solve
