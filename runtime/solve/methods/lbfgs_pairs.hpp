// What the forms of L-BFGS share: which pairs are kept, and the two loops over them (Nocedal 1980). A pair has the
// change of x over a step and that of the gradient, whose product is positive. On a GPU: cuda_lbfgs_pairs.hpp.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/trial_step.hpp"

namespace proxima::solve {

// False for a pair whose angle has so small a cosine that it tells of rounding, or of negative curvature, and would
// spoil the metric.
inline bool useful(const PairNumbers& pair) {
  constexpr double least_cosine = 1e-14;
  return pair.product > least_cosine * pair.step * pair.change;
}

template <class Pair>
class KeptPairs {
 public:
  explicit KeptPairs(int window) : window_(static_cast<std::size_t>(window)) {}

  bool empty() const { return pairs_.empty(); }
  bool full() const { return pairs_.size() == window_; }
  void clear() { pairs_.clear(); }
  Pair take_oldest() {
    Pair oldest = std::move(pairs_.front());
    pairs_.erase(pairs_.begin());
    return oldest;
  }

 protected:
  // As the newest, in the place of the oldest where there are as many as there may be.
  void keep(Pair pair) {
    if (full()) pairs_.erase(pairs_.begin());
    pairs_.push_back(std::move(pair));
  }

  std::size_t window_;
  std::vector<Pair> pairs_;  // oldest first
};

template <class Vector>
struct LbfgsPair {
  Vector step, change, image{};  // of x and of the gradient; A^-1 of the second, for who wants it
  double product = 0;
};

template <class System>
class LbfgsPairs : public KeptPairs<LbfgsPair<typename System::Vector>> {
 public:
  using Pair = LbfgsPair<typename System::Vector>;
  using Out = typename System::Out;
  using KeptPairs<Pair>::KeptPairs;

  // Keeps it where it is useful. `known`: its numbers, if anybody has them.
  void add(Pair pair, const std::optional<PairNumbers>& known = {}) {
    const PairNumbers numbers =
        known ? *known
              : PairNumbers{device::dot(pair.step, pair.change), device::norm(pair.step), device::norm(pair.change)};
    if (!useful(numbers)) return;
    pair.product = numbers.product;
    this->keep(std::move(pair));
  }

  // Takes from the gradient `left` what the pairs account for, newest first, and remembers the share of each.
  void take_shares(Out left) {
    shares_.resize(this->pairs_.size());
    for (std::size_t k = this->pairs_.size(); k-- > 0;) {
      shares_[k] = device::dot(this->pairs_[k].step, left) / this->pairs_[k].product;
      device::add_scaled(left, -shares_[k], this->pairs_[k].change);
    }
  }
  // Takes from A^-1 of the gradient what makes it that of what was left.
  void take_images(Out result) const {
    for (std::size_t k = this->pairs_.size(); k-- > 0;) device::add_scaled(result, -shares_[k], this->pairs_[k].image);
  }
  // From the first metric's inverse applied to what was left, oldest first, to the inverse of the pairs' metric applied
  // to the gradient.
  void give_shares(Out result) {
    for (std::size_t k = 0; k < this->pairs_.size(); ++k)
      device::add_scaled(result, shares_[k] - device::dot(this->pairs_[k].change, result) / this->pairs_[k].product,
                         this->pairs_[k].step);
  }

 private:
  std::vector<double> shares_;
};

}  // namespace proxima::solve
