#include "runtime/model/signal.hpp"

namespace proxima::model {
namespace {

KeyPlace place_in(const Signal& signal, double time) {
  return place_among(signal, time, [](const SignalKey& key) { return key.time; });
}

}  // namespace

double signal_value(const Signal& signal, double time) {
  const auto [before, after, share] = place_in(signal, time);
  if (before == after) return signal[before].value;
  return signal[before].value + share * (signal[after].value - signal[before].value);
}

void add_signal_pull_back(const Signal& signal, double time, double bar, std::span<double> keys) {
  add_key_pull_back(place_in(signal, time), bar, keys);
}

}  // namespace proxima::model
