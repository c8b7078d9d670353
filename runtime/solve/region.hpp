// The elements of one region, laid out for the compiled kernels of its energy: launching them at a state and summing
// element results in fixed order. Knows neither time, nor mass, nor which nodes are held.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/launch.hpp"
#include "runtime/model/model.hpp"

namespace proxima::solve {

// Kernels are compiled when they are first needed. Calls use buffers of the object: one thread of callers at a time.
class RegionKernels {
 public:
  RegionKernels(const model::Model& model, const model::Region& region, jit::Engine& engine);

  // One value, or one a tet of the region, for each parameter. Throws Error where a value is outside its open interval.
  void set_parameters(const std::vector<std::vector<double>>& values);
  const std::vector<std::vector<double>>& parameters() const { return parameters_; }

  std::span<const std::int32_t> tets() const { return tets_; }
  std::span<const double> volume() const { return volume_; }  // m^3, one a tet of the region
  // The weight w(theta) of the projective-dynamics matrix, Pa, one a tet of the region; never below zero.
  std::vector<double> weights() const;

  // Element energies V Psi, J, one a tet of the region; valid until the next call with the same `slot` (0 or 1).
  std::span<const double> energies(std::span<const double> x, int slot);
  void add_gradient(std::span<const double> x, std::span<double> y);
  void add_hessian_vector(std::span<const double> x, std::span<const double> direction, std::span<double> y);
  // For each parameter the sum over the elements, or each element's value where the parameter is given per element.
  std::vector<std::vector<double>> pull_back(std::span<const double> x, std::span<const double> direction);
  // Writes stress (9 a tet of the mesh, Pa) and energy density (1 a tet of the mesh, J/m^3) of this region's tets.
  void write_state(std::span<const double> x, std::span<double> stress, std::span<double> density);

 private:
  const jit::CompiledKernel& kernel(derive::Quantity quantity);
  void run(derive::Quantity quantity, std::span<const double> x, std::span<const double> direction,
           std::span<void* const> outputs);

  jit::Engine* engine_;
  std::string name_;
  std::shared_ptr<const ir::Energy> energy_;
  std::vector<std::int32_t> tets_;
  std::vector<double> volume_;
  std::vector<std::vector<double>> parameters_;
  std::vector<bool> per_element_;

  device::Tiling tiling_;
  device::NodeGather gather_;
  device::AlignedVector<double> gradient_field_, volume_field_;
  std::vector<device::AlignedVector<double>> parameter_fields_;
  std::map<derive::Quantity, std::shared_ptr<const jit::CompiledKernel>> kernels_;

  device::AlignedVector<double> forces_, energies_[2];
  std::vector<const void*> inputs_;
};

}  // namespace proxima::solve
