// The numeric factor by the multifrontal method: fronts are assembled and factored up the elimination tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/factor/factor.hpp"
#include "runtime/factor/supernodes.hpp"
#include "runtime/factor/tasks.hpp"

namespace proxima::factor {

// Where each entry of the matrix belongs in the fronts.
struct Assembly {
  std::vector<std::int64_t> begin;        // of each supernode, into those below
  std::vector<std::int64_t> source;       // entry of the matrix
  std::vector<std::int32_t> row, column;  // in the front
};

Assembly make_assembly(const SparseSymmetric& pattern, const Supernodes& supernodes);

// The blocks of all supernodes, one after another in the order of the supernodes: offset[s] entries from the start.
struct PanelStore {
  Storage storage = Storage::fp64;
  std::vector<std::int64_t> offset;
  void* values = nullptr;
};

// Returns the pivot at which the matrix is not positive definite (the first of them), or -1.
std::int32_t factor_numerically(std::span<const double> matrix_values, const Supernodes& supernodes,
                                const TaskTree& tasks, const Assembly& assembly, const PanelStore& store);

}  // namespace proxima::factor
