#include "runtime/solve/objective/cuda_cg_recurrence.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t sum_block = kernels::sum_block, block = kernels::vector_block;

}  // namespace

// What the host looks at of a CgState of kernels/conjugate_gradients.cu, which is longer by three doubles.
struct CgRecurrence<CudaObjective>::Numbers {
  double start, residual;
  std::int32_t iterations, end;
};

CudaCg::CudaCg(device::CudaEngine& engine)
    : CudaCg(*engine.compile_text("conjugate_gradients.cu", kernels::conjugate_gradients_text())) {}

CudaCg::CudaCg(const device::CudaModule& module)
    : dot(module.function("dot")),
      begin_solve(module.function("begin_solve")),
      find_direction(module.function("find_direction")),
      set_direction(module.function("set_direction")),
      find_step(module.function("find_step")),
      descend(module.function("descend")),
      end_iteration(module.function("end_iteration")),
      clear_after_end(module.function("clear_after_end")) {}

CgRecurrence<CudaObjective>::CgRecurrence(const CudaObjective& system)
    : cg_(&system.conjugate_gradients()),
      ahead_(&system.algebra_of_vectors()->ahead),
      count_(static_cast<int>(system.size())),
      blocks_((count_ + kernels::sum_chunk - 1) / kernels::sum_chunk),
      numbers_(ahead_->device->allocate(sizeof(Numbers) + 3 * sizeof(double))),
      partial_(ahead_->device->allocate(static_cast<std::size_t>(blocks_) * sizeof(double))) {}

template <class... Arguments>
void CgRecurrence<CudaObjective>::by_dot(In a, In b, const device::CudaFunction& kernel,
                                         const Arguments&... arguments) {
  cg_->dot(static_cast<std::size_t>(blocks_), sum_block, partial_, a.array(), b.array(), count_);
  kernel(1, sum_block, numbers_, partial_, blocks_, arguments...);
}

void CgRecurrence<CudaObjective>::begin(In r, double tolerance) {
  tolerance_ = tolerance;
  by_dot(r, r, cg_->begin_solve, tolerance);
}

void CgRecurrence<CudaObjective>::set_direction(In r, In s, Out p) {
  by_dot(r, s, cg_->find_direction);
  cg_->set_direction.each(p.size(), block, p.array(), s.array(), numbers_, count_);
}

void CgRecurrence<CudaObjective>::descend(In p, In q, Out z, Out r) {
  by_dot(p, q, cg_->find_step);
  cg_->descend(static_cast<std::size_t>(blocks_), sum_block, z.array(), r.array(), partial_, p.array(), q.array(),
               numbers_, count_);
  cg_->end_iteration(1, sum_block, numbers_, partial_, blocks_);
}

void CgRecurrence<CudaObjective>::measure(In r) { by_dot(r, r, cg_->end_iteration); }

void CgRecurrence<CudaObjective>::clear_after_end(Out y) {
  cg_->clear_after_end.each(y.size(), block, y.array(), numbers_, static_cast<int>(y.size()));
}

CgRecurrence<CudaObjective>::Numbers CgRecurrence<CudaObjective>::look() const {
  Numbers numbers;
  numbers_.read(std::as_writable_bytes(std::span(&numbers, 1)));
  return numbers;
}

CgOutcome CgRecurrence<CudaObjective>::repeat(const std::function<void()>& iteration, int most, bool queued) {
  device::CudaRepeated again(*ahead_, iteration, queued);
  int asked = 0;
  Numbers now{.start = 0, .residual = 0, .iterations = 0, .end = 0};
  do {
    const int next = asked == 0 ? 1 : again.next(now.start, now.residual, tolerance_, now.iterations);
    for (const int end = std::min(asked + next, most); asked < end; ++asked) again();
    now = look();
  } while (now.end == 0 && asked < most);
  return {now.iterations, now.residual, now.end == 2};
}

}  // namespace proxima::solve
