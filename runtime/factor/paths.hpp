// Sparse columns of L^-1: the column of one row has values only at the pivots from its own up to the root of the
// elimination tree (its path), so it costs no more than the supernodes on that path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/device/aligned.hpp"
#include "runtime/factor/kernels.hpp"
#include "runtime/factor/numeric.hpp"
#include "runtime/factor/supernodes.hpp"

namespace proxima::factor {

// A column's values lie one after another in the order of their pivots. Two columns share the upper part of their
// paths, so the last shared(a, b) values of both belong to the same pivots, and to no other pivot do both have a value.
// Keeps references to what it is made from.
class Paths {
 public:
  Paths(const Supernodes& supernodes, const PanelStore& store);

  std::int32_t pivot(std::int32_t row) const { return pivot_[static_cast<std::size_t>(row)]; }
  std::int32_t size(std::int32_t row) const;  // values of the row's column
  std::int32_t shared(std::int32_t row, std::int32_t other) const;
  // Adds the runs of pivots of the row's column, increasing.
  void append_runs(std::int32_t row, std::vector<PivotRun>& runs) const;

  // The columns L^-1 P e_row of up to three rows at once, the values of rows[c] from values[c] on. A column's bits do
  // not depend on the others.
  class Workspace {
   public:
    explicit Workspace(const Paths& paths);

   private:
    friend class Paths;
    device::AlignedVector<double> vector;  // zero between calls; 3 a pivot
    device::AlignedVector<double> rows;
  };
  void columns(std::span<const std::int32_t> rows, std::span<double* const> values, Workspace& workspace) const;

 private:
  std::int32_t supernode_of_row(std::int32_t row) const;

  const Supernodes& supernodes_;
  const PanelStore& store_;
  const SweepKernels& kernels_ = kernels().sweep;
  std::vector<std::int32_t> pivot_;        // of a row
  std::vector<std::int32_t> supernode_;    // of a pivot
  std::vector<std::int32_t> path_size_;    // pivots from a supernode's first to the root, on its path
  std::vector<std::int32_t> first_below_;  // supernodes first_below_[s] .. s are the subtree of s
  std::int32_t most_rows_ = 0;             // of a supernode
};

}  // namespace proxima::factor
