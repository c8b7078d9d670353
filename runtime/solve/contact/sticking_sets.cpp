#include "runtime/solve/contact/sticking_sets.hpp"

#include <utility>

namespace proxima::solve {
namespace {

StickingSets::Set with_one_changed(const StickingSets::Set& set, const StickingSets::Set& shown, std::size_t c) {
  StickingSets::Set result = set;
  result[c] = shown[c];
  return result;
}

}  // namespace

StickingSets::Set StickingSets::next(const Set& tried, const Set& shown) {
  shown_[tried] = shown;
  for (std::size_t c = tried.size(); c-- > 0;)
    if (tried[c] != shown[c]) others_.push_back(with_one_changed(tried, shown, c));
  if (!shown_.contains(shown)) return shown;
  while (!others_.empty()) {
    Set one = std::move(others_.back());
    others_.pop_back();
    if (!shown_.contains(one)) return one;
  }
  return {};
}

std::optional<std::size_t> StickingSets::torn() const {
  for (const auto& [tried, shown] : shown_)
    for (std::size_t c = 0; c < tried.size(); ++c) {
      if (tried[c] == shown[c]) continue;
      const auto other = shown_.find(with_one_changed(tried, shown, c));
      if (other != shown_.end() && other->second[c] != other->first[c]) return c;
    }
  return std::nullopt;
}

void StickingSets::forget() {
  shown_.clear();
  others_.clear();
}

}  // namespace proxima::solve
