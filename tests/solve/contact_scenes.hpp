// Blocks that meet a plane or a ball, for the tests of contact.
#pragma once

#include <optional>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

struct ContactScene {
  double slope = 0;        // degrees; the plane stays z = 0, gravity is turned about y
  double friction = 0;     // Coulomb's coefficient
  double restitution = 0;  //
  double young = 1e5;      // Pa, with Poisson's ratio 0.4 and 1000 kg/m^3
  double height = 0;       // m, of the block's lower side over the plane
  int refine = 1;          // 4 x 4 x 2 cells for each
  bool ball = false;       // the obstacle is one of radius 0.1 m whose top is where the plane would be
  // Of an elliptic cone: the coefficient across this direction, along which it is `friction`.
  double across = 0;
  mesh::Vector3 direction{};
  // Of matchsticks: the block's own direction, and the coefficient where the two cross.
  mesh::Vector3 own_direction{};
  double crossed = 0;
  std::optional<model::Penalty> penalty{};
};

// A block of 0.1 x 0.1 x 0.05 m, its corner at the origin, in steps of 0.01 s under gravity.
model::Model make_block(const ContactScene& scene);

}  // namespace proxima::bodies
