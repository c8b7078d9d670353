// An independent simulator to compare with: log_neo_hookean with formulas worked out by hand, the Hessian assembled,
// full Newton with a sparse Cholesky of it, own lumped mass and own handling of held nodes. Shares only the model's
// plain values with the product.
#pragma once

#include <Eigen/Sparse>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

class ReferenceSimulator {
 public:
  explicit ReferenceSimulator(const model::Model& model);

  double energy(const Eigen::VectorXd& x) const;                        // elastic, J
  Eigen::VectorXd gradient(const Eigen::VectorXd& x) const;             // elastic, all nodes, N
  Eigen::SparseMatrix<double> hessian(const Eigen::VectorXd& x) const;  // elastic, all nodes
  const Eigen::VectorXd& mass() const { return mass_; }                 // 3 a node
  // M/h^2 + elastic Hessian, rows and columns of held nodes replaced by those of the unit matrix.
  Eigen::SparseMatrix<double> step_matrix(const Eigen::VectorXd& x) const;

  // One implicit Euler step to t_{step+1}, to the last digit that Newton reaches.
  void advance(int step, Eigen::VectorXd& x, Eigen::VectorXd& v) const;

 private:
  struct Tet {
    std::array<std::int32_t, 4> nodes;
    Eigen::Matrix<double, 4, 3> gradients;
    double volume, mu, lambda;
  };
  Eigen::Matrix3d deformation_gradient(const Tet& tet, const Eigen::VectorXd& x) const;
  Eigen::VectorXd clear_held(Eigen::VectorXd v) const;

  const model::Model& model_;
  std::vector<Tet> tets_;
  Eigen::VectorXd mass_;
  std::vector<bool> held_;
};

}  // namespace proxima::bodies
