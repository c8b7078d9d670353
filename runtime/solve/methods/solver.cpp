#include "runtime/solve/methods/solver.hpp"

#include <algorithm>
#include <string>

#include "compiler/support/error.hpp"
#include "runtime/solve/methods/admm.hpp"
#include "runtime/solve/methods/anderson.hpp"
#include "runtime/solve/methods/automatic.hpp"
#include "runtime/solve/methods/descent.hpp"
#include "runtime/solve/methods/lbfgs.hpp"
#include "runtime/solve/methods/newton.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {
namespace {

constexpr MethodEntry table[] = {
    {Method::automatic, "auto", "L-BFGS until it slows down or is near, then newton", run_automatic, run_automatic},
    {Method::newton, "newton", "inexact Newton: CG on the exact Hessian, preconditioned by A", run_newton, run_newton},
    {Method::anderson, "anderson", "local-global iteration with safeguarded Anderson acceleration", run_anderson,
     run_anderson},
    {Method::lbfgs, "lbfgs", "L-BFGS with A as its first metric", run_lbfgs, run_lbfgs},
    {Method::admm, "admm", "alternating directions with proximal local steps, then newton", run_admm, run_admm},
};

}  // namespace

void SolverOutcome::add_work(const SolverOutcome& other) {
  halvings += other.halvings;
  a_solves += other.a_solves;
  hessian_products += other.hessian_products;
  gradients += other.gradients;
}

std::span<const MethodEntry> methods() { return table; }

const MethodEntry& method_entry(Method method) {
  return *std::find_if(std::begin(table), std::end(table), [&](const auto& entry) { return entry.method == method; });
}

Method method_named(std::string_view name) {
  std::string names;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  fail("there is no solver '{}'; there are {}", name, names);
}

SolverOutcome minimise(const Potential& potential, const SolverSettings& settings, double target, std::span<double> x) {
  Descent point(potential, target, x);
  method_entry(settings.method).run(point, settings);
  return point.outcome();
}

SolverOutcome minimise(const CudaPotential& potential, const SolverSettings& settings, double target,
                       device::CudaVector& x) {
  BasicDescent<CudaPotential> point(potential, target, x);
  method_entry(settings.method).run_on_gpu(point, settings);
  return point.outcome();
}

}  // namespace proxima::solve
