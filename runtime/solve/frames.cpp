#include "runtime/solve/frames.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/instruction_sets.hpp"

namespace proxima::solve {
namespace {

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

constexpr std::size_t lanes = 8, chunk = 32;  // groups of so many rows a chunk
constexpr int newton_iterations = 9;          // enough for singular values that differ by a thousand
// Of matrices of norm 1: with a smaller determinant the polar factor is not unique, or not proper.
constexpr double flat = 1e-6;

// x <- (x gamma + cof(x) / (det(x) gamma)) / 2 for matrices of norm about one, entry by entry: Newton's iteration for
// the polar factor, scaled by norms (Higham, Functions of Matrices, section 8.3). Where x is singular it ends as it
// likes.
PROXIMA_FOR_EACH_INSTRUCTION_SET void polar_factors(double x[9][lanes]) {
  for (int k = 0; k < newton_iterations; ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double a = x[0][lane], b = x[1][lane], c = x[2][lane], d = x[3][lane], e = x[4][lane], f = x[5][lane],
                   g = x[6][lane], h = x[7][lane], i = x[8][lane];
      const double ca = e * i - f * h, cb = f * g - d * i, cc = d * h - e * g, cd = c * h - b * i, ce = a * i - c * g,
                   cf = b * g - a * h, cg = b * f - c * e, ch = c * d - a * f, ci = a * e - b * d;
      const double determinant = a * ca + b * cb + c * cc;
      const double squared = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
      const double squared_cofactor =
          ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ch * ch + ci * ci;
      const double scale = std::sqrt(std::sqrt(squared_cofactor / (squared * determinant * determinant)));
      const double own = scale / 2, inverse = 1 / (2 * scale * determinant);
      x[0][lane] = own * a + inverse * ca;
      x[1][lane] = own * b + inverse * cb;
      x[2][lane] = own * c + inverse * cc;
      x[3][lane] = own * d + inverse * cd;
      x[4][lane] = own * e + inverse * ce;
      x[5][lane] = own * f + inverse * cf;
      x[6][lane] = own * g + inverse * cg;
      x[7][lane] = own * h + inverse * ch;
      x[8][lane] = own * i + inverse * ci;
    }
}

Matrix by_singular_values(const Matrix& s) {
  if (!s.allFinite() || s.isZero(0)) return Matrix::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(Eigen::Matrix3d(s), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0) u.col(2) *= -1;
  return u * svd.matrixV().transpose();
}

}  // namespace

void nearest_rotations(std::span<Block> matrices) {
  double x[9][lanes];
  bool regular[lanes];
  for (std::size_t begin = 0; begin < matrices.size(); begin += lanes) {
    const std::size_t count = std::min(lanes, matrices.size() - begin);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      Matrix s = Matrix::Identity();
      if (lane < count) s = Eigen::Map<const Matrix>(matrices[begin + lane].data()).normalized();
      regular[lane] = s.determinant() > flat;
      if (!regular[lane]) s = Matrix::Identity();
      for (std::size_t entry = 0; entry < 9; ++entry) x[entry][lane] = s.data()[entry];
    }
    polar_factors(x);
    for (std::size_t lane = 0; lane < count; ++lane) {
      Block& own = matrices[begin + lane];
      if (regular[lane]) {
        for (std::size_t entry = 0; entry < 9; ++entry) own[entry] = x[entry][lane];
      } else {
        Eigen::Map<Matrix> matrix(own.data());
        matrix = by_singular_values(matrix);
      }
    }
  }
}

Frames::Frames(const std::vector<BlockRow>& rows, std::span<const std::int32_t> nodes, std::span<const double> rest)
    : nodes_(nodes.begin(), nodes.end()), rotations_(rows.size(), Block{1, 0, 0, 0, 1, 0, 0, 0, 1}) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    first_.push_back(edges_.size());
    double largest = 0;
    for (const Block& block : rows[row].blocks) largest = std::max(largest, std::abs(block[0] + block[4] + block[8]));
    for (std::size_t k = 0; k < rows[row].columns.size(); ++k) {
      const auto other = static_cast<std::size_t>(rows[row].columns[k]);
      if (other == row) continue;
      const Block& block = rows[row].blocks[k];
      Edge edge{nodes[other], {}};
      for (std::size_t a = 0; a < 3; ++a)
        edge.weight[a] = static_cast<float>(std::abs(block[0] + block[4] + block[8]) / largest *
                                            (rest[3 * static_cast<std::size_t>(nodes[other]) + a] -
                                             rest[3 * static_cast<std::size_t>(nodes[row]) + a]));
      edges_.push_back(edge);
    }
  }
  first_.push_back(edges_.size());
}

void Frames::turn(std::span<const double> x) {
  device::parallel_chunks(nodes_.size(), chunk * lanes, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const double* own = &x[3 * static_cast<std::size_t>(nodes_[row])];
      Block s{};
      for (std::size_t k = first_[row]; k < first_[row + 1]; ++k) {
        const double* other = &x[3 * static_cast<std::size_t>(edges_[k].node)];
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b)
            s[3 * a + b] += (other[a] - own[a]) * static_cast<double>(edges_[k].weight[b]);
      }
      rotations_[row] = s;
    }
    nearest_rotations(std::span(rotations_).subspan(begin, end - begin));
  });
}

void Frames::enter(std::span<const double> a, std::span<double> b) const {
  for (std::size_t row = 0; row < rotations_.size(); ++row) {
    const Block& r = rotations_[row];
    const double v[3] = {a[3 * row], a[3 * row + 1], a[3 * row + 2]};
    for (std::size_t i = 0; i < 3; ++i) b[3 * row + i] = r[i] * v[0] + r[3 + i] * v[1] + r[6 + i] * v[2];
  }
}

void Frames::leave(std::span<const double> a, std::span<double> b) const {
  for (std::size_t row = 0; row < rotations_.size(); ++row) {
    const Block& r = rotations_[row];
    const double v[3] = {a[3 * row], a[3 * row + 1], a[3 * row + 2]};
    for (std::size_t i = 0; i < 3; ++i) b[3 * row + i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
  }
}

std::size_t Frames::bytes() const {
  return edges_.size() * sizeof(Edge) + rotations_.size() * sizeof(Block) + first_.size() * sizeof(std::size_t) +
         nodes_.size() * sizeof(std::int32_t);
}

}  // namespace proxima::solve
