#include "tests/support/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace proxima::test {
namespace {

template <class Number>
SymmetricEigen<Number> decompose(const Eigen::MatrixX<Number>& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixX<Number>> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace

SymmetricEigen<double> symmetric_eigen(const Eigen::MatrixXd& matrix) { return decompose(matrix); }
SymmetricEigen<long double> symmetric_eigen(const Eigen::MatrixX<long double>& matrix) { return decompose(matrix); }

}  // namespace proxima::test
