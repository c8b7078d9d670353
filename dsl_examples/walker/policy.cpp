// The walker's brain and its task. A perceptron with one hidden layer sees a clock, where and how fast its feet move
// relative to its body, and how fast the body moves, and sets how much its four muscles contract.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(policy) {
  auto time = input("time");
  auto hind = input<3>("hind");  // displacements, m
  auto fore = input<3>("fore");
  auto hind_speed = input<3>("hind_speed");  // m/s
  auto fore_speed = input<3>("fore_speed");
  auto speed = input<3>("speed");  // of the body
  auto W1 = weights<32, 17>("W1");
  auto b1 = weights<32>("b1");
  auto W2 = weights<4, 32>("W2");
  auto b2 = weights<4>("b2");

  auto phase = 2 * pi * time / 0.4;
  auto seen = join(sin(phase), cos(phase), hind / 0.02, fore / 0.02, hind_speed / 0.2, fore_speed / 0.2, speed / 0.2);
  auto y = tanh(W2 * tanh(W1 * seen + b1) + b2);
  output("activation", map(y, [](auto a) { return 0.25 * (1 + a); }));
}

// Less the farther it has come along x, and the less it has swerved.
PROXIMA_FUNCTION(distance) {
  auto moved = input<3>("moved");
  output("loss", exp(-moved[0] / 0.1) + square(moved[1] / 0.1));
}
