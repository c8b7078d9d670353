#include "runtime/solve/objective/recycled_space.hpp"

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {
namespace {

// A vector is taken to depend on newer ones where this share of its energy is all that is left beside them.
constexpr double dependent = 1e-12;

// s += (w.r - image.s) w; on a GPU nobody waits for the products.
void add_share(std::span<double> s, std::span<const double> w, std::span<const double> r,
               std::span<const double> image) {
  device::add_scaled(s, device::dot(w, r) - device::dot(image, s), w);
}
void add_share(device::CudaVector& s, const device::CudaVector& w, const device::CudaVector& r,
               const device::CudaVector& image) {
  s.algebra().add_by_dots(s, w, r, image, s, w);
}

}  // namespace

template <class System>
void BasicRecycledSpace<System>::add(In vector, const System& system) {
  if (vectors_.size() == most_) vectors_.pop_back();
  Vector own = system.vector();
  device::copy(vector, own);
  vectors_.insert(vectors_.begin(), std::move(own));
}

template <class System>
void BasicRecycledSpace<System>::turn(const System& system) {
  std::vector<Vector> candidates;
  candidates.swap(vectors_);
  images_.clear();
  for (auto& w : candidates) {
    Vector image = system.vector();
    system.hessian_product(w, image);
    const double energy = device::dot(w, image);
    for (std::size_t j = 0; j < vectors_.size(); ++j) {
      const double along = device::dot(vectors_[j], image);
      device::add_scaled(w, -along, vectors_[j]);
      device::add_scaled(image, -along, images_[j]);
    }
    const double left = device::dot(w, image);
    if (!(left > dependent * energy)) continue;
    const double length = std::sqrt(left);
    device::divide(w, length);
    device::divide(image, length);
    vectors_.push_back(std::move(w));
    images_.push_back(std::move(image));
  }
}

template <class System>
void BasicRecycledSpace<System>::project(Out r, Out z) const {
  for (std::size_t j = 0; j < vectors_.size(); ++j) {
    const double along = device::dot(vectors_[j], r);
    device::add_scaled(z, along, vectors_[j]);
    device::add_scaled(r, -along, images_[j]);
  }
}

template <class System>
void BasicRecycledSpace<System>::deflate(In r, Out s) const {
  for (std::size_t j = 0; j < vectors_.size(); ++j) add_share(s, vectors_[j], r, images_[j]);
}

template class BasicRecycledSpace<Objective>;
template class BasicRecycledSpace<CudaObjective>;

}  // namespace proxima::solve
