// What earlier linear solves tell the next one: the span W of their solutions. Systems that change little from one to
// the next have solutions, and slow modes, that change little, and solutions are made of slow modes. With W^T H W = 1
// - the guess W W^T b is the best in W (Fischer 1998, projection onto previous solutions);
// - conjugate gradients whose directions are kept conjugate to W see H without what W holds (Saad, Yeung, Erhel and
//   Guyomarc'h, "A deflated version of the conjugate gradient algorithm", 2000).
// The solution is that of H z = b whatever W is. The same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/objective.hpp"

namespace proxima::solve {

class RecycledSpace {
 public:
  // Holds at most so many vectors, and as many images.
  explicit RecycledSpace(std::size_t most) : most_(most) {}

  // To W, in the place of what was added first where W is full. 3 scalars a node, zero on held nodes.
  void add(std::span<const double> vector);
  // Makes W orthonormal for H as last linearised: one product a vector. Vectors that depend on newer ones leave, and
  // those along which H is not positive. Before it W is good for nothing else.
  void turn(const Objective& objective);

  // z += W W^T r, r -= H W W^T r: of r = b - H z, after which W^T r = 0.
  void project(std::span<double> r, std::span<double> z) const;
  // s += W (W^T r - (H W)^T s): of a preconditioned residual, after which it is conjugate to W. The first term is zero
  // but for rounding, which without it grows.
  void deflate(std::span<const double> r, std::span<double> s) const;

 private:
  std::size_t most_;
  std::vector<std::vector<double>> vectors_, images_;  // W, newest first, and H W
};

}  // namespace proxima::solve
