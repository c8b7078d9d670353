#include "runtime/solve/contact/penalty_forces.hpp"

#include <vector>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::solve {
namespace {

std::vector<CudaBlockRows::Entry> entries_of(const PenaltyCoupling& coupling) {
  std::vector<CudaBlockRows::Entry> result;
  for (const std::size_t c : coupling.active()) {
    auto& entry = result.emplace_back(
        CudaBlockRows::Entry{static_cast<std::int32_t>(result.size()), static_cast<std::int32_t>(c), {}});
    for (std::size_t i = 0; i < 9; ++i) entry.block[i] = coupling.blocks()[c][i / 3][i % 3];
  }
  return result;
}

}  // namespace

PenaltyForces<CudaObjective>::PenaltyForces(const CudaObjective& objective, const PenaltyCoupling& coupling)
    : objective_(objective),
      blocks_(objective.algebra(), entries_of(coupling)),
      lu_(objective.algebra_of_vectors(), coupling.decomposed()),
      active_(device::uploaded_own(objective.algebra().engine(),
                                   std::vector<std::int32_t>(coupling.active().begin(), coupling.active().end()))),
      of_active_(objective.algebra_of_vectors(), 3 * coupling.active().size()) {}

// (1 + K D)^-1 K u of those that answer.
void PenaltyForces<CudaObjective>::operator()(const device::CudaVector& u, device::CudaVector& forces) {
  device::set_zero(of_active_);
  blocks_.add(1, u, of_active_);
  lu_.solve(of_active_);
  device::set_zero(forces);
  objective_.algebra().rows_to_nodes.each(of_active_.size(), kernels::vector_block, forces.array(), of_active_.array(),
                                          active_, static_cast<int>(of_active_.size()));
}

}  // namespace proxima::solve
