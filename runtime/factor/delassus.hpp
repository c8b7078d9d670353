// The inverse of A at some of its rows: what contacts at these rows do to one another. (A^-1)_kl = c_k . c_l with the
// sparse columns c_k = L^-1 P e_k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/device/aligned.hpp"
#include "runtime/factor/factor.hpp"

namespace proxima::factor {

// A set of rows that grows: a column is formed once, when its row comes in, and stays for as long as the factor is the
// same. Rows have the index in which they came. Products stay in a table, but only of rows that were put into it. A
// number has the same bits in whatever order, and beside whatever others, its rows came in, and for any thread count;
// so clear() and placing again change no result.
//
// Memory: the columns take 8 bytes a value, some thousand values each; the table 8 bytes for each two of its rows.
class Delassus {
 public:
  // Keeps a reference to the factor, which has to be factored by the first place(), and not again before a clear().
  explicit Delassus(const SupernodalCholesky& factor);

  // The index of each of the rows, which may repeat; those not yet in the set come in. Throws std::logic_error when
  // there is no factor or no such row.
  std::vector<std::int32_t> place(std::span<const std::int32_t> rows);
  void clear();

  std::int32_t size() const { return static_cast<std::int32_t>(columns_.size()); }
  std::int32_t row(std::int32_t index) const { return columns_[static_cast<std::size_t>(index)].row; }
  const SupernodalCholesky& factor() const { return factor_; }
  std::size_t bytes() const;  // of memory held
  // Another one whenever there may be another factor: after each clear(), and of each set.
  std::uint64_t stamp() const { return stamp_; }

  // The values of c_index, and at which pivots they are.
  std::span<const double> values(std::int32_t index) const;
  std::span<const PivotRun> runs(std::int32_t index) const;

  // (A^-1)_{row(i), row(j)} for a list of indices, row-major, indices.size()^2 values; formed and not kept.
  void block(std::span<const std::int32_t> indices, std::span<double> out) const;

  // The places in the table of each of the indices, which may repeat; those not yet in it come in, and their products
  // with all others there are formed. line(place)[other place] is (A^-1)_{row(i), row(j)}.
  std::vector<std::int32_t> tabulate(std::span<const std::int32_t> indices);
  const double* line(std::int32_t place) const { return products_.data() + static_cast<std::size_t>(place) * leading_; }

  // For y by pivots as of SupernodalCholesky::forward, and three values for each of the indices:
  // out_i <- c_i . y, which is A^-1 b at the row when y = forward(b), and
  // y += sum of c_i l_i, after which backward(y) has A^-1 l added.
  // Where the columns are longer together than the factor is large, a sweep is made instead; it depends on the indices
  // alone which one is taken.
  void gather(std::span<const std::int32_t> indices, std::span<const double> y, std::span<double> out) const;
  void scatter(std::span<const std::int32_t> indices, std::span<const double> l, std::span<double> y) const;
  // How much either reads.
  std::int64_t values_read(std::span<const std::int32_t> indices) const;
  // The same of one index, by its column; `out` and `l` have three values.
  void gather_one(std::int32_t index, std::span<const double> y, double* out) const;
  void scatter_one(std::int32_t index, const double* l, std::span<double> y) const;

 private:
  struct Column {
    std::int32_t row = 0, size = 0;     // values
    std::int32_t runs = 0, length = 0;  // its runs: where they begin, and how many
    std::int32_t place = -1;            // in the table
    double* end = nullptr;              // of its values, aligned to 64 bytes
  };

  void form_columns(std::span<const std::int32_t> fresh);
  void form_products(std::span<const std::int32_t> fresh);
  void form_products(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                     std::span<const char> is_fresh);
  // The products of up to four columns with up to four others, row i of `product` those of left[i].
  void multiply(std::span<const std::int32_t> left, std::span<const std::int32_t> right, double* product) const;
  bool earlier(std::int32_t i, std::int32_t j) const;  // by pivot
  void make_room();
  std::int64_t values_of(std::span<const std::int32_t> indices) const;
  bool sweep_is_cheaper(std::span<const std::int32_t> indices) const;

  const SupernodalCholesky& factor_;
  std::uint64_t stamp_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> index_of_row_;  // -1: not in the set
  std::vector<PivotRun> runs_;
  std::vector<device::AlignedVector<double>> values_;  // of the columns of each place()
  std::vector<std::int32_t> by_pivot_;                 // indices of what is in the table
  std::vector<double> products_;
  std::size_t leading_ = 0;
};

}  // namespace proxima::factor
