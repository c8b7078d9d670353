// What drives the torus and the quadruped, and how far they should come.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

// Activations of eight muscles, with a value every 0.08 s and linear in between.
PROXIMA_FUNCTION(keys) {
  constexpr int count = 21;
  auto time = input("time");
  auto values = weights<8, count>("values", uniform(1, 0.2));
  Vec<count> share;
  for (int k = 0; k < count; ++k) share[k] = max(1 - abs(time / 0.08 - k), 0);
  output("activation", values * share);
}

// Each leg has a muscle at its front and one at its back, which contract by turns. How much fore and hind legs swing,
// and how often a second.
PROXIMA_FUNCTION(gait) {
  auto time = input("time");
  auto fore = parameter("fore", dimensionless, 0.7).between(0, 1);
  auto hind = parameter("hind", dimensionless, 0.7).between(0, 1);
  auto frequency = parameter("frequency", per_second, 3).positive();
  auto wave = sin(2 * pi * frequency * time);
  output("activation", join(1 - fore * wave, 1 + fore * wave, 1 - hind * wave, 1 + hind * wave) / 3);
}

// Less the farther it has come along x.
PROXIMA_FUNCTION(distance) {
  auto moved = input<3>("moved");
  output("loss", exp(-moved[0] / 0.1));
}
