#include "runtime/solve/contact_metric.hpp"

#include <algorithm>

namespace proxima::solve {
namespace {

template <class Visit>
void each_free_node(const Preconditioner& a, const model::ContactKey& key, const contact::Geometry& geometry,
                    Visit visit) {
  for (std::size_t k = 0; k < key.nodes.size(); ++k)
    if (key.nodes[k] >= 0 && a.row(key.nodes[k]) >= 0 && geometry.weights[k] != 0)
      visit(a.row(key.nodes[k]), geometry.weights[k]);
}

}  // namespace

ContactMetric::ContactMetric(const Preconditioner& a, std::span<const model::ContactKey> keys,
                             std::span<const contact::Geometry> geometry)
    : inverse_(&a.inverse()), size_(keys.size()), first_{0}, matrix_(size_ * size_) {
  std::vector<std::int32_t> rows;
  for (std::size_t c = 0; c < size_; ++c)
    each_free_node(a, keys[c], geometry[c], [&](std::int32_t row, double) { rows.push_back(row); });
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  places_ = a.inverse().place(rows);
  for (std::size_t c = 0; c < size_; ++c) {
    each_free_node(a, keys[c], geometry[c], [&](std::int32_t row, double weight) {
      const auto at = std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
      entries_.push_back({static_cast<std::size_t>(at), weight});
    });
    first_.push_back(entries_.size());
  }
  for (std::size_t c = 0; c < size_; ++c)
    for (std::size_t d = 0; d <= c; ++d) {
      double sum = 0;
      for (const auto& [i, w] : entries(c)) {
        const double* line = inverse_->line(places_[i]);
        for (const auto& [j, v] : entries(d)) sum += w * v * line[places_[j]];
      }
      matrix_[c * size_ + d] = matrix_[d * size_ + c] = sum;
    }
}

void ContactMetric::gather(std::span<const double> half, std::span<double> at_contacts) const {
  std::vector<double> at_nodes(3 * places_.size());
  inverse_->gather(places_, half, at_nodes);
  std::fill(at_contacts.begin(), at_contacts.end(), 0.0);
  for (std::size_t c = 0; c < size_; ++c)
    for (const auto& [place, weight] : entries(c))
      for (std::size_t i = 0; i < 3; ++i) at_contacts[3 * c + i] += weight * at_nodes[3 * place + i];
}

void ContactMetric::add(std::span<const double> forces, std::span<double> half) const {
  std::vector<double> at_nodes(3 * places_.size());
  for (std::size_t c = 0; c < size_; ++c)
    for (const auto& [place, weight] : entries(c))
      for (std::size_t i = 0; i < 3; ++i) at_nodes[3 * place + i] += weight * forces[3 * c + i];
  inverse_->scatter(places_, at_nodes, half);
}

}  // namespace proxima::solve
