#include "tests/gpu/device_run.hpp"

#include <cstdint>
#include <limits>
#include <span>

#include "compiler/emit/cuda/print.hpp"

namespace proxima::gpu {

using device::CudaArray;
using emit::Precision;

DeviceRun::DeviceRun(device::CudaDevice& device, const ir::Kernel& kernel, Precision precision,
                     const jit::testing::Batch& batch, NodeList list)
    : kernel_(kernel),
      precision_(precision),
      elements_(batch.elements),
      stride_((batch.elements + emit::cuda_padding - 1) / emit::cuda_padding * emit::cuda_padding) {
  if (precision == Precision::fp64)
    upload<double>(device, batch, list);
  else
    upload<float>(device, batch, list);
}

template <class T>
void DeviceRun::upload(device::CudaDevice& device, const jit::testing::Batch& batch, NodeList list) {
  arrays_.reserve(kernel_.inputs.size() + kernel_.outputs.size() + 1);  // addresses of its entries are kept
  const auto array = [&](const auto& values) -> const CudaArray* {
    const auto bytes = std::as_bytes(std::span(values));
    arrays_.push_back(device.allocate(bytes.size()));
    arrays_.back().write(bytes);
    return &arrays_.back();
  };
  const auto in_rows = [&](const auto& values, std::size_t rows, auto nothing) {
    std::vector<decltype(nothing)> result(rows * stride_, nothing);
    for (std::size_t k = 0; k < values.size(); ++k)
      result[k % rows * stride_ + k / rows] = static_cast<decltype(nothing)>(values[k]);
    return result;
  };
  constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t f = 0; f < kernel_.inputs.size(); ++f) {
    const auto& values = batch.fields[f];
    const ir::Field& field = kernel_.inputs[f];
    if (field.access == ir::Access::uniform)
      inputs_.push_back({nullptr, values});
    else if (field.access == ir::Access::nodal)
      inputs_.push_back({array(std::vector<T>(values.begin(), values.end())), {}});
    else
      inputs_.push_back({array(in_rows(values, field.components, nothing)), {}});
  }
  for (const ir::Field& field : kernel_.outputs)
    outputs_.push_back(array(std::vector<T>(field.components * stride_, nothing)));
  if (kernel_.corners > 0)
    nodes_ = list == NodeList::element_rows ? array(batch.nodes)
                                            : array(in_rows(batch.nodes, kernel_.corners, std::int32_t{-1}));
}

void DeviceRun::launch(const device::CudaKernel& loaded) const {
  loaded.launch(inputs_, outputs_, nodes_, static_cast<int>(elements_), static_cast<std::int64_t>(stride_));
}

std::vector<std::vector<double>> DeviceRun::results() const {
  return precision_ == Precision::fp64 ? download<double>() : download<float>();
}

template <class T>
std::vector<std::vector<double>> DeviceRun::download() const {
  std::vector<std::vector<double>> results;
  for (std::size_t f = 0; f < outputs_.size(); ++f) {
    const std::size_t components = kernel_.outputs[f].components;
    std::vector<T> rows(components * stride_);
    outputs_[f]->read(std::as_writable_bytes(std::span(rows)));
    auto& values = results.emplace_back();
    values.reserve(elements_ * components);
    for (std::size_t k = 0; k < elements_ * components; ++k)
      values.push_back(static_cast<double>(rows[k % components * stride_ + k / components]));
  }
  return results;
}

}  // namespace proxima::gpu
