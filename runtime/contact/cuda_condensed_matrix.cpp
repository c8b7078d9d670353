#include "runtime/contact/cuda_condensed_matrix.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::contact {

CudaCondensedMatrix::CudaCondensedMatrix(std::shared_ptr<device::CudaAlgebra> algebra, const factor::Delassus& inverse)
    : algebra_(std::move(algebra)),
      columns_(algebra_, inverse),
      weigh_(algebra_->engine().compile_text("columns.cu", kernels::asset_columns_cu())->function("weigh")) {}

void CudaCondensedMatrix::follow(const CondensedMatrix& D) {
  columns_.choose(D.places());
  if (std::ranges::equal(places_, D.places()) && std::ranges::equal(first_, D.first()) &&
      std::ranges::equal(entries_, D.entries()))
    return;
  places_.assign(D.places().begin(), D.places().end());
  entries_.assign(D.entries().begin(), D.entries().end());
  first_.assign(D.first().begin(), D.first().end());
  std::vector<Entry> entries, transposed;
  for (std::size_t c = 0; c < size(); ++c)
    for (std::size_t k = first_[c]; k < first_[c + 1]; ++k) {
      entries.push_back({c, entries_[k].place, entries_[k].weight});
      transposed.push_back({entries_[k].place, c, entries_[k].weight});
    }
  std::ranges::stable_sort(transposed, {}, &Entry::row);
  of_contacts_ = weights_of(entries, size());
  of_places_ = weights_of(transposed, places_.size());
  at_places_ = device::CudaVector(algebra_, 3 * places_.size());
}

auto CudaCondensedMatrix::weights_of(const std::vector<Entry>& entries, std::size_t rows) const -> Weights {
  std::vector<std::int32_t> first(rows + 1), from;
  std::vector<double> weights;
  for (const Entry& entry : entries) {
    ++first[entry.row + 1];
    from.push_back(static_cast<std::int32_t>(entry.column));
    weights.push_back(entry.weight);
  }
  for (std::size_t row = 0; row < rows; ++row) first[row + 1] += first[row];
  device::CudaEngine& engine = algebra_->engine();
  return {device::uploaded_own(engine, first), device::uploaded_own(engine, from),
          device::uploaded_own(engine, weights), rows};
}

void CudaCondensedMatrix::weigh(const Weights& weights, const device::CudaVector& in, device::CudaVector& out) const {
  weigh_.each(3 * weights.rows, kernels::vector_block, out.array(), weights.first, weights.from, weights.weight,
              in.array(), static_cast<int>(3 * weights.rows));
}

void CudaCondensedMatrix::gather(const device::CudaVector& half, device::CudaVector& at_contacts) {
  columns_.gather(half, at_places_);
  weigh(of_contacts_, at_places_, at_contacts);
}

void CudaCondensedMatrix::add(const device::CudaVector& forces, device::CudaVector& half) {
  weigh(of_places_, forces, at_places_);
  columns_.scatter(at_places_, half);
}

}  // namespace proxima::contact
