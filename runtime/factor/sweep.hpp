// The two sweeps of a solve over the task tree, together or each on its own, with three right-hand sides, or with three
// for each of several worlds: what is read of a supernode for one of them is in the cache for the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/factor/kernels.hpp"
#include "runtime/factor/numeric.hpp"
#include "runtime/factor/supernodes.hpp"
#include "runtime/factor/tasks.hpp"

namespace proxima::factor {

// Keeps references to what it is made from.
class Sweep {
 public:
  Sweep(const Supernodes& supernodes, const TaskTree& tree, const PanelStore& store);

  std::size_t workspace_doubles() const { return static_cast<std::size_t>(workspace_); }

  // The vectors of one world, interleaved: a solve makes x <- A^-1 b; b and x may be the same. `workspace` is aligned
  // to 64 bytes; its contents do not matter.
  struct World {
    const double* b = nullptr;
    double* x = nullptr;
    double* workspace = nullptr;
  };
  // Each world gets the bits that it gets alone.
  void solve(std::span<const World> worlds) const;
  // y <- L^-1 P b and x <- P^T L^-T y, y by pivots. No two of b, x and y may be the same.
  void solve_lower(std::span<const double> b, std::span<double> y, double* workspace) const;
  void solve_upper(std::span<const double> y, std::span<double> x, double* workspace) const;

 private:
  // Where a task's working memory begins: the values of its pivots and border, interleaved, and room for the rows of
  // its largest supernode.
  struct Place {
    std::int64_t vector = 0, rows = 0;
  };

  void forward(std::int32_t task, std::span<const World> worlds) const;
  void backward(std::int32_t task, std::span<const World> worlds) const;
  void take_right_hand_side(const Task& task, const World& world, double* vector) const;
  PanelView panel(std::int32_t supernode) const;
  double* own_values(std::int32_t task, double* workspace) const;

  const Supernodes& supernodes_;
  const TaskTree& tree_;
  const PanelStore& store_;
  const SweepKernels& kernels_ = kernels().sweep;
  std::vector<Place> places_;
  std::int64_t workspace_ = 0;
};

}  // namespace proxima::factor
