// A preconditioner for the exact Hessian H(x) around one application of A^-1. A penalises rotations and, where nu is
// near 1/2, all shear as hard as a change of volume; H does not. What A misses is made up by the Hessian K at rest,
// turned with the body: with R(x) the rotation of each node's neighbourhood (frames.hpp),
//   H(x) ~ R K R^T,   M = R [ symmetric two-level cycle for K: Chebyshev, omega R^T A^-1 R, Chebyshev;
//                             plus Z diag(1/theta) Z^T of the slowest modes Z of K under that cycle ] R^T.
// K is assembled once for each factor of A, and kept in fp32; at a state only R is new. M is
// symmetric positive definite at every state, so conjugate gradients and MINRES find what they would find with A.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/precondition/block_matrix.hpp"
#include "runtime/solve/precondition/chebyshev_smoother.hpp"
#include "runtime/solve/precondition/frames.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"
#include "runtime/solve/precondition/slow_modes.hpp"

namespace proxima::solve {

class Deflation {
 public:
  // `rows`: K on the free nodes in the order of the rows of A. `rest`: 3 a node, all nodes. Keeps at most `vectors`
  // slow modes.
  Deflation(const Preconditioner& a, std::span<const double> rest, const std::vector<BlockRow>& rows, int vectors);

  // False where the Hessian at rest is not finite.
  bool usable() const { return usable_; }
  // Turns K to positions x, 3 a node.
  void turn(std::span<const double> x) { frames_.turn(x); }
  // z <- M r with one application of A^-1; 3 a node, zero on held nodes.
  void apply(const Preconditioner& a, std::span<const double> r, std::span<double> z);

  std::size_t bytes() const;

  // The parts, for a GPU (cuda_deflation.hpp).
  const BlockMatrix<float>& matrix() const { return matrix_; }  // K
  const Frames& frames() const { return frames_; }
  const ChebyshevSmoother& smoother() const { return smoother_; }
  const SlowModes& modes() const { return modes_; }
  double omega() const { return omega_; }

 private:
  struct Parts;
  // z <- the two-level cycle applied to r, without the slow modes; both in the frames.
  void cycle(const Preconditioner& a, std::span<const double> r, std::span<double> z);

  bool usable_ = false;
  double omega_ = 1;
  BlockMatrix<float> matrix_;
  Frames frames_;
  ChebyshevSmoother smoother_;
  SlowModes modes_;
  std::vector<double> right_, solution_, residual_, correction_;
};

}  // namespace proxima::solve
