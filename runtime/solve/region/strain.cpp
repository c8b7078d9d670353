#include "runtime/solve/region/strain.hpp"

#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <limits>

namespace proxima::solve {
namespace {

using Matrix = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor, 3, 3>;

Matrix gradient_of(const ElementSet& set, std::size_t item, std::span<const double> x) {
  const auto nodes = set.elements().of(item / set.points());
  const auto dimension = static_cast<std::size_t>(set.rest().dimension);
  const double* g = set.rest().gradients.data() + (nodes.size() - 1) * dimension * item;
  const auto position = [&](std::size_t s) {
    return Eigen::Map<const Eigen::Vector3d>(&x[3 * static_cast<std::size_t>(nodes[s])]);
  };
  Matrix F = Matrix::Zero(3, static_cast<long>(dimension));
  for (std::size_t s = 1; s < nodes.size() && dimension > 0; ++s)
    F += (position(s) - position(0)) *
         Eigen::Map<const Eigen::RowVectorXd>(g + (s - 1) * dimension, static_cast<long>(dimension));
  return F;
}

}  // namespace

std::vector<double> deformation_gradient(const ElementSet& set, std::size_t item, std::span<const double> x) {
  const Matrix F = gradient_of(set, item, x);
  return {F.data(), F.data() + F.size()};
}

std::vector<double> principal_stretches(const ElementSet& set, std::size_t item, std::span<const double> x) {
  const Matrix F = gradient_of(set, item, x);
  if (F.cols() == 0) return {};
  const Eigen::VectorXd values = Eigen::JacobiSVD<Matrix>(F).singularValues();
  std::vector<double> result(values.begin(), values.end());
  if (F.cols() == 3 && F.leftCols<3>().determinant() < 0) result.back() = -result.back();
  return result;
}

std::size_t most_compressed(const ElementSet& set, std::span<const double> x, double& ratio) {
  std::size_t worst = 0;
  ratio = std::numeric_limits<double>::infinity();
  if (set.rest().dimension == 0) return worst;
  for (std::size_t item = 0; item < set.items(); ++item) {
    const Matrix F = gradient_of(set, item, x);
    const double value =
        F.cols() == 3 ? F.leftCols<3>().determinant() : std::sqrt((F.transpose() * F).eval().determinant());
    if (!(value < ratio)) continue;
    ratio = value;
    worst = item;
  }
  return worst;
}

std::string describe(const ElementSet& set, std::size_t item, const mesh::Mesh& mesh, std::span<const double> x) {
  const std::size_t element = item / set.points();
  const auto nodes = set.elements().of(element);
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  for (const auto node : nodes)
    centroid += Eigen::Vector3d(mesh.nodes[node].data()) / static_cast<double>(nodes.size());
  const auto stretch = principal_stretches(set, item, x);
  std::string deformed;
  for (const double value : stretch) deformed += fmt::format(" {:.4g}", value);
  return fmt::format("{} (centroid at rest {:.6g} {:.6g} {:.6g}{}{})", set.name_of(element), centroid[0], centroid[1],
                     centroid[2],
                     stretch.size() == 1 ? ", stretch"
                     : stretch.empty()   ? ""
                                         : ", principal stretches",
                     deformed);
}

}  // namespace proxima::solve
