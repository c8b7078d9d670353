#include "runtime/solve/contact/contact_operator.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

// Whether any of its entries is none.
template <std::size_t size>
bool any(const std::array<double, size>& block) {
  return std::ranges::any_of(block, [](double entry) { return entry != 0; });
}

}  // namespace

ContactOperator<Objective>::ContactOperator(const Objective& objective, std::span<const model::ContactKey> keys,
                                            std::vector<ContactBlock> blocks)
    : objective_(objective), keys_(keys), blocks_(std::move(blocks)) {}

template <class OfContact>
void ContactOperator<Objective>::add(std::span<double> y, const OfContact& of_contact) const {
  for (std::size_t c = 0; c < keys_.size(); ++c)
    for (std::size_t k = 0; k < keys_[c].nodes.size(); ++k)
      if (const auto node = keys_[c].nodes[k]; node >= 0 && !objective_.held(static_cast<std::size_t>(node)))
        mesh::add_at(y, node, 1, of_contact(c, k));
}

void ContactOperator<Objective>::add_moves(std::span<const double> v, std::span<double> y) const {
  add(y, [&](std::size_t c, std::size_t k) {
    model::Vector3 sum{};
    for (std::size_t l = 0; l < keys_[c].nodes.size(); ++l) {
      if (keys_[c].nodes[l] < 0) continue;
      const auto at = mesh::vector_at(v, keys_[c].nodes[l]);
      const double* const rows = &blocks_[c].by_moves[12 * 3 * k + 3 * l];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) sum[i] += rows[12 * i + j] * at[j];
    }
    return sum;
  });
}

void ContactOperator<Objective>::add_forces(double scale, std::span<const double> forces, std::span<double> y) const {
  add(y, [&](std::size_t c, std::size_t k) {
    model::Vector3 sum{};
    const auto force = mesh::vector_at(forces, c);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) sum[i] += scale * blocks_[c].by_forces[9 * k + 3 * i + j] * force[j];
    return sum;
  });
}

ContactOperator<CudaObjective>::ContactOperator(const CudaObjective& objective, std::span<const model::ContactKey> keys,
                                                const std::vector<ContactBlock>& blocks)
    : add_product_(objective.algebra()
                       .engine()
                       .compile_text("blocks.cu", kernels::asset_blocks_cu())
                       ->function("add_block_product")) {
  std::vector<Entry> moves, forces;
  for (std::size_t c = 0; c < keys.size(); ++c)
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k) {
      const auto node = keys[c].nodes[k];
      if (node < 0 || objective.host().held(static_cast<std::size_t>(node))) continue;
      const auto part = [](const double* rows, std::size_t width) {
        std::array<double, 9> result{};
        for (std::size_t i = 0; i < 9; ++i) result[i] = rows[i / 3 * width + i % 3];
        return result;
      };
      for (std::size_t l = 0; l < keys[c].nodes.size(); ++l) {
        if (keys[c].nodes[l] < 0) continue;
        const auto block = part(&blocks[c].by_moves[12 * 3 * k + 3 * l], 12);
        if (any(block)) moves.push_back({node, keys[c].nodes[l], block});
      }
      const auto block = part(&blocks[c].by_forces[9 * k], 3);
      if (any(block)) forces.push_back({node, static_cast<std::int32_t>(c), block});
    }
  moves_ = matrix_of(objective, std::move(moves));
  forces_ = matrix_of(objective, std::move(forces));
}

auto ContactOperator<CudaObjective>::matrix_of(const CudaObjective& objective, std::vector<Entry> entries) const
    -> Matrix {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::tuple(entry.row, entry.column); });
  std::vector<std::int32_t> rows, first, columns;
  std::vector<std::array<double, 9>> blocks;
  for (const Entry& entry : entries) {
    const bool new_row = rows.empty() || rows.back() != entry.row;
    if (new_row) {
      rows.push_back(entry.row);
      first.push_back(static_cast<std::int32_t>(columns.size()));
    }
    if (new_row || columns.back() != entry.column) {
      columns.push_back(entry.column);
      blocks.push_back(entry.block);
      continue;
    }
    for (std::size_t i = 0; i < 9; ++i) blocks.back()[i] += entry.block[i];
  }
  first.push_back(static_cast<std::int32_t>(columns.size()));
  device::CudaEngine& engine = objective.algebra().engine();
  return {device::uploaded(engine, rows), device::uploaded(engine, first), device::uploaded(engine, columns),
          device::uploaded(engine, blocks), rows.size()};
}

void ContactOperator<CudaObjective>::add(const Matrix& matrix, double scale, const device::CudaVector& v,
                                         device::CudaVector& y) const {
  if (matrix.size == 0 || y.size() == 0) return;
  add_product_.each(3 * matrix.size, kernels::vector_block, y.array(), scale, matrix.rows, matrix.first, matrix.columns,
                    matrix.blocks, v.array(), static_cast<int>(3 * matrix.size));
}

}  // namespace proxima::solve
