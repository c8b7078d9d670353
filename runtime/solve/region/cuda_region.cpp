#include "runtime/solve/region/cuda_region.hpp"

#include "compiler/emit/cuda/print.hpp"
#include "kernels/kernels.hpp"

namespace proxima::solve {

CudaRegion::CudaRegion(std::shared_ptr<device::CudaAlgebra> algebra, RegionKernels& region,
                       const std::vector<char>& held)
    : algebra_(std::move(algebra)),
      region_(&region),
      gather_(algebra_->engine().compile_text("gather.cu", kernels::asset_gather_cu())->function("gather")),
      items_(static_cast<int>(region.set().items())) {
  constexpr std::int64_t padding = emit::cuda_padding;
  stride_ = (items_ + padding - 1) / padding * padding;
  const device::Tiling& tiling = region.set().tiling();
  const auto stride = static_cast<std::size_t>(stride_), corners = static_cast<std::size_t>(tiling.corners);
  std::vector<std::int32_t> nodes(corners * stride);
  std::vector<std::vector<std::int64_t>> pairs(held.size());
  for (std::size_t item = 0; item < tiling.elements; ++item)
    for (std::size_t c = 0; c < corners; ++c) {
      const std::int32_t node = tiling.nodes[tiling.at(item, static_cast<int>(c), tiling.corners)];
      nodes[c * stride + item] = node;
      pairs[static_cast<std::size_t>(node)].push_back(static_cast<std::int64_t>(3 * c * stride + item));
    }
  free_ = make_gather(pairs, held, false);
  held_ = make_gather(pairs, held, true);
  device::CudaDevice& gpu = algebra_->engine().device();
  nodes_ = algebra_->engine().constant(std::as_bytes(std::span(nodes)));
  forces_ = gpu.allocate(3 * corners * stride * sizeof(double));
  energies_ = item_energies();
  for (const auto& input : region.energy().inputs)
    if (input.kind == ir::InputKind::history) history_names_.push_back(derive::field_name(input));
  history_ = histories();
}

CudaRegion::Gather CudaRegion::make_gather(const std::vector<std::vector<std::int64_t>>& pairs,
                                           const std::vector<char>& held, bool of_held) const {
  std::vector<std::int32_t> nodes, first{0};
  std::vector<std::int64_t> offset;
  for (std::size_t node = 0; node < pairs.size(); ++node) {
    if (pairs[node].empty() || (held[node] != 0) != of_held) continue;
    nodes.push_back(static_cast<std::int32_t>(node));
    offset.insert(offset.end(), pairs[node].begin(), pairs[node].end());
    first.push_back(static_cast<std::int32_t>(offset.size()));
  }
  const auto upload = [&](const auto& values) { return algebra_->engine().constant(std::as_bytes(std::span(values))); };
  return {upload(first), upload(offset), upload(nodes), static_cast<int>(nodes.size())};
}

void CudaRegion::forget_old_kernels() {
  if (per_element_ == region_->per_element()) return;
  per_element_ = region_->per_element();
  kernels_.clear();
  outputs_.clear();
  proximal_step_.reset();
}

const device::CudaKernel& CudaRegion::kernel(derive::Quantity quantity) {
  forget_old_kernels();
  auto& entry = kernels_[quantity];
  if (!entry) entry = algebra_->engine().compile(region_->kernel_graph(quantity));
  return *entry;
}

const device::CudaArray& CudaRegion::field(const std::string& name) {
  const ElementSet::Field& source = region_->set().find(name);
  const auto [entry, is_first] = fields_.try_emplace(name);
  Copy& copy = entry->second;
  if (!is_first && copy.version == source.version) return copy.array();
  const auto stride = static_cast<std::size_t>(stride_), components = static_cast<std::size_t>(source.components);
  std::vector<double> rows(components * stride);
  for (std::size_t item = 0; item < region_->set().items(); ++item)
    for (std::size_t c = 0; c < components; ++c)
      rows[c * stride + item] = source.values[region_->set().tiling().at(item, static_cast<int>(c), source.components)];
  const auto values = std::as_bytes(std::span(rows));
  if (is_first) {
    copy.first = algebra_->engine().constant(values);
  } else {
    if (copy.later.bytes() != values.size()) copy.later = algebra_->engine().device().allocate(values.size());
    copy.later.write(values);
    copy.first.reset();
  }
  copy.version = source.version;
  return copy.array();
}

const device::CudaArray& CudaRegion::input(const std::string& name) {
  for (std::size_t k = 0; k < history_.size(); ++k)
    if (history_names_[k] == name) return history_[k].array();
  return field(name);
}

void CudaRegion::launch(const device::CudaKernel& compiled, const Given& given,
                        std::span<const device::CudaArray* const> outputs) {
  std::vector<device::CudaInput> inputs;
  for (const ir::Field& input : compiled.inputs()) {
    if (input.access == ir::Access::uniform) {
      inputs.push_back({nullptr, region_->set().find(input.name).values});
      continue;
    }
    const auto found = given.find(input.name);
    inputs.push_back({found != given.end() ? found->second : &this->input(input.name), {}});
  }
  compiled.launch(inputs, outputs, compiled.corners() > 0 ? nodes_.get() : nullptr, items_, stride_);
}

void CudaRegion::run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
                     const device::CudaArray& output) {
  const device::CudaArray* const outputs[] = {&output};
  run(quantity, at, direction, outputs);
}

