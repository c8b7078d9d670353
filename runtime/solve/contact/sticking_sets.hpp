// Static friction: which contacts stick and which are open, tried set by set.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "runtime/model/contact.hpp"

namespace proxima::solve {

class StickingSets {
 public:
  using Set = std::vector<model::ContactState>;

  // What to try after `tried`, whose contacts are then in the states `shown`: pulled ones let go, and those that went
  // in held, all at once; where that has been tried before, one after the other alone, the first first, from all sets
  // so far. Empty where there is none.
  Set next(const Set& tried, const Set& shown);
  std::size_t count() const { return shown_.size(); }  // how many have been tried
  // A contact that is pulled where it sticks and goes in where it is let go, the others the same.
  std::optional<std::size_t> torn() const;
  void forget();

 private:
  std::map<Set, Set> shown_;  // by what was tried
  std::vector<Set> others_;   // to try, the last first
};

}  // namespace proxima::solve
