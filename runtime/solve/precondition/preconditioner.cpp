#include "runtime/solve/precondition/preconditioner.hpp"

#include <algorithm>
#include <utility>

namespace proxima::solve {
namespace {

// Visits the pairs (a, b), b <= a, of an element's corners: lower triangles by rows.
template <class Visit>
void each_pair(int corners, Visit visit) {
  for (int a = 0; a < corners; ++a)
    for (int b = 0; b <= a; ++b) visit(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

// Shape gradients of all corners at a quadrature point, row by row.
std::vector<double> all_gradients(const mesh::RestGeometry& rest, std::size_t point) {
  const auto dimension = static_cast<std::size_t>(rest.dimension);
  const std::size_t count = static_cast<std::size_t>(rest.corners - 1) * dimension;
  std::vector<double> result(dimension);
  for (std::size_t k = 0; k < count; ++k) {
    result.push_back(rest.gradients[point * count + k]);
    result[k % dimension] -= result.back();
  }
  return result;
}

void add_laplacian(const mesh::RestGeometry& rest, std::size_t element, std::vector<double>& out) {
  const auto dimension = static_cast<std::size_t>(rest.dimension), points = static_cast<std::size_t>(rest.points);
  const std::size_t first = out.size();
  if (dimension < 2) {
    const double share = rest.corners == 1 ? 0 : 1.0 / rest.corners;
    const double scale = dimension == 1 ? 2 : 1;  // an edge: 1 -1 / -1 1
    each_pair(rest.corners, [&](std::size_t a, std::size_t b) { out.push_back(scale * ((a == b ? 1 : 0) - share)); });
    return;
  }
  each_pair(rest.corners, [&](std::size_t, std::size_t) { out.push_back(0); });
  for (std::size_t q = 0; q < points; ++q) {
    const std::size_t point = element * points + q;
    const auto g = all_gradients(rest, point);
    std::size_t k = first;
    each_pair(rest.corners, [&](std::size_t a, std::size_t b) {
      double product = 0;
      for (std::size_t c = 0; c < dimension; ++c) product += g[dimension * a + c] * g[dimension * b + c];
      out[k++] += rest.measure[point] * product;
    });
  }
}

}  // namespace

Preconditioner::Preconditioner(const std::vector<Part>& parts, const std::vector<char>& held, factor::Storage storage,
                               const Preconditioner* like) {
  row_.assign(held.size(), -1);
  for (std::size_t node = 0; node < held.size(); ++node) {
    if (held[node]) continue;
    row_[node] = static_cast<std::int32_t>(free_.size());
    free_.push_back(static_cast<std::int32_t>(node));
  }
  add_pattern(parts);
  for (const Part& part : parts) add_slots(part);
  set_rest(parts);
  if (like != nullptr && like->factor_->storage() == storage && like->matrix_.first == matrix_.first &&
      like->matrix_.row == matrix_.row) {
    factor_ = like->factor_;
    factored_ = like->factored_;
    factors_ = like->factors_;
  } else {
    factor_ = std::make_shared<factor::SupernodalCholesky>(matrix_, storage);
    factors_ = std::make_shared<Factors>();
    factors_->all.push_back({factor_, nullptr});
  }
  inverse_.emplace(*factor_);
  diagonal_.resize(held.size());
  compact_.resize(3 * free_.size());
}

void Preconditioner::add_pattern(const std::vector<Part>& parts) {
  matrix_.size = static_cast<std::int32_t>(free_.size());
  std::vector<std::vector<std::int32_t>> columns(free_.size());
  for (std::size_t i = 0; i < free_.size(); ++i) columns[i].push_back(static_cast<std::int32_t>(i));
  for (const Part& part : parts)
    for (std::size_t e = 0; e < part.elements->count(); ++e) {
      const auto nodes = part.elements->of(e);
      each_pair(part.elements->corners, [&](std::size_t a, std::size_t b) {
        const auto [low, high] = std::minmax(row_[nodes[a]], row_[nodes[b]]);
        if (low >= 0) columns[low].push_back(high);
      });
    }
  matrix_.first.push_back(0);
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    matrix_.row.insert(matrix_.row.end(), column.begin(), column.end());
    matrix_.first.push_back(static_cast<std::int64_t>(matrix_.row.size()));
  }
  matrix_.value.resize(matrix_.row.size());
}

void Preconditioner::set_rest(const std::vector<Part>& parts) {
  first_.clear();
  stiffness_.clear();
  for (const Part& part : parts)
    for (std::size_t e = 0; e < part.elements->count(); ++e) {
      first_.push_back(stiffness_.size());
      add_laplacian(*part.rest, e, stiffness_);
    }
  first_.push_back(stiffness_.size());
}

void Preconditioner::add_slots(const Part& part) {
  for (std::size_t e = 0; e < part.elements->count(); ++e) {
    const auto nodes = part.elements->of(e);
    each_pair(part.elements->corners, [&](std::size_t a, std::size_t b) {
      const auto [low, high] = std::minmax(row_[nodes[a]], row_[nodes[b]]);
      std::int64_t slot = -1;
      if (low >= 0) {
        const auto begin = matrix_.row.begin() + matrix_.first[low], end = matrix_.row.begin() + matrix_.first[low + 1];
        slot = std::lower_bound(begin, end, high) - matrix_.row.begin();
      }
      slot_.push_back(slot);
    });
  }
}

void Preconditioner::build(std::span<const double> diagonal, std::span<const double> weights) {
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i) matrix_.value[matrix_.first[i]] = diagonal[free_[i]];
  for (std::size_t e = 0; e < weights.size(); ++e)
    for (std::size_t k = first_[e]; k < first_[e + 1]; ++k)
      if (slot_[k] >= 0) matrix_.value[slot_[k]] += weights[e] * stiffness_[k];
  for (std::size_t i = 0; i < free_.size(); ++i) diagonal_[free_[i]] = matrix_.value[matrix_.first[i]];
  if (seat_ != nullptr) seat_->leave();
  seat_ = nullptr;
  inverse_->clear();
  if (factored_ != nullptr && *factored_ == matrix_.value) return;
  const std::scoped_lock lock(factors_->mutex);
  const factor::SupernodalCholesky* const before = factor_.get();
  const factor::Storage storage = factor_->storage();
  factored_.reset();
  factor_.reset();  // idle, if nobody else has it
  Built* built = find_built();
  if (built == nullptr)
    built = &factors_->all.emplace_back(Built{std::make_shared<factor::SupernodalCholesky>(matrix_, storage), nullptr});
  factor_ = built->factor;
  if (factor_.get() != before) inverse_.emplace(*factor_);
  if (built->values == nullptr || *built->values != matrix_.value) {
    built->values.reset();
    factor_->factorize(matrix_);
    built->values = std::make_shared<const std::vector<double>>(matrix_.value);
  }
  factored_ = built->values;
  bool kept = false;
  std::erase_if(factors_->all, [&](const Built& one) { return one.idle() && std::exchange(kept, true); });
}

// Of these values, or else an idle one; null: neither.
Preconditioner::Built* Preconditioner::find_built() const {
  auto& all = factors_->all;
  auto found = std::ranges::find_if(
      all, [&](const Built& one) { return one.values != nullptr && *one.values == matrix_.value; });
  if (found == all.end()) found = std::ranges::find_if(all, &Built::idle);
  return found == all.end() ? nullptr : &*found;
}

void Preconditioner::gather(std::span<const double> of_nodes, std::span<double> of_rows) const {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const double* from = &of_nodes[3 * static_cast<std::size_t>(free_[i])];
    std::copy(from, from + 3, &of_rows[3 * i]);
  }
}

void Preconditioner::scatter(std::span<const double> of_rows, std::span<double> of_nodes) const {
  std::fill(of_nodes.begin(), of_nodes.end(), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i)
    std::copy(&of_rows[3 * i], &of_rows[3 * i] + 3, &of_nodes[3 * static_cast<std::size_t>(free_[i])]);
}

void Preconditioner::apply(std::span<const double> r, std::span<double> z) const {
  gather(r, compact_);
  solve_rows(compact_, compact_);
  scatter(compact_, z);
}

}  // namespace proxima::solve
