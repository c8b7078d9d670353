#include "runtime/solve/contact/penalty_point.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::solve {

template <class P>
contact::PenaltyLaw BasicPenaltyEquations<P>::law(const contact::Geometry& at, std::size_t c) const {
  const auto& penalty = *view_.host().contacts().law(contacts_.keys()[c]).penalty;
  const auto& step = contacts_.step();
  return {penalty, contacts_.cone(c, at), penalty.slip_speed * (step.end - step.begin)};
}

template <class P>
auto BasicPenaltyEquations<P>::evaluate(Vector x) const -> Point {
  Point point{std::move(x)};
  point.residual = INFINITY;
  const auto& elastic = potential_.elastic(point.x);
  if (!std::isfinite(elastic.energy.value)) return point;
  point.left = potential_.imbalance(point.x);
  device::add_scaled(point.left, 1, elastic.gradient);
  point.at = contacts_.at(view_.seen(point.x));
  std::vector<double> forces(3 * point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c) {
    const auto force = contact::penalty_force(law(point.at[c], c), point.at[c]);
    mesh::add_at(forces, c, force.pressed, force.direction);
  }
  view_.add(point.left, [&](std::span<double> y) { add_forces(contacts_.keys(), point.at, forces, -1, y); });
  point.residual = device::norm(point.left);
  return point;
}

template class BasicPenaltyEquations<Potential>;
template class BasicPenaltyEquations<CudaPotential>;

// (1 + K D) F = K u on the contacts that answer.
struct PenaltyCoupling::State {
  State(const ContactMetric& d, std::vector<Block> given)
      : blocks(std::move(given)), active(answering(blocks)), lu(static_cast<std::int32_t>(3 * active.size())) {
    for (std::size_t j = 0; j < active.size(); ++j)
      for (std::size_t b = 0; b < 3; ++b) {
        double* const column = lu.column(static_cast<std::int32_t>(3 * j + b));
        for (std::size_t i = 0; i < active.size(); ++i)
          for (std::size_t a = 0; a < 3; ++a) column[3 * i + a] = blocks[active[i]][a][b] * d.row(active[i])[active[j]];
        column[3 * j + b] += 1;
      }
    exists = lu.factorize();
  }

  static std::vector<std::size_t> answering(const std::vector<Block>& blocks) {
    std::vector<std::size_t> result;
    for (std::size_t c = 0; c < blocks.size(); ++c)
      if (blocks[c] != Block{}) result.push_back(c);
    return result;
  }

  std::vector<Block> blocks;
  std::vector<std::size_t> active;
  factor::DenseLu lu;
  bool exists = false;
};

PenaltyCoupling::PenaltyCoupling(const ContactMetric& d, std::vector<Block> blocks)
    : state_(std::make_unique<State>(d, std::move(blocks))) {}
PenaltyCoupling::~PenaltyCoupling() = default;

bool PenaltyCoupling::exists() const { return state_->exists; }
std::span<const std::size_t> PenaltyCoupling::active() const { return state_->active; }
std::span<const PenaltyCoupling::Block> PenaltyCoupling::blocks() const { return state_->blocks; }
const factor::DenseLu& PenaltyCoupling::decomposed() const { return state_->lu; }

void PenaltyCoupling::forces(std::span<const double> u, std::span<double> result) const {
  std::vector<double> f;
  f.reserve(3 * state_->active.size());
  for (const auto c : state_->active)
    for (const auto& row : state_->blocks[c]) f.push_back(mesh::dot(row, mesh::vector_at(u, c)));
  state_->lu.solve(f.data());
  std::fill(result.begin(), result.end(), 0.0);
  for (std::size_t i = 0; i < state_->active.size(); ++i)
    mesh::add_at(result, state_->active[i], 1, mesh::vector_at(f, i));
}

}  // namespace proxima::solve
