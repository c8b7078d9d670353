// Eigenvalues and vectors of symmetric matrices by Eigen: compiled here once, since that takes seconds a file.
#pragma once

#include <Eigen/Core>

namespace proxima::test {

template <class Number>
struct SymmetricEigen {
  Eigen::VectorX<Number> values;   // increasing
  Eigen::MatrixX<Number> vectors;  // of length 1, as columns
};

SymmetricEigen<double> symmetric_eigen(const Eigen::MatrixXd& matrix);
SymmetricEigen<long double> symmetric_eigen(const Eigen::MatrixX<long double>& matrix);

}  // namespace proxima::test
