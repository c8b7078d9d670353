#include "runtime/contact/surface_direction.hpp"

#include <Eigen/Dense>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

namespace {

// Of the largest second moment of the edges at a vertex: with less they have no part in that direction.
constexpr double flat = 1e-2;

}  // namespace

SurfaceDirection::SurfaceDirection(const Surface& surface, std::span<const Vector3> rest, const Vector3& direction)
    : shares_(rest.size()) {
  const Eigen::Vector3d wanted(direction.data());
  for (const auto node : surface.vertices) {
    auto& shares = shares_[static_cast<std::size_t>(node)];
    shares.push_back({node, 0});
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    std::vector<Eigen::Vector3d> edges;
    for (const auto e : surface.edges_of_vertex(node)) {
      const auto& ends = surface.edges[static_cast<std::size_t>(e)];
      const auto other = ends[0] == node ? ends[1] : ends[0];
      const Vector3 edge = mesh::minus(rest[static_cast<std::size_t>(other)], rest[static_cast<std::size_t>(node)]);
      edges.emplace_back(edge.data());
      spread += edges.back() * edges.back().transpose();
      shares.push_back({other, 0});
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
    Eigen::Vector3d solved = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k)
      if (axes.eigenvalues()[k] > flat * axes.eigenvalues()[2])
        solved += axes.eigenvectors().col(k) * (axes.eigenvectors().col(k).dot(wanted) / axes.eigenvalues()[k]);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      shares[k + 1].factor = edges[k].dot(solved);
      shares[0].factor -= shares[k + 1].factor;
    }
  }
}

Vector3 SurfaceDirection::at(std::int32_t node, std::span<const double> positions) const {
  Vector3 sum{};
  if (shares_.empty()) return sum;
  for (const auto& [other, factor] : shares_[static_cast<std::size_t>(node)])
    mesh::add(sum, factor, mesh::vector_at(positions, other));
  return sum;
}

void SurfaceDirection::pull_back(std::int32_t node, const Vector3& bar, std::span<double> by_positions) const {
  if (shares_.empty()) return;
  for (const auto& [other, factor] : shares_[static_cast<std::size_t>(node)])
    mesh::add_at(by_positions, other, factor, bar);
}

}  // namespace proxima::contact
