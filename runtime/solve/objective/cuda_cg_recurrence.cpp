#include "runtime/solve/objective/cuda_cg_recurrence.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_lane.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t sum_block = kernels::sum_block, block = kernels::vector_block;

}  // namespace

// What the host looks at of a CgState of kernels/conjugate_gradients.cu, which is longer by three doubles.
struct CgRecurrence<CudaObjective>::Numbers {
  double start, residual;
  std::int32_t iterations, end;

  // A share of the iterations that are left if |r| goes on falling as it did, or as many again where it does not: who
  // waits for a number leaves the GPU idle for a moment, who queues too many has it do an iteration for nothing.
  double ahead(double tolerance) const {
    constexpr double share = 0.75;
    const double fall = std::log(start / residual) / iterations;
    return fall > 0 ? share * std::log(residual / tolerance) / fall : iterations;
  }
};

CudaCg::CudaCg(device::CudaEngine& engine)
    : CudaCg(engine, *engine.compile_text("conjugate_gradients.cu", kernels::conjugate_gradients_text())) {}

CudaCg::CudaCg(device::CudaEngine& engine, const device::CudaModule& module)
    : dot(module.function("dot")),
      begin_solve(module.function("begin_solve")),
      find_direction(module.function("find_direction")),
      set_direction(module.function("set_direction")),
      find_step(module.function("find_step")),
      descend(module.function("descend")),
      end_iteration(module.function("end_iteration")),
      graphs(engine.device().shared_from_this()) {}

CgRecurrence<CudaObjective>::CgRecurrence(const CudaObjective& system)
    : cg_(&system.conjugate_gradients()),
      engine_(&system.algebra().engine()),
      count_(static_cast<int>(system.size())),
      blocks_((count_ + kernels::sum_chunk - 1) / kernels::sum_chunk),
      numbers_(engine_->device().allocate(sizeof(Numbers) + 3 * sizeof(double))),
      partial_(engine_->device().allocate(static_cast<std::size_t>(blocks_) * sizeof(double))) {}

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

CgRecurrence<CudaObjective>::Numbers CgRecurrence<CudaObjective>::look() const {
  Numbers numbers;
  numbers_.read(std::as_writable_bytes(std::span(&numbers, 1)));
  return numbers;
}

// The first iteration is queued launch by launch: it brings what kernels need to the GPU and finds the memory.
CgOutcome CgRecurrence<CudaObjective>::repeat(const std::function<void()>& iteration, int most) {
  const bool in_lane = device::CudaLane::of(engine_->device()) != nullptr, with_graphs = cg_->with_graphs && !in_lane;
  const int most_ahead = in_lane ? 1 : cg_->most_ahead;
  const device::CudaGraph* graph = nullptr;
  if (most > 0) iteration();
  int queued = std::min(most, 1);
  Numbers now = look();
  while (now.end == 0 && queued < most) {
    const int next =
        std::min(most - queued, static_cast<int>(std::clamp(now.ahead(tolerance_), 1.0, double(most_ahead))));
    if (with_graphs && graph == nullptr) graph = &cg_->graphs.record(iteration);
    for (int k = 0; k < next; ++k)
      if (graph != nullptr)
        graph->launch();
      else
        iteration();
    queued += next;
    now = look();
  }
  return {now.iterations, now.residual, now.end == 2};
}

}  // namespace proxima::solve
