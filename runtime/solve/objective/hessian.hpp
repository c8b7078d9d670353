// The Hessian H of what a step minimises, as a sparse matrix over the free nodes: what products with it cost does not
// depend on the energy, so that it pays to compute it once for the many products of one linear solve.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/precondition/block_matrix.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"
#include "runtime/solve/region/region_assembly.hpp"

namespace proxima::solve {

class Hessian {
 public:
  // Rows are those of A, and its pattern is that of A.
  Hessian(const std::vector<RegionKernels>& regions, const Preconditioner& a, std::size_t nodes);

  // At x with what the regions see of the step entered. `inertia`: one a node, kg/s^2.
  void assemble(std::vector<RegionKernels>& regions, std::span<const double> x, std::span<const double> inertia);
  // y <- H v, 3 a node, zero on held nodes.
  void multiply(const Preconditioner& a, std::span<const double> v, std::span<double> y);
  // As rows of blocks.
  std::vector<BlockRow> rows() const;
  std::size_t bytes() const;

 private:
  std::vector<std::vector<std::int32_t>> columns_;
  std::vector<std::int32_t> nodes_;    // of each row
  std::vector<std::size_t> diagonal_;  // its slot in each row
  BlockMatrix<double> matrix_;
  std::vector<RegionAssembly> regions_;
  std::vector<double> direction_, image_;  // 3 a row
};

}  // namespace proxima::solve
