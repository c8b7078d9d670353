// CudaRegion: products with H in single precision.
#include "kernels/kernels.hpp"
#include "runtime/solve/region/cuda_region.hpp"
#include "runtime/solve/region/cuda_single.hpp"

namespace proxima::solve {

struct CudaRegion::Single {
  explicit Single(device::CudaEngine& engine)
      : narrow(engine.compile_text("single.cu", kernels::asset_single_cu())->function("narrow")),
        gather(
            engine
                .compile_text("gather.cu in float", "#define FORCE float\n" + std::string(kernels::asset_gather_cu()))
                ->function("gather")) {}

  device::CudaFunction narrow, gather;
  std::vector<bool> per_element;  // what the kernels were compiled for
  std::map<derive::Quantity, std::shared_ptr<const device::CudaKernel>> kernels;
  std::map<std::string, device::CudaArray> fields;
  device::CudaArray forces;
};

CudaRegion::Single& CudaRegion::single() {
  if (!single_) {
    auto& engine = algebra_->engine();
    single_ = std::make_shared<Single>(engine);
    single_->forces = engine.device().allocate(forces_.bytes() / 2);
  }
  if (single_->per_element != region_->per_element()) {
    single_->per_element = region_->per_element();
    single_->kernels.clear();
  }
  return *single_;
}

const device::CudaKernel& CudaRegion::single_kernel(derive::Quantity product) {
  auto& entry = single().kernels[product];
  if (!entry) entry = algebra_->engine().compile(region_->kernel_graph(product), emit::Precision::fp32);
  return *entry;
}

void CudaRegion::narrow_fields(derive::Quantity product) {
  for (const ir::Field& field : single_kernel(product).inputs()) {
    if (field.access != ir::Access::element) continue;
    const device::CudaArray& from = input(field.name);
    device::CudaArray& to = single().fields[field.name];
    if (to.bytes() != from.bytes() / 2) to = algebra_->engine().device().allocate(from.bytes() / 2);
    const std::size_t count = from.bytes() / sizeof(double);
    single().narrow.each(count, kernels::vector_block, to, from, static_cast<int>(count));
  }
}

void CudaRegion::add_hessian_vector(derive::Quantity product, const CudaSingle& at, device::CudaVector& y) {
  const device::CudaKernel& kernel = single_kernel(product);
  Single& own = single();
  std::vector<device::CudaInput> inputs;
  inputs.reserve(kernel.inputs().size());
  const std::map<std::string, const device::CudaArray*> of_nodes = {
      {"positions", &at.positions()}, {"previous", &at.previous()}, {"direction", &at.direction()}};
  for (const ir::Field& field : kernel.inputs()) {
    if (field.access == ir::Access::uniform)
      inputs.push_back({nullptr, region_->set().find(field.name).values});
    else if (field.access == ir::Access::element)
      inputs.push_back({&own.fields.at(field.name), {}});
    else
      inputs.push_back({of_nodes.at(field.name), {}});
  }
  const device::CudaArray* const outputs[] = {&own.forces};
  kernel.launch(inputs, outputs, nodes_.get(), items_, stride_);
  own.gather.each(static_cast<std::size_t>(free_.count) * kernels::gather_lanes, kernels::gather_block, y.array(),
                  own.forces, static_cast<long long>(stride_), *free_.first, *free_.offset, *free_.nodes, free_.count);
}

}  // namespace proxima::solve
