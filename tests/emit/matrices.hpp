// 3x3 matrices that decompositions find hard, and what a decomposition must satisfy.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace proxima::emit::testing {

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct NamedMatrix {
  std::string name;
  Matrix3 matrix;
};

inline Matrix3 random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
  return q.normalized().toRotationMatrix();
}

// `each` matrices of every kind: rotations, two and three equal stretches, gaps, every rank, inverted, badly scaled,
// with zeros in many places. `extreme` is the power of ten of the largest and smallest.
inline std::vector<NamedMatrix> hard_matrices(int each, int extreme) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto wide = [&] { return std::pow(10.0, 8 * uniform(random)); };
  std::vector<NamedMatrix> result = {{"identity", Matrix3::Identity()}, {"zero", Matrix3::Zero()}};
  for (int k = 0; k < each; ++k) {
    const int sign = k % 2 == 0 ? 1 : -1;
    const auto turned = [&](double a, double b, double c) {
      return Matrix3(random_rotation(random) * Eigen::Vector3d(a, b, c).asDiagonal() * random_rotation(random));
    };
    const auto filled = [&](auto number) {
      Matrix3 matrix;
      for (double& entry : matrix.reshaped()) entry = number();
      return matrix;
    };
    const double gap = std::pow(10.0, -1 - 14 * std::fabs(uniform(random)));
    const Matrix3 general = filled([&] { return normal(random); });
    result.push_back({"rotation", random_rotation(random)});
    result.push_back({"inverted rotation", -random_rotation(random)});
    result.push_back({"general", general});
    result.push_back({"two equal", turned(1, 1, sign * (0.1 + std::fabs(normal(random))))});
    result.push_back({"two equal below", turned(3, 1, sign)});
    result.push_back({"small gaps", turned(1, 1 + gap * normal(random), sign + gap * normal(random))});
    result.push_back({"widely spread", turned(wide(), wide(), sign * wide())});
    result.push_back({"rank 2", turned(1 + std::fabs(normal(random)), wide(), 0)});
    result.push_back({"rank 1", Eigen::Vector3d(general.col(0)) * Eigen::RowVector3d(general.row(1))});
    result.push_back({"diagonal", Eigen::Vector3d(1, sign, k % 3).asDiagonal()});
    result.push_back({"small whole numbers", filled([&] { return static_cast<double>(random() % 5) - 2; })});
    Matrix3 one_entry = Matrix3::Zero();
    one_entry.reshaped()[k % 9] = normal(random);
    result.push_back({"one entry", one_entry});
    result.push_back({"huge", general * std::pow(10.0, extreme)});
    result.push_back({"tiny", general * std::pow(10.0, -extreme)});
  }
  return result;
}

inline double scale_of(const Matrix3& matrix) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  return largest > 0 ? largest : 1;
}

inline double distance_from_rotation(const Matrix3& R) {
  return std::max((R.transpose() * R - Matrix3::Identity()).cwiseAbs().maxCoeff(), std::fabs(R.determinant() - 1));
}

// How far the 21 parts are from a signed singular value decomposition of A, relative to its largest entry, and from the
// singular values `expected`; infinite when they are not in order.
inline double svd_error(const Matrix3& A, const std::vector<double>& parts, const std::vector<double>& expected) {
  const double scale = scale_of(A);
  const Eigen::Vector3d sigma(parts[0], parts[1], parts[2]);
  if (!(sigma[0] >= sigma[1] && sigma[1] >= std::fabs(sigma[2]))) return INFINITY;
  const Eigen::Map<const Matrix3> U(&parts[3]), V(&parts[12]);
  double error = (U * (sigma / scale).asDiagonal() * V.transpose() - A / scale).cwiseAbs().maxCoeff();
  error = std::max({error, distance_from_rotation(U), distance_from_rotation(V)});
  for (int k = 0; k < 3; ++k)
    error = std::max(error, std::fabs(sigma[k] - expected[static_cast<std::size_t>(k)]) / scale);
  return error;
}

// How far R is from the rotation nearest to A: R^T A is symmetric, and its trace is the sum of the singular values.
inline double polar_error(const Matrix3& A, const std::vector<double>& parts, const std::vector<double>& sigma) {
  const double scale = scale_of(A);
  const Eigen::Map<const Matrix3> R(parts.data());
  const Matrix3 stretch = R.transpose() * (A / scale);
  const double sum = (sigma[0] + sigma[1] + sigma[2]) / scale;
  return std::max({distance_from_rotation(R), (stretch - stretch.transpose()).cwiseAbs().maxCoeff(),
                   std::fabs(stretch.trace() - sum)});
}

// How far the 12 parts are from an eigendecomposition of the symmetric S with eigenvalues `expected`.
inline double eigen_error(const Matrix3& S, const std::vector<double>& parts, const std::vector<double>& expected) {
  const double scale = scale_of(S);
  if (!(parts[0] >= parts[1] && parts[1] >= parts[2])) return INFINITY;
  const Eigen::Vector3d values(parts[0], parts[1], parts[2]);
  const Eigen::Map<const Matrix3> Q(&parts[3]);
  double error = (Q * (values / scale).asDiagonal() * Q.transpose() - S / scale).cwiseAbs().maxCoeff();
  error = std::max(error, distance_from_rotation(Q));
  for (int k = 0; k < 3; ++k)
    error = std::max(error, std::fabs(values[k] - expected[static_cast<std::size_t>(k)]) / scale);
  return error;
}

}  // namespace proxima::emit::testing
