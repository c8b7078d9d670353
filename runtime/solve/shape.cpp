#include "runtime/solve/shape.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>

namespace proxima::solve {
namespace {

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Column s - 1 is the edge from corner 0 to corner s.
Eigen::Matrix3d edges(const mesh::TetMesh& mesh, std::size_t tet, auto&& position) {
  const auto& nodes = mesh.tets[tet];
  Eigen::Matrix3d result;
  for (int s = 1; s < 4; ++s) result.col(s - 1) = position(nodes[s]) - position(nodes[0]);
  return result;
}

auto rest(const mesh::TetMesh& mesh) {
  return [&mesh](std::int32_t node) { return Eigen::Vector3d(mesh.nodes[node].data()); };
}

Eigen::Matrix3d gradient_of(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x) {
  const auto current = [&](std::int32_t node) { return Eigen::Vector3d(&x[3 * static_cast<std::size_t>(node)]); };
  return edges(mesh, tet, current) * edges(mesh, tet, rest(mesh)).inverse();
}

}  // namespace

ShapeGradients shape_gradients(const mesh::TetMesh& mesh, std::size_t tet) {
  const Eigen::Matrix3d at_rest = edges(mesh, tet, rest(mesh));
  ShapeGradients result;
  Eigen::Map<RowMajor>(result.rows.data()) = at_rest.inverse();  // its rows are the gradients of corners 1..3
  result.volume = at_rest.determinant() / 6;
  return result;
}

std::array<double, 9> deformation_gradient(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x) {
  std::array<double, 9> result;
  Eigen::Map<RowMajor>(result.data()) = gradient_of(mesh, tet, x);
  return result;
}

std::array<double, 3> principal_stretches(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x) {
  const Eigen::Matrix3d F = gradient_of(mesh, tet, x);
  const Eigen::Vector3d values = Eigen::JacobiSVD<Eigen::Matrix3d>(F).singularValues();
  return {values[0], values[1], F.determinant() < 0 ? -values[2] : values[2]};
}

std::string describe_tet(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x) {
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  for (const auto node : mesh.tets[tet]) centroid += rest(mesh)(node) / 4;
  const auto stretch = principal_stretches(mesh, tet, x);
  return fmt::format("tet {} (centroid at rest {:.6g} {:.6g} {:.6g}, principal stretches {:.4g} {:.4g} {:.4g})", tet,
                     centroid[0], centroid[1], centroid[2], stretch[0], stretch[1], stretch[2]);
}

std::size_t most_compressed_tet(const mesh::TetMesh& mesh, std::span<const double> x) {
  std::size_t worst = 0;
  double least = gradient_of(mesh, 0, x).determinant();
  for (std::size_t tet = 1; tet < mesh.tets.size(); ++tet) {
    const double value = gradient_of(mesh, tet, x).determinant();
    if (value < least) {
      least = value;
      worst = tet;
    }
  }
  return worst;
}

}  // namespace proxima::solve
