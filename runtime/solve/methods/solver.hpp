// Minimising the incremental potential g of a step: every method behind one call and one table. All have the fixed
// point grad g = 0 and stop by its norm; none accepts a point outside an energy's domain or one with a larger g; all
// are functions of their arguments alone and give the same bits for any number of threads. What a relative tolerance
// means is the business of whoever sets the target (step.hpp).
#pragma once

#include <span>
#include <string_view>

#include "runtime/solve/objective/potential.hpp"

namespace proxima::device {
class CudaVector;
}

namespace proxima::solve {

template <class P>
class BasicDescent;  // descent.hpp
using Descent = BasicDescent<Potential>;
class CudaPotential;  // cuda_potential.hpp

enum class Method {
  automatic,  // automatic.hpp
  newton,     // newton.hpp
  anderson,   // anderson.hpp
  lbfgs,      // lbfgs.hpp
  admm,       // admm.hpp
};

struct SolverSettings {
  Method method = Method::newton;
  int max_newton = 100;       // Newton iterations
  int max_cg = 2000;          // conjugate-gradient iterations of each
  int max_iterations = 5000;  // of the methods whose iterations take one A-solve
  int window = 0;             // earlier iterations that a method remembers; 0: its own default
};

enum class SolverEnd {
  converged,
  rounding,    // cannot be lowered further and is what rounding of positions explains
  iterations,  // as many as the settings allow were not enough
  stuck,       // no step along a descent direction lowers g
};

struct SolverOutcome {
  SolverEnd end = SolverEnd::converged;
  Method finished_by = Method::newton;  // a method may hand over to another
  double gradient = 0;                  // |grad g| reached, N
  int iterations = 0, halvings = 0;
  int a_solves = 0, hessian_products = 0, gradients = 0;  // applications of A^-1 and H, evaluations of grad g
  bool negative_curvature = false;

  // What another minimisation spent on the way.
  void add_work(const SolverOutcome& other);
};

// How a method is called by scenes and the command line, what it is, and what runs it on a point until |grad g| is at
// most the target.
struct MethodEntry {
  Method method;
  std::string_view name, help;
  void (*run)(Descent&, const SolverSettings&);
  void (*run_on_gpu)(BasicDescent<CudaPotential>&, const SolverSettings&);
};
std::span<const MethodEntry> methods();
const MethodEntry& method_entry(Method method);
// Throws Error listing the names where there is none of this name.
Method method_named(std::string_view name);

// Lowers g from x, in place, until |grad g| <= target (N); g(x) must be finite: enter_domain
// (admm.hpp) brings x there.
SolverOutcome minimise(const Potential& potential, const SolverSettings& settings, double target, std::span<double> x);
SolverOutcome minimise(const CudaPotential& potential, const SolverSettings& settings, double target,
                       device::CudaVector& x);

}  // namespace proxima::solve
