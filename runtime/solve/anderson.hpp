// Local-global iteration of projective dynamics with safeguarded Anderson acceleration. The map is x -> x + f(x),
// f = -A^-1 grad g: what a local step p = F - P(F)/w of every element (explicit_ in derive/local_step.hpp) and a global
// solve with A make of x, for any energy. Type II, bounded window, Tikhonov regularisation, guard on the coefficients:
// Anderson 1965; Walker and Ni 2011; DiffPhD eqs. 18-21. Its second gate (eq. 22) is what all methods stop by here,
// the gradient, of which f is the image: a small step alone ends nothing.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/descent.hpp"

namespace proxima::solve {

// The coefficients gamma that make |f - sum gamma_i df_i|^2 + regularisation |gamma|^2 least, from the Gram matrix of
// the columns df (n x n) and <df_i, f>. Empty where they are not to be trusted: not finite, or larger than an
// extrapolation by differences of a nearly linear map can be.
std::vector<double> mixing_coefficients(std::span<const double> gram, std::span<const double> projections);

class Anderson {
 public:
  static constexpr int default_window = 5;

  Anderson(Descent& point, int window);

  // One iteration: the extrapolated point where it lowers g enough, otherwise along f, the history dropped. False when
  // g can be lowered no more.
  bool advance();

 private:
  struct Column {
    std::vector<double> residual, image;  // differences of f and of x + f
  };
  void remember_difference();
  void extrapolate(std::span<const double> coefficients);

  Descent& point_;
  std::size_t window_;
  std::vector<Column> columns_;  // oldest first
  std::vector<double> gram_;     // of the residual differences, row by row
  bool started_ = false;
  std::vector<double> residual_, last_residual_, last_x_, direction_;
};

// Until the target is reached, as MethodEntry::run.
void run_anderson(Descent& point, const SolverSettings& settings);

}  // namespace proxima::solve
