#include "runtime/solve/precondition/cuda_kept_factor.hpp"

namespace proxima::solve {

const std::shared_ptr<factor::CudaFactor>& CudaKeptFactor::of(device::CudaEngine& engine, const Preconditioner& a,
                                                              int worlds) {
  if (worlds_ < worlds) {
    factor_ = std::make_shared<factor::CudaFactor>(engine, a.factor(), worlds);
    worlds_ = worlds;
    copied_.reset();
  }
  if (const auto copied = copied_.lock(); copied == nullptr || copied != a.factored()) {
    factor_->copy(a.factor());
    copied_ = a.factored();
  }
  return factor_;
}

}  // namespace proxima::solve
