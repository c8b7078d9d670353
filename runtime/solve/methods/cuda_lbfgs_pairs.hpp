// The pairs of L-BFGS on a GPU, and what the two loops over them do, with numbers that stay there
// (kernels/krylov.cu): nobody waits for any.
#pragma once

#include "runtime/solve/methods/lbfgs_pairs.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

struct CudaLbfgsPair {
  device::CudaVector step, change, image{};
  device::CudaArray products{};  // of the change with the pair's own step and those of older pairs, newest first
};

template <>
class LbfgsPairs<CudaObjective> : public KeptPairs<CudaLbfgsPair> {
 public:
  using Vector = device::CudaVector;
  using Pair = CudaLbfgsPair;
  using KeptPairs<Pair>::KeptPairs;

  // As on the host; waits for the numbers where they are not known.
  void add(Pair pair, const std::optional<PairNumbers>& known = {});

  // Queued.
  void take_shares(Vector& left);
  void take_images(Vector& result) const;
  void give_shares(Vector& result);

 private:
  void prepare(const device::CudaAlgebra& algebra);
  void list();
  static PairNumbers numbers_of(const Pair& pair);
  // The addresses of one of each pair.
  enum class Column { step, change, products, image };
  std::uint64_t column(Column which) const;

  std::size_t listed_ = 0;                      // pairs that the table is of
  device::CudaArray table_, shares_, factors_;  // columns of addresses, newest first; a number each
};

}  // namespace proxima::solve
