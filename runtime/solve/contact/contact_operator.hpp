// Products with what contacts add to a linear system (contact_blocks.hpp), wherever vectors are.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/contact/contact_blocks.hpp"
#include "runtime/solve/contact/cuda_block_rows.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
class ContactOperator;

template <>
class ContactOperator<Objective> {
 public:
  // Keeps references to all but the blocks.
  ContactOperator(const Objective& objective, std::span<const model::ContactKey> keys,
                  std::vector<ContactBlock> blocks);

  // y += what moves v answer with, and scale times what forces are on nodes (3 scalars a contact); on free nodes.
  void add_moves(std::span<const double> v, std::span<double> y) const;
  void add_forces(double scale, std::span<const double> forces, std::span<double> y) const;

 private:
  // What `of_contact` gives for each, at its free nodes.
  template <class OfContact>
  void add(std::span<double> y, const OfContact& of_contact) const;

  const Objective& objective_;
  std::span<const model::ContactKey> keys_;
  std::vector<ContactBlock> blocks_;
};

// On a GPU the blocks of all contacts are added up to sparse matrices of 3 x 3 blocks, whose rows are the free nodes
// that contacts have.
template <>
class ContactOperator<CudaObjective> {
 public:
  ContactOperator(const CudaObjective& objective, std::span<const model::ContactKey> keys,
                  const std::vector<ContactBlock>& blocks);

  void add_moves(const device::CudaVector& v, device::CudaVector& y) const { moves_.add(1, v, y); }
  void add_forces(double scale, const device::CudaVector& forces, device::CudaVector& y) const {
    forces_.add(scale, forces, y);
  }

 private:
  CudaBlockRows moves_, forces_;
};

}  // namespace proxima::solve
