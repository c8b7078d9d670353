// Derivatives by what a step is given, on a GPU: region_pull_backs.cpp. Per parameter the region's sum is found there;
// what is per element comes to the host.
#include "kernels/kernels.hpp"
#include "runtime/solve/cuda_region.hpp"

namespace proxima::solve {
const CudaRegion::Outputs& CudaRegion::run_to_rows(derive::Quantity quantity, const At& at, Given given) {
  const device::CudaKernel& compiled = kernel(quantity);
  Outputs& outputs = outputs_[quantity];
  std::vector<const device::CudaArray*> arrays;
  for (const ir::Field& field : compiled.outputs())
    arrays.push_back(&outputs.try_emplace(field.name, rows(field.components)).first->second.array());
  given.insert({{"positions", &at.x.array()}, {"previous", &at.previous.array()}});
  launch(compiled, given, arrays);
  return outputs;
}

void CudaRegion::gather_to_all(const device::CudaVector& forces, device::CudaVector& y) {
  gather(free_, forces.array(), y);
  gather(held_, forces.array(), y);
}

void CudaRegion::add_full_hessian_vector(const At& at, const device::CudaVector& direction, device::CudaVector& y) {
  run(derive::Quantity::hessian_vector, at, &direction, forces_);
  gather(free_, forces_, y);
  gather(held_, forces_, y);
}

void CudaRegion::add_pull_back(const At& at, const device::CudaVector& direction, RegionGradient& total) {
  if (total.parameters.empty() && total.directions.empty()) return;
  add_values(run_to_rows(derive::Quantity::pull_back, at, {{"direction", &direction.array()}}), total);
}

void CudaRegion::add_values(const Outputs& outputs, RegionGradient& total) {
  const auto stride = static_cast<std::size_t>(stride_), items = static_cast<std::size_t>(items_);
  const ElementSet& set = region_->set();
  std::vector<double> row(items);
  const auto read_row = [&](const device::CudaVector& rows, std::size_t number) {
    rows.array().read(std::as_writable_bytes(std::span(row)), number * stride * sizeof(double));
  };
  if (const std::size_t count = total.parameters.size(); count > 0) {
    const device::CudaVector& parameters = outputs.at("parameters");
    std::vector<double> sums(count);
    algebra_->sum_rows(parameters.array(), stride_, items, sums);
    for (std::size_t k = 0; k < count; ++k) {
      if (!region_->per_element()[k]) {
        region_->add_parameter(k, std::span(sums).subspan(k, 1), total);
        continue;
      }
      read_row(parameters, k);
      std::vector<double> found(total.parameters[k].size());
      for (std::size_t item = 0; item < items; ++item) found[item / set.points()] += row[item];
      region_->add_parameter(k, found, total);
    }
  }
  std::size_t k = 0;
  for (const auto& input : region_->energy().inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    std::vector<double> tiles(set.tiling().scalars(3));
    for (int c = 0; c < 3; ++c) {
      read_row(outputs.at(derive::field_name(input)), static_cast<std::size_t>(c));
      for (std::size_t item = 0; item < items; ++item) tiles[set.tiling().at(item, c, 3)] = row[item];
    }
    set.add_direction_pull_back(k, tiles, total.directions[k]);
    ++k;
  }
}

void CudaRegion::add_rest_pull_back(const At& at, const device::CudaVector& direction, const device::CudaVector& rest,
                                    device::CudaVector& y) {
  const Outputs& outputs =
      run_to_rows(derive::Quantity::rest_pull_back, at, {{"direction", &direction.array()}, {"rest", &rest.array()}});
  gather_to_all(outputs.at("rest"), y);
}

void CudaRegion::add_carried_pull_back(const At& at, const device::CudaVector& direction, device::CudaVector& previous,
                                       Histories& history) {
  const bool has_previous = region_->energy().find(ir::InputKind::previous_strain) != nullptr;
  if (!has_previous && history.empty()) return;
  const Outputs& outputs = run_to_rows(derive::Quantity::carried_pull_back, at, {{"direction", &direction.array()}});
  if (has_previous) gather_to_all(outputs.at("previous"), previous);
  add_histories(outputs, history);
}

void CudaRegion::add_history_pull_back(const At& at, const Histories& bars, RegionGradient& total,
                                       device::CudaVector& y, device::CudaVector& previous, Histories& history,
                                       device::CudaVector* rest_shape) {
  if (bars.empty()) return;
  Given given;
  std::size_t k = 0;
  for (const auto& input : region_->energy().inputs)
    if (input.kind == ir::InputKind::history) given.emplace("history_bar:" + input.name, &bars[k++].array());
  const Outputs& outputs = run_to_rows(derive::Quantity::history_pull_back, at, std::move(given));
  gather_to_all(outputs.at("positions"), y);
  if (rest_shape != nullptr) add_rest_through_strain(at.x, outputs.at("positions"), *rest_shape);
  if (const auto found = outputs.find("previous"); found != outputs.end()) {
    gather_to_all(found->second, previous);
    if (rest_shape != nullptr) add_rest_through_strain(at.previous, found->second, *rest_shape);
  }
  add_values(outputs, total);
  add_histories(outputs, history);
}

void CudaRegion::add_rest_through_strain(const device::CudaVector& x, const device::CudaVector& by_positions,
                                         device::CudaVector& y) {
  const auto text = algebra_->engine().compile_text("strain.cu", kernels::asset_strain_cu());
  const int corners = region_->set().rest().corners;
  device::CudaVector strain = rows(9), by_rest = rows(3 * static_cast<std::size_t>(corners));
  const auto items = static_cast<std::size_t>(items_);
  const auto stride = static_cast<long long>(stride_);
  text->function("strain_at")
      .each(items, kernels::strain_block, strain.array(), x.array(), field("gradients"), *nodes_, corners, 3, items_,
            stride);
  text->function("rest_through_strain")
      .each(items, kernels::strain_block, by_rest.array(), strain.array(), by_positions.array(), corners, items_,
            stride);
  gather_to_all(by_rest, y);
}

}  // namespace proxima::solve
