#include "runtime/solve/region/element_state.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/strain.hpp"

namespace proxima::solve {
namespace {

using Matrix = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor, 3, 3>;

constexpr std::size_t chunk = 512;  // elements

// What F does to the measure of an element: volume, area or length.
double measure_ratio(const Matrix& F) {
  return F.cols() == 3 ? F.leftCols<3>().determinant() : std::sqrt((F.transpose() * F).eval().determinant());
}

// The sums over the quadrature points of one element.
struct Mean {
  Eigen::Matrix3d kirchhoff = Eigen::Matrix3d::Zero();  // of P F^T: J times the Cauchy stress
  Matrix gradient;
  double ratio = 0;
};

Mean mean_of(const ElementSet& set, std::size_t element, std::span<const double> x, std::span<const double> stress,
             int components) {
  const auto& measure = set.rest().measure;
  const int columns = set.rest().dimension;
  Mean mean{.gradient = Matrix::Zero(3, columns)};
  double whole = 0;
  for (std::size_t q = 0; q < set.points(); ++q) whole += measure[element * set.points() + q];
  for (std::size_t q = 0; q < set.points(); ++q) {
    const std::size_t item = element * set.points() + q;
    const double share = measure[item] / whole;
    const auto entries = deformation_gradient(set, item, x);
    const Matrix F = Eigen::Map<const Matrix>(entries.data(), 3, columns);
    mean.gradient += share * F;
    mean.ratio += share * measure_ratio(F);
    if (components != 3 * columns) continue;
    Matrix P(3, columns);
    for (int c = 0; c < components; ++c) P(c / columns, c % columns) = set.output(stress, item, c, components);
    mean.kirchhoff += share * P * F.transpose();
  }
  return mean;
}

void put_stretches(const Matrix& F, double* stretches) {
  const Eigen::VectorXd values = Eigen::JacobiSVD<Matrix>(F).singularValues();
  std::copy(values.begin(), values.end(), stretches);
  if (F.cols() == 3 && F.leftCols<3>().determinant() < 0) stretches[2] = -stretches[2];
}

}  // namespace

ElementState::ElementState(std::size_t elements)
    : stress(6 * elements), stretches(3 * elements, std::numeric_limits<double>::quiet_NaN()), density(elements) {}

void add_element_state(const ElementSet& set, std::span<const double> x, std::span<const double> energies,
                       std::span<const double> stress, int components, std::size_t first, ElementState& state) {
  device::parallel_chunks(set.elements().count(), chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const std::size_t at = first + static_cast<std::size_t>(set.numbers()[e]);
      double energy = 0, whole = 0;
      for (std::size_t item = e * set.points(); item < (e + 1) * set.points(); ++item) {
        energy += energies[item];
        whole += set.rest().measure[item];
      }
      state.density[at] += energy / whole;
      if (set.rest().dimension == 0) continue;
      const Mean mean = mean_of(set, e, x, stress, components);
      put_stretches(mean.gradient, &state.stretches[3 * at]);
      const Eigen::Matrix3d sigma = (mean.kirchhoff + mean.kirchhoff.transpose()) / (2 * mean.ratio);
      constexpr int entries[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
      for (int c = 0; c < 6; ++c)
        state.stress[6 * at + static_cast<std::size_t>(c)] += sigma(entries[c][0], entries[c][1]);
    }
  });
}

double von_mises(std::span<const double, 6> s) {
  const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
  return std::sqrt(normal / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace proxima::solve
