// The forces that friction allows at one contact, and the nearest of them.
#pragma once

#include "runtime/model/contact.hpp"

namespace proxima::contact {

using mesh::Vector3;

// |f_t| <= mu f.n; or, where `along` is given, the elliptic cone with mu along that tangent and another coefficient
// across it (Macklin 2020, section 3.2): (f_along / mu)^2 + (f_across / mu_across)^2 <= (f.n)^2. A slip then goes along
// the outer normal of the ellipse at -f_t, so that as much energy as possible is lost.
struct FrictionCone {
  Vector3 normal{0, 0, 1};  // unit
  double friction = 0;      // mu >= 0; infinite: sticks whenever it is pressed
  Vector3 along{};          // a unit tangent; zero: the same friction in all directions
  double across = 0;        // mu across `along`, which needs both coefficients positive and finite
  bool bilateral = false;   // a tie, which allows all forces and sticks
  bool elliptic() const { return along != Vector3{}; }
};

// The force with the normal part of t, at least 0, and the tangential part nearest to that of t: what solves a contact
// that is alone, where t = f - s / D_cc.
struct Projected {
  Vector3 force{};
  model::ContactState state = model::ContactState::open;
};
Projected project(const FrictionCone& cone, const Vector3& t);
// How far the tangential part of t is outside the cone, negative inside, without end of a tie; of an elliptic cone when
// it is stretched across `along` until it is round.
double beyond_edge(const FrictionCone& cone, const Vector3& t);

// Where the edge of the cone is that a slipping contact's trial force t belongs to: forces there are p (n + edge) for
// any p > 0. `tangent` is the unit tangent to the edge there, `turn` in (0, 1) the change of the force along it for a
// change of t along it.
struct SlipDirection {
  Vector3 edge{}, tangent{};
  double turn = 0;
};
SlipDirection slip_direction(const FrictionCone& cone, const Vector3& t);

// The part of a direction that lies in the plane of contact, of length 1; zero where nearly nothing of it does.
Vector3 along_of(const Vector3& direction, const Vector3& normal);
// From the derivatives by that, adds those by direction and normal.
void along_pull_back(const Vector3& direction, const Vector3& normal, const Vector3& bar, Vector3& by_direction,
                     Vector3& by_normal);

// The tangential part of a vector with its component along `along` times a and that across times b.
Vector3 stretched(const FrictionCone& cone, const Vector3& v, double a, double b);

}  // namespace proxima::contact
