// Quantities that vary in time.
#pragma once

#include <vector>

namespace proxima::model {

// Linear between key frames, constant outside them.
struct SignalKey {
  double time = 0;  // s
  double value = 0;
};
using Signal = std::vector<SignalKey>;  // times increase
double signal_value(const Signal& signal, double time);

}  // namespace proxima::model
