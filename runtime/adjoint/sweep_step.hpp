// What a sweep backward is told of a step and passes on from one to the next, wherever its vectors live: a place is
// HostSweep or CudaSweep.
#pragma once

#include <span>
#include <string>

#include "runtime/solve/step/step.hpp"

namespace proxima::adjoint {

// Whose rule of the host it is that looks at some nodes of vectors, and adds to them.
enum class Rule : std::uint8_t { load, controller, contact };

// Derivatives of all that follows by a state.
template <class Place>
struct Bars {
  typename Place::Vector x, v;
  typename Place::History q;
};

template <class Place>
struct ForwardStep {
  int number = 0;                      // of the whole step, from 1 on
  std::string name;                    // for messages
  double end = 0;                      // s
  const solve::State& before;          // the state that the body was in
  const typename Place::State& there;  // the same, where the sweep is
  typename Place::Start start;
  typename Place::In after;                     // positions
  std::span<const double> driven;               // what controllers set in it
  std::span<const model::ContactKey> touching;  // at its end
  bool first = true;                            // false for sub-steps after the first
};

// Where a linear solve starts from, the residual that may stay (null: none), and to what share of the rest it goes.
template <class Place>
struct Guess {
  typename Place::In z;
  const typename Place::Vector* left;
  double reduction;
};

}  // namespace proxima::adjoint
