// What M does to a vector (deflation.hpp), wherever its parts are: on the host, or on a GPU.
#pragma once

namespace proxima::solve {

// z <- the two-level cycle applied to r, without the slow modes; both in the frames. `rest` is for what is left of r.
template <class Parts>
void two_level_cycle(Parts& m, typename Parts::In r, typename Parts::Out z, typename Parts::Out rest) {
  m.smooth(r, z);                // z <- S r
  m.leave_residual(r, z, rest);  // rest <- R (r - K z)
  m.solve(rest);                 // rest <- A^-1 rest
  m.add_entered(rest, z);        // z <- z + omega R^T rest
  m.residual(r, z, rest);        // rest <- r - K z
  m.add_smoothed(rest, z);       // z <- z + S rest
}

}  // namespace proxima::solve
