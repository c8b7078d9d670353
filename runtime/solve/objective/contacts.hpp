// Who touches whom in a model, and by which law, and what is tied.
#pragma once

#include <vector>

#include "runtime/contact/detection.hpp"

namespace proxima::solve {

class Contacts {
 public:
  Contacts(const model::Model& model, jit::Engine& engine);
  void set_values(const model::Model& model);

  bool none() const { return pairs_.empty() && !ties_; }
  // Of what is no tie.
  const model::ContactPair& law(const model::ContactKey& key) const {
    return pairs_[static_cast<std::size_t>(key.pair)];
  }
  // Which nodes these look at or move; increasing.
  std::span<const std::int32_t> nodes() const { return nodes_; }
  bool penalty() const {
    return !pairs_.empty() && pairs_[0].penalty.has_value();
  }  // in the place of the law of contact
  const contact::Detection& detection() const { return detection_; }
  double margin() const { return margin_; }  // m: nearer than this a contact is looked at
  double passed() const { return passed_; }  // m: deeper than this what was not looked at has been passed through
  // m/s: what approaches more slowly does not bounce, so that a body which rests on another stays there.
  double slowest_bounce() const { return slowest_bounce_; }
  bool any_bounce() const;  // whether any pair has restitution

 private:
  void take_values(const model::Model& model);

  contact::Detection detection_;
  std::vector<model::ContactPair> pairs_;
  std::vector<std::int32_t> nodes_;
  bool ties_ = false;
  double margin_ = 0, passed_ = 0, slowest_bounce_ = 0;
};

}  // namespace proxima::solve
