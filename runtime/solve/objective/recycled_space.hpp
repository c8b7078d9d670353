// What earlier linear solves tell the next one: the span W of their solutions. Systems that change little from one to
// the next have solutions, and slow modes, that change little, and solutions are made of slow modes. With W^T H W = 1
// - the guess W W^T b is the best in W (Fischer 1998, projection onto previous solutions);
// - conjugate gradients whose directions are kept conjugate to W see H without what W holds (Saad, Yeung, Erhel and
//   Guyomarc'h, "A deflated version of the conjugate gradient algorithm", 2000).
// The solution is that of H z = b whatever W is. The same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
class BasicRecycledSpace {
  using In = typename System::In;
  using Out = typename System::Out;
  using Vector = typename System::Vector;

 public:
  // Holds at most so many vectors, and as many images.
  explicit BasicRecycledSpace(std::size_t most) : most_(most) {}

  // To W, in the place of what was added first where W is full. 3 scalars a node, zero on held nodes.
  void add(In vector, const System& system);
  // Makes W orthonormal for H as last linearised: one product a vector. Vectors that depend on newer ones leave, and
  // those along which H is not positive. Before it W is good for nothing else.
  void turn(const System& system);

  // z += W W^T r, r -= H W W^T r: of r = b - H z, after which W^T r = 0.
  void project(Out r, Out z) const;
  // s += W (W^T r - (H W)^T s): of a preconditioned residual, after which it is conjugate to W. The first term is zero
  // but for rounding, which without it grows.
  void deflate(In r, Out s) const;

 private:
  std::size_t most_;
  std::vector<Vector> vectors_, images_;  // W, newest first, and H W
};
using RecycledSpace = BasicRecycledSpace<Objective>;

}  // namespace proxima::solve
