// The matrix of projective dynamics over the free nodes, A = diag(m)/h^2 + sum_e w_e K_e, and its factor. K_e is the
// element's Laplacian: the sum over its quadrature points of V G^T G for solids and membranes; of edges 1 -1 / -1 1; of
// stencils of N nodes the unit matrix less 1/N (the unit matrix for a point). Held nodes are eliminated: they have no
// row. Used only as a preconditioner, so it need not follow every change of a weight.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/factor/delassus.hpp"
#include "runtime/factor/factor.hpp"
#include "runtime/mesh/elements.hpp"
#include "runtime/solve/precondition/shared_solve.hpp"

namespace proxima::solve {

class Preconditioner {
 public:
  struct Part {
    const mesh::Elements* elements;
    const mesh::RestGeometry* rest;
  };
  // `held`: one flag a node. Keeps nothing of the parts. `like`: made beside it; of those that are, who builds an A
  // that another has takes its factor. They may build at the same time, on threads of their own.
  Preconditioner(const std::vector<Part>& parts, const std::vector<char>& held, factor::Storage storage,
                 const Preconditioner* like = nullptr);

  // The same elements with another rest shape; build() has to follow.
  void set_rest(const std::vector<Part>& parts);

  // Assembles and factors. `diagonal`: m/h^2, one a node, kg/s^2; `weights`: w, one an element, part after part. Throws
  // factor::NotPositiveDefinite.
  void build(std::span<const double> diagonal, std::span<const double> weights);

  // z <- A^-1 r on free nodes, zero on held ones; 3 scalars a node.
  void apply(std::span<const double> r, std::span<double> z) const;

  // The same in the numbering of the rows of A, the free nodes: 3 scalars a row; r and z may be the same.
  void solve_rows(std::span<const double> r, std::span<double> z) const {
    if (seat_ != nullptr)
      seat_->solve(r, z);
    else
      factor_->solve(r, z);
  }
  void gather(std::span<const double> of_nodes, std::span<double> of_rows) const;
  void scatter(std::span<const double> of_rows, std::span<double> of_nodes) const;  // zero on held nodes

  // A = L L^T: L^-1 r and L^-T y, y in the order of the factor's pivots.
  void forward(std::span<const double> r, std::span<double> y) const { factor_->forward(r, y); }
  void backward(std::span<const double> y, std::span<double> z) const { factor_->backward(y, z); }
  // A^-1 at the rows that have been asked for since A was built.
  factor::Delassus& inverse() const { return *inverse_; }

  std::span<const std::int32_t> nodes() const { return free_; }                               // of each row
  std::int32_t row(std::int32_t node) const { return row_[static_cast<std::size_t>(node)]; }  // -1 where it is held
  const factor::SparseSymmetric& matrix() const { return matrix_; }
  // The diagonal of A, one a node; zero on held nodes.
  std::span<const double> diagonal() const { return diagonal_; }
  const factor::SupernodalCholesky& factor() const { return *factor_; }
  std::shared_ptr<const factor::SupernodalCholesky> shared_factor() const { return factor_; }
  // The values of A that it is of: the same object as long as the factor is the same.
  const std::shared_ptr<const std::vector<double>>& factored() const { return factored_; }

  // Applications are those of the seat's factor, of a matrix of this pattern, until A is built anew; null: no longer.
  void share(SharedSolve::Seat* seat) { seat_ = seat; }

  const factor::FactorStatistics& statistics() const { return factor_->statistics(); }

 private:
  struct Built {
    std::shared_ptr<factor::SupernodalCholesky> factor;
    std::shared_ptr<const std::vector<double>> values;  // that it is of, null: none
    bool idle() const { return factor.use_count() == 1; }
  };
  // Those of all that were made beside each other, and one that nobody has any more: the next A finds its order, its
  // analysis and its memory there.
  struct Factors {
    std::mutex mutex;  // of a build, too
    std::vector<Built> all;
  };
  Built* find_built() const;
  void add_pattern(const std::vector<Part>& parts);
  void add_slots(const Part& part);

  std::vector<std::int32_t> free_;  // node of each row
  std::vector<std::size_t> first_;  // of each element's entries, and their end
  std::vector<double> stiffness_;   // K of each element, lower triangle by rows
  std::vector<std::int64_t> slot_;  // where an entry goes in the matrix, -1 where a node is held
  factor::SparseSymmetric matrix_;
  std::shared_ptr<factor::SupernodalCholesky> factor_;
  std::shared_ptr<const std::vector<double>> factored_;  // the values that it is of, null: none yet
  std::shared_ptr<Factors> factors_;
  SharedSolve::Seat* seat_ = nullptr;
  mutable std::optional<factor::Delassus> inverse_;
  std::vector<std::int32_t> row_;  // of each node
  std::vector<double> diagonal_;
  mutable std::vector<double> compact_;  // right-hand side and solution in the numbering of the rows
};

}  // namespace proxima::solve
