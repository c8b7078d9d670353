#include "runtime/solve/recycled_space.hpp"

#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

// A vector is taken to depend on newer ones where this share of its energy is all that is left beside them.
constexpr double dependent = 1e-12;

}  // namespace

void RecycledSpace::add(std::span<const double> vector) {
  if (vectors_.size() == most_) vectors_.pop_back();
  vectors_.emplace(vectors_.begin(), vector.begin(), vector.end());
}

void RecycledSpace::turn(const Objective& objective) {
  std::vector<std::vector<double>> candidates;
  candidates.swap(vectors_);
  images_.clear();
  for (auto& w : candidates) {
    std::vector<double> image(w.size());
    objective.hessian_product(w, image);
    const double energy = device::dot(w, image);
    for (std::size_t j = 0; j < vectors_.size(); ++j) {
      const double along = device::dot(vectors_[j], image);
      device::add_scaled(w, -along, vectors_[j]);
      device::add_scaled(image, -along, images_[j]);
    }
    const double left = device::dot(w, image);
    if (!(left > dependent * energy)) continue;
    const double length = std::sqrt(left);
    for (double& entry : w) entry /= length;
    for (double& entry : image) entry /= length;
    vectors_.push_back(std::move(w));
    images_.push_back(std::move(image));
  }
}

void RecycledSpace::project(std::span<double> r, std::span<double> z) const {
  for (std::size_t j = 0; j < vectors_.size(); ++j) {
    const double along = device::dot(vectors_[j], r);
    device::add_scaled(z, along, vectors_[j]);
    device::add_scaled(r, -along, images_[j]);
  }
}

void RecycledSpace::deflate(std::span<const double> r, std::span<double> s) const {
  for (std::size_t j = 0; j < vectors_.size(); ++j)
    device::add_scaled(s, device::dot(vectors_[j], r) - device::dot(images_[j], s), vectors_[j]);
}

}  // namespace proxima::solve
