// M on a GPU (deflation.hpp): its parts, copied there, and what it does to a vector by kernels alone
// (kernels/deflation.cu).
#pragma once

#include <memory>

#include "runtime/factor/cuda_factor.hpp"
#include "runtime/solve/precondition/deflation.hpp"

namespace proxima::solve {

// One thread of callers at a time. The same bits from run to run.
class CudaDeflation {
 public:
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;

  // Copies all parts. `nodes`: that of each row of A. Throws Error when the GPU has no memory for it.
  CudaDeflation(std::shared_ptr<device::CudaAlgebra> algebra, const Deflation& of,
                std::shared_ptr<const device::CudaArray> nodes);

  // As of Deflation; queued.
  void turn(In x);
  void apply(factor::CudaFactor& a, In r, Out z);

 private:
  using Constant = std::shared_ptr<const device::CudaArray>;
  struct Parts;
  struct Kernels {
    explicit Kernels(const device::CudaModule& module);
    device::CudaFunction residual, begin_smoothing, end_smoothing, enter, add_entered, leave, turn;
  };
  struct Matrix {  // as kernels/deflation.cu has it
    std::uint64_t first, column, entries;
    std::int32_t rows;
  };

  std::shared_ptr<device::CudaAlgebra> algebra_;
  Kernels kernels_;
  int rows_, mode_count_;
  double omega_;
  ChebyshevSmoother::Coefficients coefficients_;
  Constant nodes_, first_, columns_, entries_, inverse_, first_edge_, edges_, modes_, values_;
  Matrix matrix_;
  device::CudaArray rotations_, products_;
  device::CudaVector right_, solution_, rest_, smoothed_;
};

}  // namespace proxima::solve
