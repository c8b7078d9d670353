// What the forms of L-BFGS share: which pairs are kept, and the two loops over them (Nocedal 1980). A pair has `step`
// and `change`, of x and of the gradient, and `product`, <step, change> > 0; pairs are oldest first.
#pragma once

#include <vector>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::solve {

// Sets the product. False for a pair whose angle has so small a cosine that it tells of rounding, or of negative
// curvature, and would spoil the metric.
template <class Pair>
bool complete(Pair& pair) {
  constexpr double least_cosine = 1e-14;
  pair.product = device::dot(pair.step, pair.change);
  return pair.product > least_cosine * device::norm(pair.step) * device::norm(pair.change);
}

// Takes from the gradient `left` what the pairs account for, newest first; returns the share of each.
template <class Pair, class Vector>
std::vector<double> take_shares(const std::vector<Pair>& pairs, Vector& left) {
  std::vector<double> shares(pairs.size());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    shares[k] = device::dot(pairs[k].step, left) / pairs[k].product;
    device::add_scaled(left, -shares[k], pairs[k].change);
  }
  return shares;
}

// From the first metric's inverse applied to what was left, oldest first, to the inverse of the pairs' metric applied
// to the gradient.
template <class Pair, class Vector>
void give_shares(const std::vector<Pair>& pairs, const std::vector<double>& shares, Vector& result) {
  for (std::size_t k = 0; k < pairs.size(); ++k)
    device::add_scaled(result, shares[k] - device::dot(pairs[k].change, result) / pairs[k].product, pairs[k].step);
}

}  // namespace proxima::solve
