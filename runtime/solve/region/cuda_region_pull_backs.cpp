// Derivatives by what a step is given, on a GPU: region_pull_backs.cpp. Per parameter the region's sum comes to the
// host; what is one an element stays until the end.
#include "kernels/kernels.hpp"
#include "runtime/solve/region/cuda_region.hpp"

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

CudaRegion::ItemGradient CudaRegion::zero_item_gradient() const {
  ItemGradient result;
  for (const bool per_element : region_->per_element()) {
    auto& items = result.parameters.emplace_back();
    if (per_element) items.emplace(algebra_, static_cast<std::size_t>(items_));
  }
  for (const auto& input : region_->energy().inputs)
    if (input.kind == ir::InputKind::direction) result.directions.push_back(rows(input.components));
  return result;
}

void CudaRegion::add_pull_back(const At& at, const device::CudaVector& direction, RegionGradient& total,
                               ItemGradient& items) {
  if (total.parameters.empty() && total.directions.empty()) return;
  add_values(run_to_rows(derive::Quantity::pull_back, at, {{"direction", &direction.array()}}), total, items);
}

void CudaRegion::add_values(const Outputs& outputs, RegionGradient& total, ItemGradient& items) {
  const auto count = static_cast<std::size_t>(items_);
  if (!total.parameters.empty()) {
    const device::CudaArray& parameters = outputs.at("parameters").array();
    std::vector<double> sums(total.parameters.size());
    algebra_->sum_rows(parameters, stride_, count, sums);
    const std::uint64_t row = static_cast<std::uint64_t>(stride_) * sizeof(double);
    for (std::size_t k = 0; k < sums.size(); ++k)
      if (auto& own = items.parameters[k])
        algebra_->add_scaled.each(count, kernels::vector_block, own->array(), 1.0, parameters.address() + k * row,
                                  items_);
      else
        region_->add_parameter(k, std::span(sums).subspan(k, 1), total);
  }
  std::size_t k = 0;
  for (const auto& input : region_->energy().inputs)
    if (input.kind == ir::InputKind::direction)
      device::add_scaled(items.directions[k++], 1, outputs.at(derive::field_name(input)));
}

void CudaRegion::add(const ItemGradient& items, RegionGradient& total) const {
  const ElementSet& set = region_->set();
  const auto stride = static_cast<std::size_t>(stride_);
  for (std::size_t k = 0; k < items.parameters.size(); ++k) {
    if (!items.parameters[k]) continue;
    std::vector<double> of_items(items.parameters[k]->size()), found(total.parameters[k].size());
    items.parameters[k]->read(of_items);
    for (std::size_t item = 0; item < of_items.size(); ++item) found[item / set.points()] += of_items[item];
    region_->add_parameter(k, found, total);
  }
  for (std::size_t k = 0; k < items.directions.size(); ++k) {
    std::vector<double> rows(items.directions[k].size()), tiles(set.tiling().scalars(3));
    items.directions[k].read(rows);
    for (std::size_t item = 0; item < set.items(); ++item)
      for (int c = 0; c < 3; ++c)
        tiles[set.tiling().at(item, c, 3)] = rows[static_cast<std::size_t>(c) * stride + item];
    set.add_direction_pull_back(k, tiles, total.directions[k]);
  }
}

void CudaRegion::add_rest_pull_back(const At& at, const device::CudaVector& direction, const device::CudaVector& rest,
                                    device::CudaVector& y) {
  region_->set_own_coordinates();
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

void CudaRegion::add_history_pull_back(const At& at, const Histories& bars, RegionGradient& total, ItemGradient& items,
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
  add_values(outputs, total, items);
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
