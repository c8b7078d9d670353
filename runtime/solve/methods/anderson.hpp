// Local-global iteration of projective dynamics with safeguarded Anderson acceleration. The map is x -> x + f(x),
// f = -A^-1 grad g: what a local step p = F - P(F)/w of every element (explicit_ in derive/local_step.hpp) and a global
// solve with A make of x, for any energy. Type II, bounded window, Tikhonov regularisation, guard on the coefficients:
// Anderson 1965; Walker and Ni 2011; DiffPhD eqs. 18-21. Its second gate (eq. 22) is what all methods stop by here,
// the gradient, of which f is the image: a small step alone ends nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/solve/methods/cuda_mixing_columns.hpp"
#include "runtime/solve/methods/descent.hpp"

namespace proxima::solve {

// The coefficients gamma that make |f - sum gamma_i df_i|^2 + regularisation |gamma|^2 least, from the Gram matrix of
// the columns df (n x n) and <df_i, f>. Empty where they are not to be trusted: not finite, or larger than an
// extrapolation by differences of a nearly linear map can be.
std::vector<double> mixing_coefficients(std::span<const double> gram, std::span<const double> projections);

// What mixing makes of the points that it is shown, x and f(x). Its safeguards are the caller's.
template <class System>  // Objective, or CudaObjective
class BasicMixing {
 public:
  using Vector = typename System::Vector;
  using In = typename System::In;
  explicit BasicMixing(int window) : columns_(window) {}

  // From x to the mixed point; none where there is nothing to mix.
  std::optional<Vector> direction(In x, In f);
  // Forgets the differences, not the last point.
  void drop();
  // Forgets all.
  void clear();

 private:
  struct Point {
    Vector x, f;
  };
  // The Gram matrix of the columns, of which `dropped` of the oldest are gone, with the row of the newest.
  void extend_gram(std::size_t dropped, const std::vector<double>& newest);

  MixingColumns<System> columns_;
  std::vector<double> gram_;  // of the residual differences, row by row
  std::optional<Point> last_;
};
using Mixing = BasicMixing<Objective>;

template <class P>  // Potential, or CudaPotential
class Anderson {
 public:
  static constexpr int default_window = 5;

  Anderson(BasicDescent<P>& point, int window);

  // One iteration: the extrapolated point where it lowers g enough, otherwise along f, the history dropped. False when
  // g can be lowered no more.
  bool advance();

 private:
  BasicDescent<P>& point_;
  BasicMixing<typename P::System> mixing_;
  typename P::System::Vector residual_;
};

// Until the target is reached, as MethodEntry::run.
template <class P>
void run_anderson(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
