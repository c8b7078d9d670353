#include "runtime/solve/methods/cuda_mixing_columns.hpp"

namespace proxima::solve {

MixingProducts MixingColumns<CudaObjective>::products(In f) {
  device::CudaAlgebra& algebra = f.algebra();
  const std::size_t count = columns_.size();
  if (const std::size_t bytes = 2 * window_ * sizeof(double); table_.bytes() != bytes) {
    table_ = algebra.engine().device().allocate(bytes);
    numbers_ = algebra.engine().device().allocate(bytes);
  }
  std::vector<std::uint64_t> addresses;
  addresses.reserve(2 * count);
  for (const Column& column : columns_) addresses.push_back(column.residual.array().address());
  for (const Column& column : columns_) addresses.push_back(column.image.array().address());
  algebra.put(std::as_bytes(std::span(addresses)), table_);
  algebra.multiply_all(table_.address(), count, columns_.back().residual, numbers_.address());
  algebra.multiply_all(table_.address(), count, f, numbers_.address() + count * sizeof(double));
  std::vector<double> numbers(2 * count);
  numbers_.read(std::as_writable_bytes(std::span(numbers)));
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(count);
  return {{numbers.begin(), middle}, {middle, numbers.end()}};
}

void MixingColumns<CudaObjective>::take(std::span<const double> coefficients, CudaObjective::Out result) {
  device::CudaAlgebra& algebra = result.algebra();
  algebra.put(std::as_bytes(coefficients), numbers_);
  algebra.add_all(result, -1, numbers_, table_.address() + columns_.size() * sizeof(std::uint64_t),
                  coefficients.size());
}

}  // namespace proxima::solve
