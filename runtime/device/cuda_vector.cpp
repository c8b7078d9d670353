#include "runtime/device/cuda_vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace proxima::device {
namespace {

constexpr std::size_t block = kernels::vector_block, sum_block = kernels::sum_block;

int count_of(const CudaVector& y, const CudaVector& x) {
  if (x.size() != y.size()) throw std::logic_error("vectors of two sizes");
  return static_cast<int>(y.size());
}

}  // namespace

CudaAlgebra::CudaAlgebra(CudaEngine& engine)
    : CudaAlgebra(engine, *engine.compile_text("vector.cu", kernels::asset_vector_cu()),
                  *engine.compile_text("sum.cu", kernels::asset_sum_cu()),
                  *engine.compile_text("krylov.cu", kernels::asset_krylov_cu())) {}

CudaAlgebra::CudaAlgebra(CudaEngine& engine, const CudaModule& vectors, const CudaModule& sums, const CudaModule& many)
    : ahead(engine.device().shared_from_this()),
      add_scaled(vectors.function("add_scaled")),
      scale_and_add(vectors.function("scale_and_add")),
      combine(vectors.function("combine")),
      scale(vectors.function("scale")),
      weigh_nodes(vectors.function("weigh_nodes")),
      imbalance(vectors.function("imbalance")),
      nodes_to_rows(vectors.function("nodes_to_rows")),
      rows_to_nodes(vectors.function("rows_to_nodes")),
      dot(sums.function("dot")),
      sum(sums.function("sum")),
      sum_of_differences(sums.function("sum_of_differences")),
      sum_of_weighed_squares(sums.function("sum_of_weighed_squares")),
      potential_difference(sums.function("potential_difference")),
      step_sums(sums.function("step_sums")),
      finish_step(sums.function("finish_step")),
      dot_vectors(many.function("dot_vectors")),
      finish_dots(many.function("finish_dots")),
      add_vectors(many.function("add_vectors")),
      keep_divided(many.function("keep_divided")),
      take_shares(many.function("take_shares")),
      give_shares(many.function("give_shares")),
      engine_(&engine),
      sum_rows_(sums.function("sum_rows")),
      dot_rows_(sums.function("dot_rows")),
      finish_(sums.function("finish")),
      add_by_difference_(vectors.function("add_by_difference")),
      set_words_(engine.compile_text("memory.cu", kernels::asset_memory_cu())->function("set_words")) {}

CudaPartials CudaAlgebra::partials(std::size_t most) {
  reserve(most * kernels::sum_chunk, 1);
  return CudaPartials(partial_.address());
}

double CudaAlgebra::total(const CudaPartials& partials) {
  double result = 0;
  if (partials.count() > 0) finish(partials.count(), {&result, 1});
  return result;
}

std::size_t CudaAlgebra::reserve(std::size_t count, std::size_t sums) {
  const std::size_t blocks = sum_chunks(count);
  const auto make_room = [&](CudaArray& array, std::size_t numbers) {
    if (array.bytes() < numbers * sizeof(double)) array = engine_->device().allocate(numbers * sizeof(double));
  };
  make_room(partial_, blocks * sums);
  make_room(results_, sums);
  return blocks;
}

void CudaAlgebra::finish(std::size_t blocks, std::span<double> sums) {
  finish_(sums.size(), sum_block, results_, partial_, static_cast<int>(blocks));
  results_.read(std::as_writable_bytes(sums));
}

void CudaAlgebra::sum_rows(const CudaArray& rows, std::int64_t stride, std::size_t count, std::span<double> sums) {
  std::fill(sums.begin(), sums.end(), 0.0);
  if (count == 0 || sums.empty()) return;
  const std::size_t blocks = reserve(count, sums.size());
  sum_rows_(blocks * sums.size(), sum_block, partial_, rows, static_cast<long long>(stride), static_cast<int>(blocks),
            static_cast<int>(count));
  finish(blocks, sums);
}

void CudaAlgebra::dot_rows(const CudaArray& rows, std::size_t count, const CudaVector& x, CudaArray& sums) {
  if (count == 0 || x.size() == 0) return sums.clear();
  const std::size_t blocks = reserve(x.size(), count);
  dot_rows_(blocks * count, sum_block, partial_, rows, x.array(), static_cast<int>(blocks), static_cast<int>(x.size()));
  finish_(count, sum_block, sums, partial_, static_cast<int>(blocks));
}

void CudaAlgebra::dots(std::initializer_list<Pair> pairs, std::span<double> results) {
  if (pairs.size() == 0) return;
  const auto size = static_cast<std::size_t>(count_of(pairs.begin()->a, pairs.begin()->b));
  if (size == 0) return std::fill(results.begin(), results.end(), 0.0);
  const std::size_t blocks = reserve(size, pairs.size());
  CudaPartials all(partial_.address());
  for (const auto& [a, b] : pairs) all.add(dot, static_cast<std::size_t>(count_of(a, b)), a.array(), b.array());
  finish(blocks, results);
}

