// The time integrators, one row each: all are an implicit Euler step of another length from another start.
#pragma once

#include <cstdint>
#include <string_view>

namespace proxima::model {

enum class Integrator : std::uint8_t { implicit_euler, bdf2, quasi_static };

// A step of h from the states s_n (positions and velocities) and s_{n-1} is the implicit Euler step of the length
// `share` h that starts from `now` s_n + `before` s_{n-1}. For BDF2, 3/2 s_{n+1} - 2 s_n + 1/2 s_{n-1} = h s'_{n+1}
// (Hairer, Norsett and Wanner, "Solving Ordinary Differential Equations I", section III.1), divided by 3/2.
struct IntegratorRow {
  Integrator integrator;
  std::string_view name;  // in scenes
  Integrator one_step;    // takes its first step, and sub-steps
  bool inertia;           // without it each step ends in equilibrium, with velocities of zero
  double share, now, before;
};

inline constexpr IntegratorRow integrators[] = {
    {Integrator::implicit_euler, "implicit_euler", Integrator::implicit_euler, true, 1, 1, 0},
    {Integrator::bdf2, "bdf2", Integrator::implicit_euler, true, 2.0 / 3, 4.0 / 3, -1.0 / 3},
    {Integrator::quasi_static, "quasi_static", Integrator::quasi_static, false, 1, 1, 0},
};

constexpr const IntegratorRow& integrator_row(Integrator integrator) {
  return integrators[static_cast<std::size_t>(integrator)];
}

}  // namespace proxima::model
