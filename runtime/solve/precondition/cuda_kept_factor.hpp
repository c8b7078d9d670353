// The factor of A on a GPU, which stays there from one A to the next and is copied only where A is another.
#pragma once

#include <memory>
#include <vector>

#include "runtime/factor/cuda_factor.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"

namespace proxima::solve {

class CudaKeptFactor {
 public:
  // That of `a`, always of one pattern, as it is now, for solves for up to `worlds` worlds at a time. Throws Error when
  // the GPU has no memory for it.
  const std::shared_ptr<factor::CudaFactor>& of(device::CudaEngine& engine, const Preconditioner& a, int worlds = 1);

 private:
  std::shared_ptr<factor::CudaFactor> factor_;
  int worlds_ = 0;                                   // that it is made for
  std::weak_ptr<const std::vector<double>> copied_;  // the values of A whose factor is there
};

}  // namespace proxima::solve
