#include "runtime/contact/splitting.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

void run_splitting(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome) {
  std::vector<double> diagonal(point.size()), next(3 * point.size()), room;
  const auto D = point.matrix().values(room);
  for (std::size_t c = 0; c < point.size(); ++c)
    for (std::size_t d = 0; d < point.size(); ++d) diagonal[c] += std::abs(D[c * point.size() + d]);
  for (; outcome.sweeps < settings.max_sweeps && point.residual() > settings.tolerance; ++outcome.sweeps) {
    for (std::size_t c = 0; c < point.size(); ++c) {
      const Vector3 trial = mesh::minus(point.force(c), mesh::scaled(1 / diagonal[c], point.displacement(c)));
      const Vector3 wanted = project(point.contact(c), trial).force;
      std::copy(wanted.begin(), wanted.end(), next.begin() + static_cast<std::ptrdiff_t>(3 * c));
    }
    point.set_forces(next);
  }
}

}  // namespace proxima::contact
