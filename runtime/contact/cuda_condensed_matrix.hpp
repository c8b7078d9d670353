// What matrices D of condensed problems (condensed_matrix.hpp) do to half-way vectors that are on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "runtime/contact/condensed_matrix.hpp"
#include "runtime/factor/cuda_delassus.hpp"

namespace proxima::contact {

// Half-way vectors are those of factor::CudaFactor::forward, of the factor that D is made of; vectors at contacts have
// three numbers each. One thread of callers at a time, the same bits from run to run.
class CudaCondensedMatrix {
 public:
  // Keeps a reference to the inverse that all matrices here are made of.
  CudaCondensedMatrix(std::shared_ptr<device::CudaAlgebra> algebra, const factor::Delassus& inverse);

  // Is D from now on; copies what has changed.
  void follow(const CondensedMatrix& D);

  std::size_t size() const { return first_.size() - 1; }  // contacts
  // As of CondensedMatrix, queued.
  void gather(const device::CudaVector& half, device::CudaVector& at_contacts);
  void add(const device::CudaVector& forces, device::CudaVector& half);

 private:
  // Rows of weights, of scalars: contacts' on places, or places' on contacts.
  struct Weights {
    device::CudaArray first, from, weight;
    std::size_t rows = 0;
  };
  struct Entry {
    std::size_t row, column;
    double weight;
  };
  Weights weights_of(const std::vector<Entry>& entries, std::size_t rows) const;
  void weigh(const Weights& weights, const device::CudaVector& in, device::CudaVector& out) const;

  std::shared_ptr<device::CudaAlgebra> algebra_;
  factor::CudaDelassus columns_;
  device::CudaFunction weigh_;
  std::vector<std::int32_t> places_;
  std::vector<CondensedMatrix::Entry> entries_;
  std::vector<std::size_t> first_{0};
  Weights of_contacts_, of_places_;
  device::CudaVector at_places_;
};

}  // namespace proxima::contact
