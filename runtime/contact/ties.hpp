// Ties among the contacts: constraints that are always there.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/geometry.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// Of a list of keys those that are no ties are passed over, and so are their entries of the other spans, which have one
// a key. The geometry of a tie has what it is off by as its slip (m), and the part of that along a normal, which is the
// same for all, as its gap.
class Ties {
 public:
  explicit Ties(const model::Model& model);
  // Takes over where nodes are held.
  void set_values(const model::Model& model);

  // All of which a node is free; appended, in increasing order.
  void append(std::vector<model::ContactKey>& keys) const;
  // Takes out contacts between bodies one of whose nodes is tied to the other one's surface: there the tie says all.
  void remove_tied(std::vector<model::ContactKey>& keys) const;
  void evaluate(std::span<const model::ContactKey> keys, std::span<const double> x, std::span<Geometry> contacts) const;
  // From the derivatives by gap and slip adds those by x, 3 a node, there.
  void pull_back(std::span<const model::ContactKey> keys, std::span<const Geometry> bars, std::span<double> by_x,
                 Places places) const;

 private:
  const model::TiedNode& tied(const model::ContactKey& key) const;

  std::vector<model::Tie> ties_;
  std::vector<model::ContactKey> keys_;
  std::vector<std::pair<std::int32_t, std::int32_t>> joined_;  // nodes on both sides of ties, sorted, both ways round
};

}  // namespace proxima::contact
