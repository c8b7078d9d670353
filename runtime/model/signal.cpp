#include "runtime/model/signal.hpp"

#include <algorithm>

namespace proxima::model {

SignalPlace place_in(const Signal& signal, double time) {
  const auto next =
      std::upper_bound(signal.begin(), signal.end(), time, [](double t, const SignalKey& key) { return t < key.time; });
  const auto number = static_cast<std::size_t>(next - signal.begin());
  if (next == signal.begin()) return {0, 0, 0};
  if (next == signal.end()) return {number - 1, number - 1, 0};
  const SignalKey& before = *(next - 1);
  return {number - 1, number, (time - before.time) / (next->time - before.time)};
}

double signal_value(const Signal& signal, double time) {
  const auto [before, after, share] = place_in(signal, time);
  if (before == after) return signal[before].value;
  return signal[before].value + share * (signal[after].value - signal[before].value);
}

void add_signal_pull_back(const Signal& signal, double time, double bar, std::span<double> keys) {
  const auto [before, after, share] = place_in(signal, time);
  keys[before] += (1 - share) * bar;
  keys[after] += share * bar;
}

}  // namespace proxima::model
