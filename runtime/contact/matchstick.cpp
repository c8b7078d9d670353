#include "runtime/contact/matchstick.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::add;
using mesh::dot;
using mesh::norm;
using mesh::scaled;

// Of the cosine between parallel directions, whose angle has no derivative.
constexpr double parallel = 1 - 1e-12;

// The directions in the plane, pointing the same way, what they have of being parallel (1) or at right angles (0), and
// their sum.
struct Crossing {
  Vector3 first{}, second{}, sum{};
  double sign = 1, cosine = 0, share = 0;
  bool exists = false;
};
Crossing crossing_of(const Vector3& normal, const Vector3& first, const Vector3& second) {
  Crossing result{.first = along_of(first, normal), .second = along_of(second, normal)};
  result.exists = result.first != Vector3{} && result.second != Vector3{};
  if (!result.exists) return result;
  result.sign = dot(result.first, result.second) < 0 ? -1 : 1;
  result.second = scaled(result.sign, result.second);
  result.cosine = std::min(1.0, dot(result.first, result.second));
  result.share = 1 - 2 / std::numbers::pi * std::acos(result.cosine);
  result.sum = result.first;
  add(result.sum, 1, result.second);
  return result;
}

}  // namespace

FrictionCone matchstick(const Vector3& normal, const Vector3& first, const Vector3& second, const Coefficients& law) {
  const Crossing crossing = crossing_of(normal, first, second);
  if (!crossing.exists) return {.normal = normal, .friction = law.crossed};
  const double share = crossing.share;
  return {.normal = normal,
          .friction = share * law.along + (1 - share) * law.crossed,
          .along = scaled(1 / norm(crossing.sum), crossing.sum),
          .across = share * law.across + (1 - share) * law.crossed};
}

Coefficients matchstick_pull_back(const Vector3& normal, const Vector3& first, const Vector3& second,
                                  const Coefficients& law, const ConeBars& bars, Vector3& by_normal, Vector3& by_first,
                                  Vector3& by_second) {
  const Crossing crossing = crossing_of(normal, first, second);
  if (!crossing.exists) return {.crossed = bars.friction};
  const double share = crossing.share, length = norm(crossing.sum);
  const Vector3 along = scaled(1 / length, crossing.sum);
  const double by_share = bars.friction * (law.along - law.crossed) + bars.across * (law.across - law.crossed);
  const double by_cosine = crossing.cosine < parallel
                               ? by_share * 2 / std::numbers::pi / std::sqrt(1 - crossing.cosine * crossing.cosine)
                               : 0;
  Vector3 by_sum = scaled(1 / length, bars.along);
  add(by_sum, -dot(along, bars.along) / length, along);
  Vector3 of_first = by_sum, of_second = by_sum;
  add(of_first, by_cosine, crossing.second);
  add(of_second, by_cosine, crossing.first);
  along_pull_back(first, normal, of_first, by_first, by_normal);
  along_pull_back(second, normal, scaled(crossing.sign, of_second), by_second, by_normal);
  return {.along = share * bars.friction,
          .across = share * bars.across,
          .crossed = (1 - share) * (bars.friction + bars.across)};
}

}  // namespace proxima::contact
