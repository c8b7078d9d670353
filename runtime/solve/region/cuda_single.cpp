#include "runtime/solve/region/cuda_single.hpp"

#include <vector>

#include "kernels/kernels.hpp"
#include "runtime/mesh/disjoint_sets.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t block = kernels::vector_block;

// Of each node the first of all that elements connect it to.
std::vector<std::int32_t> origins(std::span<const RegionKernels> regions, std::size_t nodes) {
  mesh::DisjointSets sets(nodes);
  for (const auto& region : regions) {
    if (!sees_differences(region.energy())) continue;
    const device::Tiling& tiling = region.set().tiling();
    const auto node = [&](std::size_t item, int corner) {
      return static_cast<std::size_t>(tiling.nodes[tiling.at(item, corner, tiling.corners)]);
    };
    for (std::size_t item = 0; item < tiling.elements; ++item)
      for (int c = 1; c < tiling.corners; ++c) sets.join(node(item, 0), node(item, c));
  }
  std::vector<std::int32_t> origin;
  origin.reserve(nodes);
  for (std::size_t node = 0; node < nodes; ++node) origin.push_back(static_cast<std::int32_t>(sets.of(node)));
  return origin;
}

device::CudaFunction function_of(const device::CudaAlgebra& algebra, const char* symbol) {
  return algebra.engine().compile_text("single.cu", kernels::asset_single_cu())->function(symbol);
}

}  // namespace

bool sees_differences(const ir::Energy& energy) { return energy.measure != ir::Measure::node_positions; }

CudaSingle::CudaSingle(std::shared_ptr<device::CudaAlgebra> algebra, std::span<const RegionKernels> regions,
                       std::size_t nodes)
    : algebra_(std::move(algebra)),
      narrow_(function_of(*algebra_, "narrow")),
      narrow_positions_(function_of(*algebra_, "narrow_positions")),
      origin_(algebra_->engine().constant(std::as_bytes(std::span<const std::int32_t>(origins(regions, nodes))))) {
  for (auto* array : {&positions_, &previous_, &direction_})
    *array = algebra_->engine().device().allocate(3 * nodes * sizeof(float));
}

void CudaSingle::set_positions(const device::CudaVector& x, const device::CudaVector& previous) {
  const auto count = static_cast<int>(x.size());
  narrow_positions_.each(x.size(), block, positions_, x.array(), *origin_, count);
  narrow_positions_.each(x.size(), block, previous_, previous.array(), *origin_, count);
}

void CudaSingle::set_direction(const device::CudaVector& direction) {
  narrow_.each(direction.size(), block, direction_, direction.array(), static_cast<int>(direction.size()));
}

}  // namespace proxima::solve