void CudaRegion::run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
                     std::span<const device::CudaArray* const> outputs) {
  launch(kernel(quantity),
         {{"positions", &at.x.array()},
          {"previous", &at.previous.array()},
          {"direction", direction == nullptr ? nullptr : &direction->array()}},
         outputs);
}

void CudaRegion::gather(const Gather& to, const device::CudaArray& forces, device::CudaVector& y) {
  gather_.each(static_cast<std::size_t>(to.count) * kernels::gather_lanes, kernels::gather_block, y.array(), forces,
               static_cast<long long>(stride_), *to.first, *to.offset, *to.nodes, to.count);
}

void CudaRegion::add_gradient(const At& at, device::CudaVector& y) {
  run(derive::Quantity::forces, at, nullptr, forces_);
  gather_to_free(y);
}

void CudaRegion::add_hessian_vector(derive::Quantity product, const At& at, const device::CudaVector& direction,
                                    device::CudaVector& y) {
  run(product, at, &direction, forces_);
  gather_to_free(y);
}

double CudaRegion::energy(const At& at) {
  device::CudaPartials sum = algebra_->partials(energy_chunks());
  add_energy(at, sum);
  return algebra_->total(sum);
}

void CudaRegion::add_energy(const At& at, device::CudaPartials& sum) {
  run(derive::Quantity::energy, at, nullptr, energies_);
  sum.add(algebra_->sum, static_cast<std::size_t>(items_), energies_);
}

void CudaRegion::add_energy_and_gradient(const At& at, device::CudaPartials& sum, device::CudaVector& y) {
  add_gradient(at, energies_, y);
  sum.add(algebra_->sum, static_cast<std::size_t>(items_), energies_);
}

device::CudaArray CudaRegion::item_energies() const {
  return algebra_->engine().device().allocate(static_cast<std::size_t>(stride_) * sizeof(double));
}

void CudaRegion::add_gradient(const At& at, device::CudaArray& energies, device::CudaVector& y) {
  const device::CudaArray* const outputs[] = {&energies, &forces_};
  run(derive::Quantity::energy_forces, at, nullptr, outputs);
  gather_to_free(y);
}

void CudaRegion::add_energy_difference(const device::CudaArray& first, const device::CudaArray& second,
                                       device::CudaPartials& sum) const {
  sum.add(algebra_->sum_of_differences, static_cast<std::size_t>(items_), second, first);
}

}  // namespace proxima::solve
