#include "runtime/solve/contact/contact_blocks.hpp"

#include <algorithm>

#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::solve {
namespace {

using mesh::dot;
using mesh::vector_at;
using model::Vector3;

constexpr std::size_t numbers = 12;  // of the nodes of a contact

}  // namespace

std::vector<double> at_nodes_of(std::span<const model::ContactKey> keys, std::span<const double> v) {
  std::vector<double> result(numbers * keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c)
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k)
      if (keys[c].nodes[k] >= 0) mesh::add_at(result, 4 * c + k, 1, vector_at(v, keys[c].nodes[k]));
  return result;
}

std::vector<ContactBlock> pulled_back(const ContactSet& contacts, std::span<const double> x, WithForces forces,
                                      const BarsOfContacts& bars) {
  const auto keys = contacts.keys();
  std::vector<ContactBlock> result(keys.size());
  std::size_t nodes = 0;
  for (const auto& key : keys)
    for (std::size_t k = nodes; k < key.nodes.size(); ++k)
      if (key.nodes[k] >= 0) nodes = k + 1;
  std::vector<double> at_nodes(numbers * keys.size()), at_contacts(3 * keys.size()), column(at_nodes.size());
  const auto set = [](std::vector<double>& of_all, std::size_t width, std::size_t j, double value) {
    for (std::size_t at = j; at < of_all.size(); at += width) of_all[at] = value;
  };
  const auto find = [&](std::vector<double>& unit, std::size_t width, std::size_t j, const auto& take) {
    set(unit, width, j, 1);
    std::fill(column.begin(), column.end(), 0.0);
    contacts.pull_back(x, bars(at_nodes, at_contacts), column);
    set(unit, width, j, 0);
    for (std::size_t c = 0; c < keys.size(); ++c)
      for (std::size_t i = 0; i < numbers; ++i) take(result[c], i, column[numbers * c + i]);
  };
  for (std::size_t j = 0; j < 3 * nodes; ++j)
    find(at_nodes, numbers, j, [&](ContactBlock& of, std::size_t i, double value) { of.by_moves[12 * i + j] = value; });
  for (std::size_t j = 0; j < 3 && forces == WithForces::yes; ++j)
    find(at_contacts, 3, j, [&](ContactBlock& of, std::size_t i, double value) { of.by_forces[3 * i + j] = value; });
  return result;
}

// gap' v = n . W v, whose derivative is that of n and the weights at fixed v.
std::vector<ContactBlock> curvature(const ContactSet& contacts, std::span<const double> x,
                                    std::span<const contact::Geometry> at, std::span<const double> pressed) {
  return pulled_back(contacts, x, WithForces::no, [&](std::span<const double> v, std::span<const double>) {
    std::vector<contact::Geometry> bars(at.size());
    for (std::size_t c = 0; c < at.size(); ++c) {
      bars[c].weights = {};
      if (pressed[c] == 0) continue;
      for (std::size_t k = 0; k < at[c].weights.size(); ++k) {
        const Vector3 moved = vector_at(v, 4 * c + k);
        mesh::add(bars[c].normal, -pressed[c] * at[c].weights[k], moved);
        bars[c].weights[k] = -pressed[c] * dot(at[c].normal, moved);
      }
    }
    return bars;
  });
}

void add_answer(const contact::Geometry& at, const std::array<Vector3, 3>& K, ContactBlock& block) {
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < 4; ++l)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          block.by_moves[12 * (3 * k + i) + 3 * l + j] += at.weights[k] * at.weights[l] * K[i][j];
}

}  // namespace proxima::solve
