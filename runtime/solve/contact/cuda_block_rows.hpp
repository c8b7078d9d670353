// Sparse matrices of 3 x 3 blocks on a GPU that have few rows: what contacts add at their nodes, or at themselves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/device/cuda_vector.hpp"

namespace proxima::solve {

class CudaBlockRows {
 public:
  struct Entry {
    std::int32_t row, column;     // of vectors of three numbers each
    std::array<double, 9> block;  // row-major
  };
  // Entries of one place are added up, in their order.
  CudaBlockRows(const device::CudaAlgebra& algebra, std::vector<Entry> entries);

  // Queues y += scale M v.
  void add(double scale, const device::CudaVector& v, device::CudaVector& y) const;

 private:
  device::CudaFunction add_product_;
  device::CudaArray rows_, first_, columns_, blocks_;
  std::size_t size_ = 0;
};

}  // namespace proxima::solve
