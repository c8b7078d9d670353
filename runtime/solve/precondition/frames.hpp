// How far each node's neighbourhood has turned since rest: the rotation R that best takes the edges at rest to those
// now, the minimiser of sum_j w_ij |x_j - x_i - R (X_j - X_i)|^2 (Kabsch 1976). The weights are the stiffnesses between
// the nodes, so that where stiff meets soft the stiff side is followed: its rotation is what the stiffness is sensitive
// to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/matrix3.hpp"
#include "runtime/solve/precondition/block_matrix.hpp"

namespace proxima::solve {

// Replaces each S (3 x 3, row by row) by the rotation nearest to it: the orthogonal factor of its polar decomposition,
// made proper where S turns inside out; some rotation that agrees with S where its rank is less than two.
void nearest_rotations(std::span<Block> matrices);

class Frames {
 public:
  Frames() = default;
  // `rows`: which nodes are near each other and how stiff the body is between them. `nodes`: the node of each row.
  // `rest`: positions of all nodes, 3 a node. All frames are the axes of space until the first turn.
  Frames(const std::vector<BlockRow>& rows, std::span<const std::int32_t> nodes, std::span<const double> rest);

  // Rotations at positions x, 3 a node.
  void turn(std::span<const double> x);
  // b <- R^T a into the frames, b <- R a out of them; 3 scalars a row, a and b may be the same.
  void enter(std::span<const double> a, std::span<double> b) const;
  void leave(std::span<const double> a, std::span<double> b) const;
  std::size_t bytes() const;

  // The parts, for a GPU (kernels/deflation.cu): where each row's edges begin, and their end; the edges; rotations.
  std::span<const std::int64_t> first() const { return first_; }
  std::span<const kernels::WeighedEdge> edges() const { return edges_; }
  std::span<const Block> rotations() const { return rotations_; }

 private:
  std::vector<std::int32_t> nodes_;
  std::vector<std::int64_t> first_;
  std::vector<kernels::WeighedEdge> edges_;
  std::vector<Block> rotations_;
};

}  // namespace proxima::solve
