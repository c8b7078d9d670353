// Forces between contacts of a face from what these are moved by, wherever vectors are.
#pragma once

#include <memory>
#include <utility>

#include "runtime/contact/cuda_face.hpp"
#include "runtime/solve/contact/contact_response.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
class FaceForces;

template <>
class FaceForces<Objective> {
 public:
  FaceForces(const Objective&, contact::Face face) : face_(std::move(face)) {}

  const contact::Face& face() const { return face_; }
  static constexpr bool queued() { return false; }
  void operator()(std::span<const double> u, std::span<double> forces) const { face_.forces(u, forces); }

 private:
  contact::Face face_;
};

// There where the face is decomposed as a whole; else by the host, which three numbers a contact go to and come from.
template <>
class FaceForces<CudaObjective> {
 public:
  FaceForces(const CudaObjective& objective, contact::Face face)
      : face_(std::move(face)), there_(contact::CudaFace::make(objective.algebra_of_vectors(), face_)) {}

  const contact::Face& face() const { return face_; }
  bool queued() const { return there_ != nullptr; }  // forces are not waited for
  void operator()(const device::CudaVector& u, device::CudaVector& forces) const {
    if (there_ != nullptr) return there_->forces(u, forces);
    std::vector<double> result(forces.size());
    face_.forces(ContactResponse<CudaObjective>::values(u), result);
    forces.write(result);
  }

 private:
  contact::Face face_;
  std::unique_ptr<contact::CudaFace> there_;
};

}  // namespace proxima::solve
