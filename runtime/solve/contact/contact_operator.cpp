#include "runtime/solve/contact/contact_operator.hpp"

#include <algorithm>
#include <utility>

#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

// Whether any of its entries is none.
template <std::size_t size>
bool any(const std::array<double, size>& block) {
  return std::ranges::any_of(block, [](double entry) { return entry != 0; });
}

using Entry = CudaBlockRows::Entry;

void add_entry(std::int32_t row, std::int32_t column, const double* rows, std::size_t width,
               std::vector<Entry>& entries) {
  Entry entry{row, column, {}};
  for (std::size_t i = 0; i < 9; ++i) entry.block[i] = rows[i / 3 * width + i % 3];
  if (any(entry.block)) entries.push_back(entry);
}

// Those of node k of contact c.
void move_entries(const model::ContactKey& key, const ContactBlock& block, std::size_t, std::size_t k,
                  std::vector<Entry>& entries) {
  for (std::size_t l = 0; l < key.nodes.size(); ++l)
    if (key.nodes[l] >= 0) add_entry(key.nodes[k], key.nodes[l], &block.by_moves[12 * 3 * k + 3 * l], 12, entries);
}
void force_entries(const model::ContactKey& key, const ContactBlock& block, std::size_t c, std::size_t k,
                   std::vector<Entry>& entries) {
  add_entry(key.nodes[k], static_cast<std::int32_t>(c), &block.by_forces[9 * k], 3, entries);
}

std::vector<Entry> entries_of(const CudaObjective& objective, std::span<const model::ContactKey> keys,
                              const std::vector<ContactBlock>& blocks, decltype(&move_entries) add) {
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < keys.size(); ++c)
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k)
      if (const auto node = keys[c].nodes[k]; node >= 0 && !objective.host().held(static_cast<std::size_t>(node)))
        add(keys[c], blocks[c], c, k, entries);
  return entries;
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
    : moves_(objective.algebra(), entries_of(objective, keys, blocks, &move_entries)),
      forces_(objective.algebra(), entries_of(objective, keys, blocks, &force_entries)) {}

}  // namespace proxima::solve
