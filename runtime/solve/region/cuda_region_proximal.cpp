// The proximal local step of a region on a GPU, and what its points pull on the nodes with: region_proximal.cpp.
#include "kernels/kernels.hpp"
#include "runtime/solve/region/cuda_region.hpp"

namespace proxima::solve {

struct CudaRegion::Proximal {
  device::CudaFunction strain, forces, divide;
  std::vector<device::CudaVector> outputs;  // of the step
  device::CudaVector at, target, previous;  // strains
  int corners, dimension;                   // of a strain: 1 for edges
  bool of_edges;
};

device::CudaVector CudaRegion::rows(std::size_t components) const {
  return {algebra_, components * static_cast<std::size_t>(stride_)};
}

CudaRegion::Proximal& CudaRegion::proximal() {
  if (!proximal_) {
    const std::size_t components = region_->energy().strain_components();
    const auto text = algebra_->engine().compile_text("strain.cu", kernels::asset_strain_cu());
    proximal_ = std::make_shared<Proximal>(Proximal{text->function("strain_at"),
                                                    text->function("strain_forces"),
                                                    text->function("divide_by_weight"),
                                                    {},
                                                    rows(components),
                                                    rows(components),
                                                    rows(components),
                                                    region_->set().rest().corners,
                                                    static_cast<int>(components) / 3,
                                                    region_->set().elements().shape == mesh::Shape::edge});
  }
  forget_old_kernels();
  if (!proximal_step_) {
    proximal_step_ = algebra_->engine().compile(region_->proximal_graph());
    proximal_->outputs.clear();
    for (const ir::Field& field : proximal_step_->outputs()) proximal_->outputs.push_back(rows(field.components));
  }
  return *proximal_;
}

void CudaRegion::set_strain(const device::CudaVector& x, device::CudaVector& strain) {
  const Proximal& p = *proximal_;
  const device::CudaArray none;
  p.strain.each(static_cast<std::size_t>(items_), kernels::strain_block, strain.array(), x.array(),
                p.of_edges ? none : field("gradients"), *nodes_, p.corners, p.dimension, items_,
                static_cast<long long>(stride_));
}

device::CudaVector CudaRegion::zero_dual() const { return rows(region_->energy().strain_components()); }

void CudaRegion::set_equilibrium_dual(const At& at, device::CudaVector& dual) {
  const Proximal& p = proximal();
  const device::CudaKernel& state = kernel(derive::Quantity::state);
  const device::CudaArray* const outputs[] = {&dual.array(), &energies_};  // the second: densities
  launch(state, {{"positions", &at.x.array()}, {"previous", &at.previous.array()}}, outputs);
  p.divide.each(static_cast<std::size_t>(items_), kernels::strain_block, dual.array(), field("weight"), 3 * p.dimension,
                items_, static_cast<long long>(stride_));
}

void CudaRegion::add_proximal_force(const At& at, device::CudaVector& dual, device::CudaVector& y) {
  Proximal& p = proximal();
  set_strain(at.x, p.at);
  device::combine(p.target, p.at, 1, dual);
  if (region_->energy().find(ir::InputKind::previous_strain) != nullptr) set_strain(at.previous, p.previous);
  std::vector<const device::CudaArray*> outputs;
  outputs.reserve(p.outputs.size());
  for (const device::CudaVector& output : p.outputs) outputs.push_back(&output.array());
  launch(*proximal_step_, {{"strain", &p.target.array()}, {"previous", &p.previous.array()}}, outputs);
  const device::CudaVector& point = p.outputs.front();
  device::combine(dual, p.target, -1, point);
  device::combine(p.target, dual, -1, point);
  device::add_scaled(p.at, 1, p.target);
  const device::CudaArray none;
  p.forces.each(static_cast<std::size_t>(items_), kernels::strain_block, forces_, p.at.array(), field("weight"),
                p.of_edges ? none : field("volume"), p.of_edges ? none : field("gradients"), p.corners, p.dimension,
                items_, static_cast<long long>(stride_));
  gather_to_free(y);
}

}  // namespace proxima::solve
