// The forces of a face (face.hpp) by decompositions of dense matrices: what sticks is eliminated by one scalar Cholesky
// decomposition, and what is left of the slipping contacts is a system of its own (slip_system.hpp).
#pragma once

#include <memory>
#include <span>

#include "runtime/contact/face_contact.hpp"
#include "runtime/factor/dense.hpp"

namespace proxima::contact {

class DecomposedFace {
 public:
  // D: n x n row-major; only what is not open is looked at. The system of the slipping contacts is decomposed as a
  // whole up to so many rows.
  DecomposedFace(std::span<const double> D, std::size_t size, const FaceRows& rows, std::size_t most_decomposed);
  ~DecomposedFace();
  DecomposedFace(DecomposedFace&&) noexcept;
  DecomposedFace& operator=(DecomposedFace&&) noexcept;

  bool exists() const;  // whether there are such decompositions
  // What it is made of, where it exists: which contacts stick and slip, what eliminates the first, with as many columns
  // and the rows of the others below, and what is left of the others.
  std::span<const std::size_t> stick() const;
  std::span<const std::size_t> slip() const;
  const factor::FrontMatrix& eliminated() const;
  const SlipSystem& slip_system() const;
  // As Face::forces; `now` are as many as there are contacts.
  void forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::contact
