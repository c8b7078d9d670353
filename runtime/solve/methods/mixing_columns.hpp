// What Anderson's mixing keeps of earlier iterations: columns of the differences of f and of x + f, oldest first, and
// what is made of all of them at once. On a GPU: cuda_mixing_columns.hpp.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::solve {

// The products of the differences of f with that of the newest column, and with f.
struct MixingProducts {
  std::vector<double> newest, projections;
};

template <class System>
class KeptColumns {
 public:
  using In = typename System::In;

  explicit KeptColumns(int window) : window_(static_cast<std::size_t>(window)) {}

  std::size_t size() const { return columns_.size(); }
  bool full() const { return columns_.size() == window_; }
  void clear() { columns_.clear(); }
  // The oldest column makes room where there are as many as there may be.
  void add(In x, In f, In last_x, In last_f) {
    Column next = full() ? std::move(columns_.front()) : Column{device::like(f), device::like(x)};
    if (full()) columns_.erase(columns_.begin());
    device::combine(next.residual, f, -1, last_f);
    device::combine(next.image, x, -1, last_x);
    device::add_scaled(next.image, 1, next.residual);
    columns_.push_back(std::move(next));
  }

 protected:
  struct Column {
    typename System::Vector residual, image;
  };
  std::size_t window_;
  std::vector<Column> columns_;
};

template <class System>
class MixingColumns : public KeptColumns<System> {
 public:
  using In = typename System::In;
  using Out = typename System::Out;
  using KeptColumns<System>::KeptColumns;

  MixingProducts products(In f) const {
    MixingProducts result;
    for (const auto& column : this->columns_) {
      result.newest.push_back(device::dot(column.residual, this->columns_.back().residual));
      result.projections.push_back(device::dot(column.residual, f));
    }
    return result;
  }
  // Takes so much of each difference of x + f from `result`.
  void take(std::span<const double> coefficients, Out result) const {
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      device::add_scaled(result, -coefficients[k], this->columns_[k].image);
  }
};

}  // namespace proxima::solve
