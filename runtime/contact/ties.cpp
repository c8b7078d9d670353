#include "runtime/contact/ties.hpp"

#include <algorithm>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using model::ContactKey;
using model::ContactKind;

}  // namespace

Ties::Ties(const model::Model& model) : ties_(model.ties) {
  const auto held = model::held_nodes(model);
  for (std::size_t t = 0; t < ties_.size(); ++t)
    for (const auto& [nodes, weights, at] : ties_[t].tied) {
      bool free = false;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        free = free || (nodes[k] >= 0 && weights[k] != 0 && held[static_cast<std::size_t>(nodes[k])] == 0);
        if (k == 0 || nodes[k] < 0) continue;
        joined_.emplace_back(nodes[0], nodes[k]);
        joined_.emplace_back(nodes[k], nodes[0]);
      }
      if (free) keys_.push_back({static_cast<std::int32_t>(t), ContactKind::tie, 1, nodes});
    }
  std::ranges::sort(joined_);
}

void Ties::set_values(const model::Model& model) { ties_ = model.ties; }

void Ties::append(std::vector<ContactKey>& keys) const { keys.insert(keys.end(), keys_.begin(), keys_.end()); }

void Ties::remove_tied(std::vector<ContactKey>& keys) const {
  if (joined_.empty()) return;
  std::erase_if(keys, [&](const ContactKey& key) {
    if (!model::between_bodies(key)) return false;
    const std::size_t own = model::first_nodes(key);
    for (std::size_t a = 0; a < own; ++a)
      for (std::size_t b = own; b < key.nodes.size(); ++b)
        if (std::ranges::binary_search(joined_, std::pair(key.nodes[a], key.nodes[b]))) return true;
    return false;
  });
}

const model::TiedNode& Ties::tied(const ContactKey& key) const {
  const auto& all = ties_[static_cast<std::size_t>(key.pair)].tied;
  return *std::ranges::lower_bound(all, key.nodes[0], {}, [](const model::TiedNode& tied) { return tied.nodes[0]; });
}

void Ties::evaluate(std::span<const ContactKey> keys, std::span<const double> x, std::span<Geometry> contacts) const {
  for (std::size_t c = 0; c < keys.size(); ++c) {
    if (!is_tie(keys[c])) continue;
    const auto& [nodes, weights, at] = tied(keys[c]);
    const auto& to = ties_[static_cast<std::size_t>(keys[c].pair)].to;
    Vector3 off = mesh::scaled(-1, at);
    mesh::add(off, -1, to);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nodes[k] >= 0) mesh::add(off, weights[k], mesh::vector_at(x, nodes[k]));
    contacts[c] = {.gap = off[2], .normal = {0, 0, 1}, .weights = weights, .slip = off};
  }
}

void Ties::pull_back(std::span<const ContactKey> keys, std::span<const Geometry> bars, std::span<double> by_x,
                     Places places) const {
  for (std::size_t c = 0; c < keys.size(); ++c) {
    if (!is_tie(keys[c])) continue;
    const auto& [nodes, weights, at] = tied(keys[c]);
    Vector3 by_off = bars[c].slip;
    by_off[2] += bars[c].gap;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nodes[k] >= 0) mesh::add_at(by_x, place_of(places, keys[c], c, k), weights[k], by_off);
  }
}

}  // namespace proxima::contact
