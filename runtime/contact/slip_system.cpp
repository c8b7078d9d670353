#include "runtime/contact/slip_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/contact/columns.hpp"
#include "runtime/factor/kernels.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using Index = std::int32_t;

// Blocks are taken where what they leave falls by this from one time to the next, seen over so many; and until so
// little is left of the right-hand side.
constexpr double slowest = 0.25, enough = 1e-11;
constexpr int seen = 4, most_iterations = 40;

constexpr Index at(std::size_t i) { return static_cast<Index>(i); }

double norm(const std::vector<double>& v) { return std::sqrt(along(v.data(), v.data(), v.size())); }

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
  Axes forces, moved;
  for (auto& axis : forces) axis.resize(slips_);
  for (auto& axis : moved) axis.resize(slips_);
  const auto add_row = [&](std::size_t k) {
    const SlipRow& row = rows_[k];
    for (std::size_t axis = 0; axis < 3; ++axis) forces[axis][row.contact] += p[k] * row.force[axis];
  };
  if (from != nullptr)
    for (const std::size_t k : from->rows) add_row(k);
  else
    for (std::size_t k = 0; k < rows_.size(); ++k) add_row(k);
  add_product(S_, slips_, slips_, Above::values, forces, moved);
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
