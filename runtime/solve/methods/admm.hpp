// Alternating directions: a proximal local step p = prox(F + u) of every element, u += F - p, and a global solve with
// A. Overby et al., ADMM superset projective dynamics, 2017; the proximal step is that of DiffPhD eq. 13. Its points
// are in the energies' domains wherever F is, so it starts from elements that are inside out; with u at P(F)/w it
// begins as the map x -> x - A^-1 grad g(x) and has its fixed point.
#pragma once

#include "runtime/solve/methods/descent.hpp"

namespace proxima::solve {

// From an x where g is not finite to one where it is, in place, counting what that took; true at once where g is
// finite. False when it was not found within `max_iterations`; x is then anywhere. Throws Error naming an energy that
// is not finite at x and has no proximal step.
template <class P>  // Potential, or CudaPotential; the same below
bool enter_domain(const P& potential, int max_iterations, typename P::System::Out x, SolverOutcome& work);

// From an x inside the domain.
template <class P>
class Admm {
 public:
  explicit Admm(BasicDescent<P>& point);

  // One iteration: to the x-update where it lowers g, otherwise along -A^-1 grad g, u set back to P(F)/w. False when g
  // can be lowered no more.
  bool advance();

 private:
  BasicDescent<P>& point_;
  typename P::System::Dual dual_;
  typename P::System::Vector force_, direction_;
};

// Until the target is reached, as MethodEntry::run: Newton ends what alternating directions began.
template <class P>
void run_admm(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
