// Quantities that vary in time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace proxima::model {

// Linear between key frames, constant outside them.
struct SignalKey {
  double time = 0;  // s
  double value = 0;
};
using Signal = std::vector<SignalKey>;  // times increase
double signal_value(const Signal& signal, double time);

// The keys that a place lies between, and which share of the way from the first to the second has gone; outside the
// keys both are the outermost one, and the share is 0. `of` gives a key's own place; places increase.
struct KeyPlace {
  std::size_t before = 0, after = 0;
  double share = 0;
};
template <class Key, class Of>
KeyPlace place_among(const std::vector<Key>& keys, double at, Of of) {
  const auto next =
      std::upper_bound(keys.begin(), keys.end(), at, [&](double a, const Key& key) { return a < of(key); });
  const auto number = static_cast<std::size_t>(next - keys.begin());
  if (next == keys.begin()) return {0, 0, 0};
  if (next == keys.end()) return {number - 1, number - 1, 0};
  const double before = of(keys[number - 1]);
  return {number - 1, number, (at - before) / (of(keys[number]) - before)};
}
// values[k] += bar times the derivative of what is interpolated there by the value of key k.
inline void add_key_pull_back(const KeyPlace& place, double bar, std::span<double> values) {
  values[place.before] += (1 - place.share) * bar;
  values[place.after] += place.share * bar;
}

// keys[k] += bar times the derivative of signal_value by the value of key k.
void add_signal_pull_back(const Signal& signal, double time, double bar, std::span<double> keys);

}  // namespace proxima::model
