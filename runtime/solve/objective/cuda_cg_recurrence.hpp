// The numbers of conjugate gradients on a GPU: they stay there, and what vectors become by them is queued by kernels
// that read them there (kernels/conjugate_gradients.cu). Iterations are queued ahead of what is known of their need, as
// a CUDA graph each (device::CudaAhead); those after the end change nothing, so that results do not depend on how many
// there are.
#pragma once

#include <functional>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/objective/cg_recurrence.hpp"

namespace proxima::solve {

class CudaObjective;

// What all solves with one objective have in common.
struct CudaCg {
  explicit CudaCg(device::CudaEngine& engine);

  device::CudaFunction dot, begin_solve, find_direction, set_direction, find_step, descend, end_iteration,
      clear_after_end;

 private:
  explicit CudaCg(const device::CudaModule& module);
};

// As on the host.
template <>
class CgRecurrence<CudaObjective> {
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;

 public:
  explicit CgRecurrence(const CudaObjective& system);

  // Queued.
  void begin(In r, double tolerance);
  void set_direction(In r, In s, Out p);
  void descend(In p, In q, Out z, Out r);
  void measure(In r);
  void clear_after_end(Out y);
  // Waits for numbers now and then. `queued`: of the iteration, as of device::CudaRepeated.
  CgOutcome repeat(const std::function<void()>& iteration, int most, bool queued = true);

 private:
  struct Numbers;
  // Queues the product of two vectors and what a kernel of one block makes of it.
  template <class... Arguments>
  void by_dot(In a, In b, const device::CudaFunction& kernel, const Arguments&... arguments);
  Numbers look() const;

  CudaCg* cg_;
  device::CudaAhead* ahead_;
  int count_, blocks_;
  double tolerance_ = 0;
  device::CudaArray numbers_, partial_;
};

}  // namespace proxima::solve
