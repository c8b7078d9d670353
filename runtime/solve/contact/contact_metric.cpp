#include "runtime/solve/contact/contact_metric.hpp"

namespace proxima::solve {

ContactMetric contact_metric(const Preconditioner& a, std::span<const model::ContactKey> keys,
                             std::span<const contact::Geometry> geometry, contact::CondensedStorage storage) {
  contact::ContactRows rows;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const auto& nodes = keys[c].nodes;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nodes[k] >= 0 && a.row(nodes[k]) >= 0 && geometry[c].weights[k] != 0)  // held nodes have no row
        rows.entries.push_back({a.row(nodes[k]), geometry[c].weights[k]});
    rows.first.push_back(rows.entries.size());
  }
  return {a.inverse(), rows, storage};
}

}  // namespace proxima::solve
