#include "runtime/solve/contact/penalty_forces.hpp"

#include <numeric>
#include <vector>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t block = kernels::vector_block;

}  // namespace

PenaltyForces<CudaObjective>::PenaltyForces(const CudaObjective& objective, const PenaltyCoupling& coupling)
    : objective_(objective),
      add_product_(objective.algebra()
                       .engine()
                       .compile_text("blocks.cu", kernels::asset_blocks_cu())
                       ->function("add_block_product")),
      lu_(objective.algebra_of_vectors(), coupling.decomposed()),
      of_active_(objective.algebra_of_vectors(), 3 * coupling.active().size()) {
  const std::vector<std::int32_t> active(coupling.active().begin(), coupling.active().end());
  std::vector<std::int32_t> rows(active.size()), first(active.size() + 1);
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(first.begin(), first.end(), 0);
  std::vector<PenaltyCoupling::Block> blocks;
  for (const std::size_t c : coupling.active()) blocks.push_back(coupling.blocks()[c]);
  device::CudaEngine& engine = objective.algebra().engine();
  rows_ = device::uploaded(engine, rows);
  first_ = device::uploaded(engine, first);
  active_ = device::uploaded(engine, active);
  blocks_ = device::uploaded(engine, blocks);
}

// (1 + K D)^-1 K u of those that answer.
void PenaltyForces<CudaObjective>::operator()(const device::CudaVector& u, device::CudaVector& forces) {
  const auto count = static_cast<int>(of_active_.size());
  device::set_zero(of_active_);
  add_product_.each(of_active_.size(), block, of_active_.array(), 1.0, rows_, first_, active_, blocks_, u.array(),
                    count);
  lu_.solve(of_active_);
  device::set_zero(forces);
  objective_.algebra().rows_to_nodes.each(of_active_.size(), block, forces.array(), of_active_.array(), active_, count);
}

}  // namespace proxima::solve
