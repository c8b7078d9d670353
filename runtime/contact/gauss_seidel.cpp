#include "runtime/contact/gauss_seidel.hpp"

namespace proxima::contact {

void sweep_once(CondensedPoint& point) {
  for (std::size_t c = 0; c < point.size(); ++c) {
    const Vector3 wanted = project(point.contact(c), point.trial(c)).force;
    if (wanted != point.force(c)) point.set_force(c, wanted);
  }
}

void run_gauss_seidel(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome) {
  while (true) {
    double residual = point.residual();
    if (residual <= settings.tolerance) {
      point.refresh();
      residual = point.residual();
    }
    if (residual <= settings.tolerance || outcome.sweeps == settings.max_sweeps) return;
    sweep_once(point);
    ++outcome.sweeps;
  }
}

}  // namespace proxima::contact
