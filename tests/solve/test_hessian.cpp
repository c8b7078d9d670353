// The assembled Hessian and its parts: sparse matrices of blocks, the contraction of an element's second derivatives,
// and adding them up.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/hessian.hpp"
#include "runtime/solve/region/strain_hessian.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd to_eigen(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<long>(v.size()));
}

template <class T>
class BlockMatrices : public testing::Test {};
using Precisions = testing::Types<double, float>;
struct PrecisionNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, double> ? "fp64" : "fp32";
  }
};
TYPED_TEST_SUITE(BlockMatrices, Precisions, PrecisionNames);

TYPED_TEST(BlockMatrices, MultiplyRowsOfAnyLength) {
  // 11 rows, more than a tile; row i is joined to i-1 and to 0.
  std::vector<solve::BlockRow> rows(11);
  MatrixXd k = MatrixXd::Zero(33, 33);
  for (std::int32_t i = 0; i < 11; ++i)
    for (std::int32_t j = 0; j < 11; ++j) {
      if (std::abs(i - j) > 1 && i != 0 && j != 0) continue;
      solve::Block block{};
      for (std::size_t e = 0; e < 9; ++e) {
        block[e] = static_cast<double>((i + 1) * (j + 1)) + static_cast<double>(e);  // exact in fp32
        k(3 * i + static_cast<long>(e / 3), 3 * j + static_cast<long>(e % 3)) = block[e];
      }
      rows[static_cast<std::size_t>(i)].columns.push_back(j);
      rows[static_cast<std::size_t>(i)].blocks.push_back(block);
    }
  std::vector<double> x(33), b(33), y(33);
  for (std::size_t i = 0; i < 33; ++i) x[i] = std::cos(static_cast<double>(i));
  std::iota(b.begin(), b.end(), 0.0);
  solve::BlockMatrix<TypeParam> matrix(rows);
  matrix.residual(b, x, y);
  EXPECT_LT((to_eigen(y) - (to_eigen(b) - k * to_eigen(x))).norm(), 1e-12 * to_eigen(y).norm());
  matrix.multiply(x, y);
  EXPECT_LT((to_eigen(y) - k * to_eigen(x)).norm(), 1e-12 * to_eigen(y).norm());
  const std::size_t slot = matrix.slot(10, 2);
  EXPECT_EQ(matrix.at(slot), rows[10].blocks[2]);
  matrix.add(slot, rows[10].blocks[2]);
  EXPECT_EQ(matrix.at(slot)[8], 2 * rows[10].blocks[2][8]);
  matrix.clear();
  matrix.multiply(x, y);
  EXPECT_EQ(to_eigen(y).norm(), 0);
}

struct Tile {
  const char* name;
  int dimension, corners, lanes;
};

class StrainHessian : public testing::TestWithParam<Tile> {};

TEST_P(StrainHessian, IsContractedWithTheGradients) {
  const auto [name, dimension, corners, lanes] = GetParam();
  const long n = dimension == 0 ? 3L * corners : 3L * dimension, size = 3L * corners;
  device::AlignedVector<double> hessian(static_cast<std::size_t>(n * (n + 1) / 2 * lanes)),
      gradients(static_cast<std::size_t>((corners - 1) * dimension * lanes)),
      blocks(9 * solve::corner_pairs(static_cast<std::size_t>(corners)) * static_cast<std::size_t>(lanes));
  for (std::size_t i = 0; i < hessian.size(); ++i) hessian[i] = std::sin(1.3 * static_cast<double>(i));
  for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = std::cos(2.1 * static_cast<double>(i));
  solve::contract_strain_hessian(dimension, corners, lanes, hessian.data(), gradients.data(), blocks.data());
  for (int lane = 0; lane < lanes; ++lane) {
    MatrixXd c(n, n), g = MatrixXd::Zero(n, size);  // strain = g x
    std::size_t at = 0;
    for (long p = 0; p < n; ++p)
      for (long q = p; q < n; ++q) c(p, q) = c(q, p) = hessian[at++ * lanes + lane];
    if (dimension == 0) g.setIdentity();
    for (long s = 1; s < corners; ++s)
      for (long j = 0; j < dimension; ++j)
        for (long i = 0; i < 3; ++i) {
          const double entry = gradients[static_cast<std::size_t>(((s - 1) * dimension + j) * lanes + lane)];
          g(i * dimension + j, 3 * s + i) += entry;
          g(i * dimension + j, i) -= entry;
        }
    const MatrixXd k = g.transpose() * c * g;
    at = 0;
    for (long a = 0; a < corners; ++a)
      for (long b = a; b < corners; ++b)
        for (long e = 0; e < 9; ++e)
          EXPECT_NEAR(blocks[at++ * lanes + lane], k(3 * a + e / 3, 3 * b + e % 3), 1e-13 * k.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, StrainHessian,
                         testing::Values(Tile{"tets_8", 3, 4, 8}, Tile{"tets_4", 3, 4, 4}, Tile{"tets_2", 3, 4, 2},
                                         Tile{"hexes_8", 3, 8, 8}, Tile{"hexes_4", 3, 8, 4}, Tile{"hexes_2", 3, 8, 2},
                                         Tile{"triangles_8", 2, 3, 8}, Tile{"edges_8", 1, 2, 8},
                                         Tile{"hinges_8", 0, 4, 8}, Tile{"points_2", 0, 1, 2}),
                         [](const auto& param) { return param.param.name; });

TEST(RegionAssembly, IsTheSameInBatchesOfAnySize) {
  const model::Model model = bodies::make_bar(20);
  jit::Engine engine;
  solve::RegionKernels region(model, model.regions[0], engine);
  region.enter_step({0, model.time_step, model.initial_positions, {}});
  const std::size_t nodes = model.mesh.nodes.size();
  std::vector<std::int32_t> row(nodes), all(nodes);
  std::iota(row.begin(), row.end(), 0);
  const std::vector<std::vector<std::int32_t>> columns(nodes, row);  // dense
  const auto assembled = [&](std::size_t batch_bytes) {
    solve::BlockMatrix<double> matrix(columns);
    solve::RegionAssembly(region.set(), row, columns, matrix, batch_bytes).add(region, model.initial_positions, matrix);
    std::vector<double> x(3 * nodes), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
    matrix.multiply(x, y);
    return VectorXd(to_eigen(y));
  };
  const VectorXd whole = assembled(std::size_t{1} << 30), parts = assembled(1);
  std::vector<double> x(3 * nodes), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
  region.add_hessian_vector(derive::Quantity::hessian_vector, model.initial_positions, x, y);
  EXPECT_LT((whole - to_eigen(y)).norm(), 1e-13 * whole.norm());
  EXPECT_LT((parts - to_eigen(y)).norm(), 1e-13 * whole.norm());
}

}  // namespace
}  // namespace proxima
