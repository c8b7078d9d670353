#include "runtime/contact/surface_direction.hpp"

#include <Eigen/Dense>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

namespace {

// Of the largest second moment of the edges at a vertex: with less they have no part in that direction.
constexpr double flat = 1e-2;

// The least combination of edges e_k that is nearest to a direction d has the factors e_k . s, where s = S^+ d and S is
// the sum of e e^T, S^+ its inverse on those of its axes that are not nearly flat.
class Fit {
 public:
  Fit(std::vector<Eigen::Vector3d> edges, const Vector3& direction)
      : edges_(std::move(edges)), axes_(moments(edges_)), wanted_(in_axes(Eigen::Vector3d(direction.data()))) {
    for (int k = 0; k < 3; ++k)
      if (axes_.eigenvalues()[k] > flat * axes_.eigenvalues()[2]) inverse_[k] = 1 / axes_.eigenvalues()[k];
    solved_ = axes_.eigenvectors() * inverse_.cwiseProduct(wanted_);
  }

  double factor(std::size_t k) const { return edges_[k].dot(solved_); }

  // From the derivatives by the factors those by the edges. S^+ changes by V (G o V^T dS V) V^T in its axes V, where
  // G_ij is the divided difference of its eigenvalues by those of S: -1/(a b) of two that count, 0 of two that do not.
  std::vector<Eigen::Vector3d> pull_back(const std::vector<double>& by_factors) const {
    Eigen::Vector3d by_solved = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < edges_.size(); ++k) by_solved += by_factors[k] * edges_[k];
    const Eigen::Vector3d turned = in_axes(by_solved);
    Eigen::Matrix3d by_moments;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) by_moments(i, j) = divided(i, j) * turned[i] * wanted_[j];
    by_moments = axes_.eigenvectors() * by_moments * axes_.eigenvectors().transpose();
    by_moments += by_moments.transpose().eval();
    std::vector<Eigen::Vector3d> result;
    result.reserve(edges_.size());
    for (std::size_t k = 0; k < edges_.size(); ++k)
      result.emplace_back(by_factors[k] * solved_ + by_moments * edges_[k]);
    return result;
  }

 private:
  static Eigen::Matrix3d moments(const std::vector<Eigen::Vector3d>& edges) {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (const auto& edge : edges) sum += edge * edge.transpose();
    return sum;
  }
  Eigen::Vector3d in_axes(const Eigen::Vector3d& v) const { return axes_.eigenvectors().transpose() * v; }
  double divided(int i, int j) const {
    if ((inverse_[i] > 0) == (inverse_[j] > 0)) return -inverse_[i] * inverse_[j];
    return (inverse_[i] - inverse_[j]) / (axes_.eigenvalues()[i] - axes_.eigenvalues()[j]);
  }

  std::vector<Eigen::Vector3d> edges_;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes_;
  Eigen::Vector3d wanted_, inverse_ = Eigen::Vector3d::Zero(), solved_;
};

// Of shares: from the first to each of the others.
template <class Shares>
std::vector<Eigen::Vector3d> edges_of(const Shares& shares, std::span<const Vector3> rest) {
  std::vector<Eigen::Vector3d> result;
  for (std::size_t k = 1; k < shares.size(); ++k) {
    const Vector3 edge =
        mesh::minus(rest[static_cast<std::size_t>(shares[k].node)], rest[static_cast<std::size_t>(shares[0].node)]);
    result.emplace_back(edge.data());
  }
  return result;
}

}  // namespace

SurfaceDirection::SurfaceDirection(const Surface& surface, std::span<const Vector3> rest, const Vector3& direction)
    : direction_(direction), shares_(rest.size()) {
  for (const auto node : surface.vertices) {
    auto& shares = shares_[static_cast<std::size_t>(node)];
    shares.push_back({node, 0});
    for (const auto e : surface.edges_of_vertex(node)) {
      const auto& ends = surface.edges[static_cast<std::size_t>(e)];
      shares.push_back({ends[0] == node ? ends[1] : ends[0], 0});
    }
  }
  set_rest(rest);
}

void SurfaceDirection::set_rest(std::span<const Vector3> rest) {
  if (shares_.empty()) return;
  rest_.assign(rest.begin(), rest.end());
  for (auto& shares : shares_) {
    if (shares.empty()) continue;
    const Fit fit(edges_of(shares, rest_), direction_);
    shares[0].factor = 0;
    for (std::size_t k = 1; k < shares.size(); ++k) {
      shares[k].factor = fit.factor(k - 1);
      shares[0].factor -= shares[k].factor;
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

void SurfaceDirection::pull_back_rest(std::int32_t node, const Vector3& bar, std::span<const double> positions,
                                      std::span<double> by_rest) const {
  if (shares_.empty() || bar == Vector3{}) return;
  const auto& shares = shares_[static_cast<std::size_t>(node)];
  std::vector<double> by_factors;
  for (std::size_t k = 1; k < shares.size(); ++k)
    by_factors.push_back(
        mesh::dot(bar, mesh::minus(mesh::vector_at(positions, shares[k].node), mesh::vector_at(positions, node))));
  const auto by_edges = Fit(edges_of(shares, rest_), direction_).pull_back(by_factors);
  for (std::size_t k = 1; k < shares.size(); ++k) {
    const Vector3 by_edge = {by_edges[k - 1][0], by_edges[k - 1][1], by_edges[k - 1][2]};
    mesh::add_at(by_rest, shares[k].node, 1, by_edge);
    mesh::add_at(by_rest, node, -1, by_edge);
  }
}

}  // namespace proxima::contact
