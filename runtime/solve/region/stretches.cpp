#include "runtime/solve/region/stretches.hpp"

#include <Eigen/Dense>

#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {

std::vector<double> principal_stretches(std::span<const double> F) {
  // Columns of zeros add singular values of zero, which are the last.
  const std::size_t columns = F.size() / 3;
  Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < F.size(); ++i)
    square(static_cast<long>(i / columns), static_cast<long>(i % columns)) = F[i];
  const Eigen::Vector3d values = Eigen::JacobiSVD<Eigen::Matrix3d>(square).singularValues();
  std::vector<double> result(values.data(), values.data() + columns);
  if (columns == 3 && measure_ratio(F) < 0) result.back() = -result.back();
  return result;
}

double measure_ratio(std::span<const double> F) {
  const std::size_t columns = F.size() / 3;
  const auto column = [&](std::size_t k) { return mesh::Vector3{F[k], F[columns + k], F[2 * columns + k]}; };
  switch (columns) {
    case 0:
      return 1;
    case 1:
      return mesh::norm(column(0));
    case 2:
      return mesh::norm(mesh::cross(column(0), column(1)));
    default:
      return mesh::triple_product(column(0), column(1), column(2));
  }
}

}  // namespace proxima::solve
