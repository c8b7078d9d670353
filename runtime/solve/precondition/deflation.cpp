#include "runtime/solve/precondition/deflation.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/precondition/deflation_cycle.hpp"

namespace proxima::solve {
namespace {

// Bounds of the share of A's stiffness that the body has against shear.
constexpr double least_shear = 0.01, most_shear = 1;

bool finite(const std::vector<BlockRow>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const BlockRow& row) {
    return std::all_of(row.blocks.begin(), row.blocks.end(), [](const Block& block) {
      return std::all_of(block.begin(), block.end(), [](double entry) { return std::isfinite(entry); });
    });
  });
}

std::vector<Block> diagonal_blocks(const std::vector<BlockRow>& rows) {
  std::vector<Block> result;
  result.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& columns = rows[row].columns;
    const auto at = std::lower_bound(columns.begin(), columns.end(), static_cast<std::int32_t>(row));
    result.push_back(rows[row].blocks[static_cast<std::size_t>(at - columns.begin())]);
  }
  return result;
}

// mu / (2 mu + lambda) of an isotropic solid, read off the diagonals: there tr K_ii / A_ii = 1 + 2 mu / (2 mu +
// lambda).
double share_of_shear(const std::vector<Block>& diagonal, std::span<const double> of_a,
                      std::span<const std::int32_t> nodes) {
  double sum = 0;
  for (std::size_t row = 0; row < diagonal.size(); ++row)
    sum += (diagonal[row][0] + diagonal[row][4] + diagonal[row][8]) / of_a[static_cast<std::size_t>(nodes[row])];
  return std::clamp((sum / static_cast<double>(diagonal.size()) - 1) / 2, least_shear, most_shear);
}

}  // namespace

Deflation::Deflation(const Preconditioner& a, std::span<const double> rest, const std::vector<BlockRow>& rows,
                     int vectors) {
  if (rows.empty() || !finite(rows)) return;
  usable_ = true;
  const std::size_t size = 3 * rows.size();
  for (auto* buffer : {&right_, &solution_, &residual_, &correction_}) buffer->resize(size);
  matrix_ = BlockMatrix<float>(rows);
  frames_ = Frames(rows, a.nodes(), rest);
  const auto diagonal = diagonal_blocks(rows);
  smoother_ = ChebyshevSmoother(matrix_, diagonal);
  // Between what brings shear (share) and change of volume (1) to eigenvalue one.
  omega_ = 1 / std::sqrt(share_of_shear(diagonal, a.diagonal(), a.nodes()));
  const std::vector<double> zero(size);
  modes_ = SlowModes(
      size, vectors,
      [&](std::span<const double> v, std::span<double> y) {
        matrix_.residual(zero, v, y);
        for (double& entry : y) entry = -entry;
      },
      [&](std::span<const double> r, std::span<double> z) { cycle(a, r, z); });
}

// As deflation_cycle.hpp wants them.
struct Deflation::Parts {
  using In = std::span<const double>;
  using Out = std::span<double>;
  Deflation& m;
  const Preconditioner& a;

  void smooth(In r, Out z) { m.smoother_.apply(m.matrix_, r, z); }
  void residual(In r, In z, Out rest) { m.matrix_.residual(r, z, rest); }
  void leave_residual(In r, In z, Out rest) {
    residual(r, z, rest);
    m.frames_.leave(rest, rest);
  }
  void solve(Out rest) { a.solve_rows(rest, rest); }
  void add_entered(Out rest, Out z) {
    m.frames_.enter(rest, rest);
    device::add_scaled(z, m.omega_, rest);
  }
  void add_smoothed(In rest, Out z) {
    smooth(rest, m.correction_);
    device::add_scaled(z, 1, m.correction_);
  }
};

void Deflation::cycle(const Preconditioner& a, std::span<const double> r, std::span<double> z) {
  Parts parts{*this, a};
  two_level_cycle(parts, r, z, residual_);
}

void Deflation::apply(const Preconditioner& a, std::span<const double> r, std::span<double> z) {
  a.gather(r, right_);
  frames_.enter(right_, right_);
  cycle(a, right_, solution_);
  modes_.add(right_, solution_);
  frames_.leave(solution_, solution_);
  a.scatter(solution_, z);
}

std::size_t Deflation::bytes() const {
  return matrix_.bytes() + frames_.bytes() + smoother_.bytes() + modes_.bytes() + 4 * right_.size() * sizeof(double);
}

}  // namespace proxima::solve