void CudaAlgebra::multiply_all(std::uint64_t table, std::size_t size, const CudaVector& x, std::uint64_t results) {
  if (size == 0 || x.size() == 0) return;
  constexpr std::size_t at_once = kernels::vectors_at_once;
  const std::size_t chunks = reserve(x.size(), size);
  dot_vectors(chunks * ((size + at_once - 1) / at_once), sum_block, partial_, table, x.array(), static_cast<int>(size),
              static_cast<int>(chunks), static_cast<int>(x.size()));
  finish_dots(size, sum_block, results, partial_, static_cast<int>(chunks));
}

void CudaAlgebra::add_all(CudaVector& y, double share, const CudaArray& factors, std::uint64_t table,
                          std::size_t size) {
  add_vectors.each(y.size(), block, y.array(), share, factors, table, static_cast<int>(size),
                   static_cast<int>(y.size()));
}

void CudaAlgebra::multiply(const CudaVector& a, const CudaVector& b, std::uint64_t result) {
  CudaPartials terms = partials(sum_chunks(a.size()));
  terms.add(dot, static_cast<std::size_t>(count_of(a, b)), a.array(), b.array());
  if (terms.count() > 0) finish_(1, sum_block, result, partial_, static_cast<int>(terms.count()));
}

void CudaAlgebra::put(std::span<const std::byte> values, CudaArray& to) {
  struct {
    std::array<std::uint64_t, kernels::words_at_once> at;
  } words{};
  if (values.size() > to.bytes() || values.size() % sizeof(std::uint64_t) != 0)
    throw std::logic_error("CudaAlgebra::put: more than there is, or no whole numbers");
  for (std::size_t done = 0; done < values.size(); done += sizeof words) {
    const std::size_t now = std::min(values.size() - done, sizeof words);
    std::memcpy(&words, values.data() + done, now);
    set_words_(1, kernels::words_at_once, to.address() + done, words, static_cast<int>(now / sizeof(std::uint64_t)));
  }
}

void CudaAlgebra::add_by_dots(CudaVector& y, const CudaVector& a, const CudaVector& b, const CudaVector& c,
                              const CudaVector& d, const CudaVector& x) {
  const int count = std::min({count_of(y, a), count_of(y, b), count_of(y, c), count_of(y, d), count_of(y, x)});
  if (count == 0) return;
  const std::size_t blocks = reserve(y.size(), 2);
  CudaPartials both(partial_.address());
  both.add(dot, y.size(), a.array(), b.array());
  both.add(dot, y.size(), c.array(), d.array());
  finish_(2, sum_block, results_, partial_, static_cast<int>(blocks));
  add_by_difference_.each(y.size(), block, y.array(), results_, x.array(), count);
}

CudaVector::CudaVector(std::shared_ptr<CudaAlgebra> algebra, std::size_t size)
    : algebra_(std::move(algebra)), size_(size), array_(algebra_->engine().device().allocate(size * sizeof(double))) {
  array_.clear();
}

void CudaVector::write(std::span<const double> from) { array_.write(std::as_bytes(from)); }

void CudaVector::read(std::span<double> to) const {
  if (to.size() != size_) throw std::logic_error("CudaVector::read: another size");
  array_.read(std::as_writable_bytes(to));
}

CudaVector like(const CudaVector& a) { return {a.shared_algebra(), a.size()}; }

double dot(const CudaVector& a, const CudaVector& b) {
  CudaAlgebra& algebra = a.algebra();
  return algebra.sum_by(algebra.dot, static_cast<std::size_t>(count_of(a, b)), a.array(), b.array());
}

double norm(const CudaVector& a) { return std::sqrt(dot(a, a)); }

void copy(const CudaVector& from, CudaVector& to) { to.array().copy(from.array()); }

void set_zero(CudaVector& y) { y.array().clear(); }

void negate(CudaVector& y) { y.algebra().scale.each(y.size(), block, y.array(), -1.0, count_of(y, y)); }

void divide(CudaVector& y, double divisor) {
  y.algebra().scale.each(y.size(), block, y.array(), 1 / divisor, count_of(y, y));
}

void add_scaled(CudaVector& y, double scale, const CudaVector& x) {
  y.algebra().add_scaled.each(y.size(), block, y.array(), scale, x.array(), count_of(y, x));
}

void scale_and_add(CudaVector& y, double scale, const CudaVector& x) {
  y.algebra().scale_and_add.each(y.size(), block, y.array(), scale, x.array(), count_of(y, x));
}

void combine(CudaVector& y, const CudaVector& a, double scale, const CudaVector& b) {
  y.algebra().combine.each(y.size(), block, y.array(), a.array(), scale, b.array(),
                           std::min(count_of(y, a), count_of(y, b)));
}

}  // namespace proxima::device
