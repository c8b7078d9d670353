// Tests that a laboratory would make on a block: stretched along axes with the other sides free, sheared, inflated.
// Internal to the room.
#pragma once

#include "compiler/check/context.hpp"

namespace proxima::check {

struct Point {
  double stretch;  // or the amount of shear
  double stress;   // nominal, per area at rest
  Vector strain;   // the deformation; empty where no equilibrium was found
};

struct Experiment {
  unsigned measures;  // on which it can be made
  const char* key;
  const char* title;
  const char* below;  // what is done below rest, "pressed along one axis with free sides"
  const char* above;
  const char* x_label;
  double at_rest;                                          // 1 for a stretch, 0 for a shear
  double lowest, highest;                                  // how far curves go
  int prescribed;                                          // the first so many stretches are given, the others free
  Matrix3 (*at)(double);                                   // where the lateral sides would be if they did not move
  double (*linear)(const Moduli& moduli, double stretch);  // stress by linear elasticity
};

std::span<const Experiment> experiments();

// Points from rest to `end`, `count` steps of equal size; the free sides are moved by Newton until nothing pulls on
// them. Where that finds no equilibrium the remaining points are left out.
std::vector<Point> measure(const Context& context, const Experiment& experiment, double end, int count);

}  // namespace proxima::check
