// Sparse columns of L^-1 on a GPU: what the rows of contacts see of a vector half-way through a solve, and what forces
// there add to it (kernels/columns.cu). The columns are formed by the CPU (delassus.hpp) and copied, each once.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/factor/delassus.hpp"

namespace proxima::factor {

// One thread of callers at a time. Memory: 8 bytes a value of the columns, as on the host.
class CudaDelassus {
 public:
  // Keeps a reference to the host's set.
  CudaDelassus(std::shared_ptr<device::CudaAlgebra> algebra, const Delassus& host);

  // The rows that products are of from now on, by their indices in the host's set, each once; copies the columns that
  // are not here yet. Throws Error when the GPU has no memory for them. Follows when the host's set was cleared.
  void choose(std::span<const std::int32_t> indices);

  // As of Delassus, of the chosen rows: out_i <- c_i . y and y += sum of c_i l_i, queued. Always by columns. The same
  // bits from run to run.
  void gather(const device::CudaVector& y, device::CudaVector& out) const;
  void scatter(const device::CudaVector& l, device::CudaVector& y) const;

 private:
  void copy_columns(std::span<const std::int32_t> indices);
  void make_tables();

  std::shared_ptr<device::CudaAlgebra> algebra_;
  const Delassus& host_;
  device::CudaFunction gather_, scatter_;
  std::uint64_t followed_;                 // the host's stamp
  std::vector<device::CudaArray> values_;  // of the columns of each choose()
  std::vector<std::uint64_t> end_;         // of each index' values there; 0: not copied
  std::vector<std::int32_t> chosen_;
  device::CudaArray columns_, runs_, pieces_, users_;
  std::size_t piece_count_ = 0;
};

}  // namespace proxima::factor
