#include "runtime/contact/slip_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/factor/kernels.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using Index = std::int32_t;

// Blocks are taken where what they leave falls by this from one time to the next, seen over so many; and until so
// little is left of the right-hand side.
constexpr double slowest = 0.25, enough = 1e-11;
constexpr int seen = 4, most_iterations = 40;

constexpr std::size_t together = 4;  // columns of S in one product
constexpr std::size_t padded(std::size_t size) { return (size + together - 1) / together * together; }

constexpr Index at(std::size_t i) { return static_cast<Index>(i); }

double norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

// Eight sums side by side, so that they fill vector registers.
double along(const double* a, const double* b, std::size_t size) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= size; i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += a[i + k] * b[i + k];
  double rest = 0;
  for (; i < size; ++i) rest += a[i] * b[i];
  for (const double sum : sums) rest += sum;
  return rest;
}

}  // namespace

SlipSystem::SlipSystem(const factor::FrontMatrix& S, std::size_t slips, std::vector<SlipRow> rows,
                       std::size_t most_decomposed)
    : S_(S), slips_(slips), rows_(std::move(rows)) {
  if (rows_.size() > most_decomposed && decompose_blocks())
    exists_ = true;
  else
    decompose_whole();
}

void SlipSystem::decompose_whole() {
  lu_.emplace(at(rows_.size()));
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double* const column = lu_->column(at(j));
    const double* const coupling = S_.column(at(rows_[j].contact));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      column[i] = coupling[rows_[i].contact] * dot(rows_[i].fixed, rows_[j].force);
    column[j] += rows_[j].own;
  }
  exists_ = lu_->factorize();
}

// The symmetric part.
bool SlipSystem::decompose(bool turns, Block& block) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k].turns == turns) block.rows.push_back(k);
  const std::size_t size = block.rows.size();
  const auto& kernels = factor::kernels().dense;
  block.inverse = factor::FrontMatrix(kernels, at(size), at(size));
  for (std::size_t j = 0; j < size; ++j) {
    const SlipRow& right = rows_[block.rows[j]];
    double* const column = block.inverse.column(at(j));
    const double* const coupling = S_.column(at(right.contact));
    for (std::size_t i = j; i < size; ++i) {
      const SlipRow& left = rows_[block.rows[i]];
      column[i] = coupling[left.contact] * (dot(left.fixed, right.force) + dot(right.fixed, left.force)) / 2;
    }
    column[j] += right.own;
  }
  factor::FrontMatrix nothing;
  return factor::factor_front(kernels, block.inverse, at(size), at(size), nothing) < 0;
}

bool SlipSystem::decompose_blocks() {
  blocks_.resize(2);
  Block &first = blocks_[0], &second = blocks_[1];
  bool converges = decompose(false, first) && decompose(true, second);
  if (converges) {
    // First what the other one moves less.
    std::vector<double> p(rows_.size(), 1);
    const auto from_first = product(p, &first), from_second = product(p, &second);
    double to_second = 0, to_first = 0;
    for (const std::size_t k : second.rows) to_second += from_first[k] * from_first[k];
    for (const std::size_t k : first.rows) to_first += from_second[k] * from_second[k];
    if (to_first > to_second) std::swap(first, second);
    // What is left of any forces after a number of times.
    double before = 0, now = norm(p);
    for (int k = 0; k < seen && now > 0; ++k) {
      auto left = product(p);
      precondition(left);
      for (std::size_t i = 0; i < p.size(); ++i) p[i] -= left[i];
      before = now;
      now = norm(p);
    }
    converges = now <= slowest * before || now <= enough * std::sqrt(static_cast<double>(rows_.size()));
  }
  if (!converges) blocks_.clear();
  return converges;
}

std::vector<double> SlipSystem::product(const std::vector<double>& p, const Block* from) const {
  std::vector<Vector3> forces(padded(slips_));
  const auto add_row = [&](std::size_t k) { mesh::add(forces[rows_[k].contact], p[k], rows_[k].force); };
  if (from != nullptr)
    for (const std::size_t k : from->rows) add_row(k);
  else
    for (std::size_t k = 0; k < rows_.size(); ++k) add_row(k);
  std::array<std::vector<double>, 3> moved;
  for (auto& axis : moved) axis.resize(slips_);
  for (std::size_t j = 0; j < slips_; j += together) {
    std::array<const double*, together> columns{};
    for (std::size_t k = 0; k < together; ++k) columns[k] = S_.column(at(std::min(j + k, slips_ - 1)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double* const sum = moved[axis].data();
      const double a = forces[j][axis], b = forces[j + 1][axis], c = forces[j + 2][axis], d = forces[j + 3][axis];
      if (a == 0 && b == 0 && c == 0 && d == 0) continue;
      for (std::size_t i = 0; i < slips_; ++i)
        sum[i] += columns[0][i] * a + columns[1][i] * b + columns[2][i] * c + columns[3][i] * d;
    }
  }
  std::vector<double> result;
  result.reserve(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const SlipRow& row = rows_[k];
    const Vector3 u = {moved[0][row.contact], moved[1][row.contact], moved[2][row.contact]};
    result.push_back(dot(row.fixed, u) + (from == nullptr ? row.own * p[k] : 0));
  }
  return result;
}

void SlipSystem::solve_block(const Block& block, std::vector<double>& p) const {
  const std::size_t size = block.rows.size();
  std::vector<double> up(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double* const column = block.inverse.column(at(j));
    const double value = p[block.rows[j]];
    for (std::size_t i = j; i < size; ++i) up[i] += column[i] * value;
  }
  for (std::size_t j = 0; j < size; ++j)
    p[block.rows[j]] = along(block.inverse.column(at(j)) + j, up.data() + j, size - j);
}

void SlipSystem::precondition(std::vector<double>& p) const {
  const Block &first = blocks_[0], &second = blocks_[1];
  solve_block(first, p);
  if (second.rows.empty()) return;
  const auto moved = product(p, &first);
  for (const std::size_t k : second.rows) p[k] -= moved[k];
  solve_block(second, p);
}

void SlipSystem::solve(std::vector<double>& p) const {
  if (lu_) {
    lu_->solve(p.data());
    return;
  }
  const std::vector<double> b = p;
  const double target = enough * norm(b);
  precondition(p);
  double before = INFINITY;
  for (int k = 0; k < most_iterations; ++k) {
    std::vector<double> left = product(p);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = b[i] - left[i];
    const double now = norm(left);
    if (now <= target || !(now < before)) break;
    before = now;
    precondition(left);
    for (std::size_t i = 0; i < left.size(); ++i) p[i] += left[i];
  }
}

}  // namespace proxima::contact
