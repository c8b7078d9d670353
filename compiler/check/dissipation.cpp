// A potential of dissipation: it may only take energy out, and nothing where nothing moves.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"

namespace proxima::check {

void check_dissipation(Context& context) {
  double least = context.rest.energy;
  Vector where = context.space.rest();
  for (const State& state : states()) {
    const Vector x = context.space.at(state.A);
    const double value = context.response.energy(x);
    if (!(value < least)) continue;
    least = value;
    where = x;
  }
  context.fact("least", "least dissipation over all motions tried", least, context.density_unit);
  const double noise = 1e-12 * context.rest.scale;
  if (least < -noise)
    context.find(Severity::error, where,
                 "the dissipation is negative, {:.4g} {}, for a step from rest to {}: it would "
                 "put energy into the motion",
                 least, context.density_unit, context.space.text(where));
  if (context.rest.energy > noise)
    context.find(Severity::error, context.space.rest(),
                 "where nothing moves, the dissipation is {:.4g} {} and not zero", context.rest.energy,
                 context.density_unit);
}

}  // namespace proxima::check
