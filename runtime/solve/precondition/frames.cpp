#include "runtime/solve/precondition/frames.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/precondition/instruction_sets.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t lanes = 8, chunk = 32;  // groups of so many rows a chunk
constexpr Block identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

// Entry by entry; what is not regular ends as it likes.
PROXIMA_FOR_EACH_INSTRUCTION_SET void polar_factors(double x[9][lanes], bool regular[lanes]) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    double own[9];
    for (std::size_t entry = 0; entry < 9; ++entry) own[entry] = x[entry][lane];
    kernels::add_cofactors(own);
    regular[lane] = kernels::is_regular(own);
    for (std::size_t entry = 0; entry < 9; ++entry) x[entry][lane] = own[entry];
  }
  for (int k = 0; k < kernels::polar_steps; ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double own[9];
      for (std::size_t entry = 0; entry < 9; ++entry) own[entry] = x[entry][lane];
      kernels::polar_step(own);
      for (std::size_t entry = 0; entry < 9; ++entry) x[entry][lane] = own[entry];
    }
}

}  // namespace

void nearest_rotations(std::span<Block> matrices) {
  double x[9][lanes];
  bool regular[lanes];
  for (std::size_t begin = 0; begin < matrices.size(); begin += lanes) {
    const std::span<Block> own = matrices.subspan(begin, std::min(lanes, matrices.size() - begin));
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t entry = 0; entry < 9; ++entry)
        x[entry][lane] = lane < own.size() ? own[lane][entry] : identity[entry];
    polar_factors(x, regular);
    for (std::size_t lane = 0; lane < own.size(); ++lane) {
      if (regular[lane]) {
        for (std::size_t entry = 0; entry < 9; ++entry) own[lane][entry] = x[entry][lane];
      } else {
        kernels::add_cofactors(own[lane].data());
        kernels::rotation_by_quaternion(own[lane].data());
      }
    }
  }
}

Frames::Frames(const std::vector<BlockRow>& rows, std::span<const std::int32_t> nodes, std::span<const double> rest)
    : nodes_(nodes.begin(), nodes.end()), rotations_(rows.size(), identity) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    first_.push_back(static_cast<std::int64_t>(edges_.size()));
    double largest = 0;
    for (const Block& block : rows[row].blocks) largest = std::max(largest, std::abs(block[0] + block[4] + block[8]));
    for (std::size_t k = 0; k < rows[row].columns.size(); ++k) {
      const auto other = static_cast<std::size_t>(rows[row].columns[k]);
      if (other == row) continue;
      const Block& block = rows[row].blocks[k];
      kernels::WeighedEdge edge{nodes[other], {}};
      for (std::size_t a = 0; a < 3; ++a)
        edge.weight[a] = static_cast<float>(std::abs(block[0] + block[4] + block[8]) / largest *
                                            (rest[3 * static_cast<std::size_t>(nodes[other]) + a] -
                                             rest[3 * static_cast<std::size_t>(nodes[row]) + a]));
      edges_.push_back(edge);
    }
  }
  first_.push_back(static_cast<std::int64_t>(edges_.size()));
}

void Frames::turn(std::span<const double> x) {
  device::parallel_chunks(nodes_.size(), chunk * lanes, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const double* own = &x[3 * static_cast<std::size_t>(nodes_[row])];
      Block s{};
      for (auto k = static_cast<std::size_t>(first_[row]); k < static_cast<std::size_t>(first_[row + 1]); ++k)
        kernels::add_edge(s.data(), own, &x[3 * static_cast<std::size_t>(edges_[k].node)], edges_[k].weight);
      rotations_[row] = s;
    }
    nearest_rotations(std::span(rotations_).subspan(begin, end - begin));
  });
}

void Frames::enter(std::span<const double> a, std::span<double> b) const {
  for (std::size_t row = 0; row < rotations_.size(); ++row)
    kernels::multiply_transposed(rotations_[row].data(), &a[3 * row], &b[3 * row]);
}

void Frames::leave(std::span<const double> a, std::span<double> b) const {
  for (std::size_t row = 0; row < rotations_.size(); ++row)
    kernels::multiply(rotations_[row].data(), &a[3 * row], &b[3 * row]);
}

std::size_t Frames::bytes() const {
  return edges_.size() * sizeof(kernels::WeighedEdge) + rotations_.size() * sizeof(Block) +
         first_.size() * sizeof(std::int64_t) + nodes_.size() * sizeof(std::int32_t);
}

}  // namespace proxima::solve
