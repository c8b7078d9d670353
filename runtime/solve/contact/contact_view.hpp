// What contacts, which are found and solved for on the host, see of vectors wherever those are, and how their forces
// get there.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/krylov_basis.hpp"
#include "runtime/solve/objective/copied.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/objective/cuda_watched_nodes.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
class ContactView;

template <>
class ContactView<Objective> {
 public:
  using Seen = std::span<const double>;
  using Basis = contact::KrylovBasis;  // of the vectors that GMRES keeps

  explicit ContactView(const Objective& objective) : objective_(objective) {}

  const Objective& host() const { return objective_; }
  // 3 a node of all nodes; numbers at those that contacts look at. As long as it lives, v must.
  static Seen seen(std::span<const double> v) { return v; }
  // y += what the rule adds, 3 a node of all nodes, on free nodes; y is zero on held ones.
  template <class Rule>
  void add(std::span<double> y, const Rule& rule) const {
    rule(y);
    objective_.clear_held(y);
  }

 private:
  const Objective& objective_;
};

template <>
class ContactView<CudaObjective> {
 public:
  using Seen = SeenVector;
  using Basis = contact::CudaKrylovBasis;

  explicit ContactView(const CudaObjective& objective) : objective_(objective) {}

  const Objective& host() const { return objective_.host(); }
  Seen seen(const device::CudaVector& v) const { return objective_.touching_nodes().seen(v); }
  template <class Rule>
  void add(device::CudaVector& y, const Rule& rule) const {
    objective_.touching_nodes().add_to_free(y, rule);
  }

 private:
  const CudaObjective& objective_;
};

}  // namespace proxima::solve
