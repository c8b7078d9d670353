// Continuous detection: when a vertex meets a face, or an edge an edge, while all four nodes move in straight lines.
#pragma once

#include <vector>

#include "runtime/contact/nearest.hpp"

namespace proxima::contact {

struct Touch {
  double time = 0;  // 0 to 1
  // The sign, just before, of the volume of the four nodes: (b - a) x (c - a) . (v - a) of a vertex v and a face a b c,
  // (a1 - a0) x (b1 - b0) . (a0 - b0) of two edges; 0 where all four stay in one plane.
  int side = 0;
};

// All times, increasing, at which the two are nearer than 1e-9 of their size: the roots of the volume, a cubic in time
// (Provot 1997; Bridson, Fedkiw and Anderson 2002), at which the nearest points do coincide. Where the nodes stay in
// one plane the volume says nothing; then the first time is found by steps that are too short to meet (Li et al. 2021,
// additive continuous detection).
std::vector<Touch> touches(model::ContactKind kind, const Four& start, const Four& end);

}  // namespace proxima::contact
