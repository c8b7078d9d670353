// Newton's method on a face: with each contact held to be open, stick or slip, the conditions are smooth equations.
#pragma once

#include <vector>

#include "runtime/contact/condensed_point.hpp"
#include "runtime/contact/face.hpp"

namespace proxima::contact {

// The face that the trial forces of a point show, with its equations decomposed there: open contacts have no force,
// sticking ones no displacement, slipping ones no gap and a tangential force mu f.n against the slip, whose direction
// turns along.
class FaceNewton {
 public:
  explicit FaceNewton(const CondensedPoint& point);

  bool shown_by(const CondensedPoint& point) const;  // whether it has the same face
  // The forces after one step from those of the point, with the equations as they are there and the derivative of where
  // they were decomposed. An empty vector where there is no such step.
  std::vector<double> step(const CondensedPoint& point) const;

 private:
  Face face_;
};

}  // namespace proxima::contact
