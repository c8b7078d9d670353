// The matrix of projective dynamics over the free nodes, A = diag(m)/h^2 + sum_e w_e V_e G_e^T G_e, and its factor.
// Held nodes are eliminated: they have no row. Used only as a preconditioner, so it need not follow every change of a
// weight.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "runtime/factor/factor.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::solve {

class Preconditioner {
 public:
  // `held`: one flag a node.
  Preconditioner(const mesh::TetMesh& mesh, const std::vector<char>& held, factor::Storage storage);

  // Assembles and factors. `diagonal`: m/h^2, one a node, kg/s^2; `weights`: w, one a tet, Pa. Throws Error when A is
  // not positive definite, naming the node.
  void build(std::span<const double> diagonal, std::span<const double> weights);

  // z <- A^-1 r on free nodes, zero on held ones; 3 scalars a node.
  void apply(std::span<const double> r, std::span<double> z) const;

  // The diagonal of A, one a node; zero on held nodes.
  std::span<const double> diagonal() const { return diagonal_; }
  const factor::FactorStatistics& statistics() const { return factor_->statistics(); }

 private:
  std::vector<std::int32_t> free_;                  // node of each row
  std::vector<std::array<double, 10>> stiffness_;   // V G^T G of each tet, lower triangle by rows, m
  std::vector<std::array<std::int64_t, 10>> slot_;  // where it goes in the matrix, -1 where a node is held
  factor::SparseSymmetric matrix_;
  std::optional<factor::SupernodalCholesky> factor_;
  std::vector<double> diagonal_;
  mutable std::vector<double> compact_;  // right-hand side and solution in the numbering of the rows
};

}  // namespace proxima::solve
