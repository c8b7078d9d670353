#include "tests/solve/reference.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

namespace proxima::bodies {

using Eigen::Matrix3d;
using Eigen::VectorXd;

ReferenceSimulator::ReferenceSimulator(const model::Model& model)
    : model_(model),
      mass_(VectorXd::Zero(static_cast<long>(3 * model.mesh.nodes.size()))),
      held_(model.mesh.nodes.size()) {
  for (const auto& region : model.regions)
    for (std::size_t e = 0; e < region.elements.count(); ++e) {
      Tet tet;
      const auto nodes = region.elements.of(e);
      std::copy(nodes.begin(), nodes.end(), tet.nodes.begin());
      Eigen::Matrix4d corners;  // rows 1 x y z; the gradients of the linear functions are in its inverse
      for (int c = 0; c < 4; ++c) {
        const auto& p = model.mesh.nodes[tet.nodes[c]];
        corners.row(c) << 1, p[0], p[1], p[2];
      }
      tet.volume = corners.determinant() / 6;
      tet.gradients = corners.inverse().bottomRows<3>().transpose();
      tet.mu = region.parameters[0].size() == 1 ? region.parameters[0][0] : region.parameters[0][e];
      tet.lambda = region.parameters[1].size() == 1 ? region.parameters[1][0] : region.parameters[1][e];
      for (const auto node : tet.nodes) mass_.segment<3>(3 * node).array() += region.density * tet.volume / 4;
      tets_.push_back(tet);
    }
  for (const auto& dirichlet : model.dirichlet)
    for (const auto node : dirichlet.nodes) held_[node] = true;
}

Matrix3d ReferenceSimulator::deformation_gradient(const Tet& tet, const VectorXd& x) const {
  Matrix3d F = Matrix3d::Zero();
  for (int c = 0; c < 4; ++c) F += x.segment<3>(3 * tet.nodes[c]) * tet.gradients.row(c);
  return F;
}

double ReferenceSimulator::energy(const VectorXd& x) const {
  double total = 0;
  for (const Tet& tet : tets_) {
    const Matrix3d F = deformation_gradient(tet, x);
    const double J = F.determinant();
    if (J <= 0) return INFINITY;
    const double logarithm = std::log(J);
    total +=
        tet.volume * (tet.mu / 2 * (F.squaredNorm() - 3) - tet.mu * logarithm + tet.lambda / 2 * logarithm * logarithm);
  }
  return total;
}

VectorXd ReferenceSimulator::gradient(const VectorXd& x) const {
  VectorXd result = VectorXd::Zero(x.size());
  for (const Tet& tet : tets_) {
    const Matrix3d F = deformation_gradient(tet, x), inverse = F.inverse().transpose();
    const Matrix3d P = tet.mu * (F - inverse) + tet.lambda * std::log(F.determinant()) * inverse;
    for (int c = 0; c < 4; ++c)
      result.segment<3>(3 * tet.nodes[c]) += tet.volume * P * tet.gradients.row(c).transpose();
  }
  return result;
}

Eigen::SparseMatrix<double> ReferenceSimulator::hessian(const VectorXd& x) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Tet& tet : tets_) {
    const Matrix3d F = deformation_gradient(tet, x), inverse = F.inverse().transpose();
    const double geometric = tet.mu - tet.lambda * std::log(F.determinant());
    // d2Psi / dF_ij dF_kl = mu d_ik d_jl + geometric T_il T_kj + lambda T_ij T_kl, T = F^-T.
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const Eigen::Vector3d ga = tet.gradients.row(a), gb = tet.gradients.row(b);
        const Eigen::Vector3d Ta = inverse * ga, Tb = inverse * gb;
        const Matrix3d block = tet.volume * (tet.mu * ga.dot(gb) * Matrix3d::Identity() +
                                             geometric * Tb * Ta.transpose() + tet.lambda * Ta * Tb.transpose());
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) entries.emplace_back(3 * tet.nodes[a] + i, 3 * tet.nodes[b] + j, block(i, j));
      }
  }
  Eigen::SparseMatrix<double> result(x.size(), x.size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

VectorXd ReferenceSimulator::clear_held(VectorXd v) const {
  for (std::size_t node = 0; node < held_.size(); ++node)
    if (held_[node]) v.segment<3>(static_cast<long>(3 * node)).setZero();
  return v;
}

Eigen::SparseMatrix<double> ReferenceSimulator::step_matrix(const VectorXd& x) const {
  Eigen::SparseMatrix<double> H = hessian(x);
  const double h = model_.time_step;
  for (long i = 0; i < x.size(); ++i) H.coeffRef(i, i) += mass_[i] / (h * h);
  H.prune([&](long row, long column, double) { return !held_[row / 3] && !held_[column / 3]; });
  for (long i = 0; i < x.size(); ++i)
    if (held_[i / 3]) H.coeffRef(i, i) = 1;
  return H;
}

void ReferenceSimulator::advance(int step, VectorXd& x, VectorXd& v) const {
  const double h = model_.time_step, time = (step + 1) * h;
  const auto force = model::nodal_forces(model_, time);
  VectorXd y = x + h * v;
  for (long i = 0; i < x.size(); ++i) y[i] += h * h * (model_.gravity[i % 3] + force[i] / mass_[i]);
  VectorXd next = x;
  for (const auto& [node, position] : model::dirichlet_positions(model_, time))
    for (int axis = 0; axis < 3; ++axis) next[3 * node + axis] = position[axis];
  const auto value = [&](const VectorXd& at) {
    return energy(at) + clear_held(at - y).cwiseAbs2().dot(mass_) / (2 * h * h);
  };
  double last = INFINITY;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const VectorXd residual = clear_held(mass_.cwiseProduct(next - y) / (h * h) + gradient(next));
    if (iteration > 3 && residual.norm() >= 0.5 * last && residual.norm() < 1e-9) {
      v = (next - x) / h;
      x = next;
      return;
    }
    last = residual.norm();
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(step_matrix(next));
    const VectorXd direction = -solver.solve(residual);
    double length = 1;
    while (!(value(next + length * direction) <= value(next) + 1e-12) && length > 1e-6) length /= 2;
    next += length * direction;
  }
  throw std::runtime_error("the reference Newton did not converge");
}

}  // namespace proxima::bodies
