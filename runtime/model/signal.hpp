// Quantities that vary in time.
#pragma once

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

// The keys that a time lies between, and which share of the way from the first to the second has gone; outside the keys
// both are the outermost one, and the share is 0.
struct SignalPlace {
  std::size_t before = 0, after = 0;
  double share = 0;
};
SignalPlace place_in(const Signal& signal, double time);

// keys[k] += bar times the derivative of signal_value by the value of key k.
void add_signal_pull_back(const Signal& signal, double time, double bar, std::span<double> keys);

}  // namespace proxima::model
