// Energies of every measure and with every kind of input, written by hand, each on an element of its kind.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"

namespace proxima::test {

using Extended = std::vector<long double>;
using Fields = std::map<std::string, Extended>;

// An energy on an element: fields that do not depend on the others ("rest", "positions", "previous", "direction", those
// of the energy, and "shape_gradients" and "quadrature_weight" where the element needs them).
struct Sample {
  std::string name;
  ir::Energy energy;
  derive::Shape shape;
  Fields fields;
  bool free_of_stress_at_rest = true;
};
std::vector<Sample> samples();
const Sample& sample_named(const std::string& name);

// Adds what follows from "rest": "gradients", "volume", "rest_length", "rest_positions".
Fields completed(const derive::Shape& shape, Fields fields);

// The kernel's inputs by name; its outputs by name. Number is double or long double.
template <class Number>
Fields run(const ir::Kernel& kernel, const Fields& fields);

ir::Kernel element_kernel(const Sample& sample, derive::Quantity quantity);

// The strain of the sample's energy at corner positions x.
Extended strain_at(const Sample& sample, const Fields& complete, const Extended& x);

// Order in h of |f(h) - f(0) - h slope| over two decades below h0. `size` is that of the terms of f: where the
// remainder is rounding of such terms only, f is linear and the order counts as 2.
template <class Function>
long double observed_order(const Function& f, long double slope, long double h0, long double size);

long double dot(const Extended& a, const Extended& b);
Extended moved(Extended x, const Extended& direction, long double h);
Extended random_vector(std::size_t size, unsigned seed);

template <class Function>
long double observed_order(const Function& f, long double slope, long double h0, long double size) {
  const auto remainder = [&](long double h) { return std::fabs(f(h) - f(0) - h * slope); };
  const long double coarse = remainder(h0), fine = remainder(h0 / 100);
  if (coarse <= 1e-16L * size) return 2;
  return std::log10(coarse / fine) / 2;
}

}  // namespace proxima::test
