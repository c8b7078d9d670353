#include "runtime/factor/delassus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/kernels.hpp"
#include "runtime/factor/paths.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

constexpr std::size_t in_a_sweep = 3;               // columns
constexpr std::size_t in_a_chunk = 8 * in_a_sweep;  // columns that share a workspace
constexpr std::size_t together = products_together;
constexpr std::size_t tile_fresh = 32, tile_all = 128;
constexpr std::int32_t alignment = 8;  // doubles

// Values of columns that are read in the time in which a sweep reads one stored entry, with its work at each supernode.
constexpr std::int64_t values_per_entry = 1;

std::uint64_t next_stamp() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Delassus::Delassus(const SupernodalCholesky& factor) : factor_(factor), stamp_(next_stamp()) {}

std::vector<Index> Delassus::place(std::span<const Index> rows) {
  const Paths& paths = factor_.paths();
  index_of_row_.resize(at(factor_.size()), -1);
  std::vector<Index> indices, fresh;
  indices.reserve(rows.size());
  for (const Index row : rows) {
    if (row < 0 || row >= factor_.size())
      throw std::logic_error(fmt::format("Delassus::place: no row {} of {}", row, factor_.size()));
    Index& index = index_of_row_[at(row)];
    if (index < 0) {
      index = size();
      fresh.push_back(index);
      const auto first = static_cast<Index>(runs_.size());
      paths.append_runs(row, runs_);
      columns_.push_back(
          {.row = row, .size = paths.size(row), .runs = first, .length = static_cast<Index>(runs_.size()) - first});
    }
    indices.push_back(index);
  }
  // Neighbours by pivot share most of their paths, and are formed together.
  std::sort(fresh.begin(), fresh.end(), [&](Index i, Index j) { return earlier(i, j); });
  form_columns(fresh);
  return indices;
}

std::vector<Index> Delassus::tabulate(std::span<const Index> indices) {
  std::vector<Index> places, fresh;
  places.reserve(indices.size());
  for (const Index i : indices) {
    Index& place = columns_[at(i)].place;
    if (place < 0) {
      place = static_cast<Index>(by_pivot_.size() + fresh.size());
      fresh.push_back(i);
    }
    places.push_back(place);
  }
  if (fresh.empty()) return places;
  const auto by_pivot = [&](Index i, Index j) { return earlier(i, j); };
  std::sort(fresh.begin(), fresh.end(), by_pivot);
  const auto old = static_cast<std::ptrdiff_t>(by_pivot_.size());
  by_pivot_.insert(by_pivot_.end(), fresh.begin(), fresh.end());
  std::inplace_merge(by_pivot_.begin(), by_pivot_.begin() + old, by_pivot_.end(), by_pivot);
  make_room();
  form_products(fresh);
  return places;
}

bool Delassus::earlier(Index i, Index j) const { return factor_.paths().pivot(row(i)) < factor_.paths().pivot(row(j)); }

std::span<const double> Delassus::values(Index index) const {
  const Column& column = columns_[at(index)];
  return {column.end - column.size, at(column.size)};
}

std::span<const PivotRun> Delassus::runs(Index index) const {
  const Column& column = columns_[at(index)];
  return std::span(runs_).subspan(at(column.runs), at(column.length));
}

void Delassus::clear() {
  stamp_ = next_stamp();
  columns_.clear();
  index_of_row_.clear();
  by_pivot_.clear();
  runs_.clear();
  values_.clear();
}

std::size_t Delassus::bytes() const {
  std::size_t values = products_.size();
  for (const auto& some : values_) values += some.size();
  return values * sizeof(double) + runs_.size() * sizeof(PivotRun) + columns_.size() * sizeof(Column) +
         index_of_row_.size() * sizeof(Index);
}

void Delassus::make_room() {
  const auto count = by_pivot_.size();
  if (count <= leading_) return;
  const std::size_t leading = std::max(count, 2 * leading_);
  std::vector<double> products(leading * leading);
  for (std::size_t i = 0; i < leading_; ++i)
    std::copy_n(products_.data() + i * leading_, leading_, products.data() + i * leading);
  products_ = std::move(products);
  leading_ = leading;
}

void Delassus::form_columns(std::span<const Index> fresh) {
  if (fresh.empty()) return;
  const Paths& paths = factor_.paths();
  std::size_t values = 0;
  for (const Index i : fresh) values += at((columns_[at(i)].size + alignment - 1) / alignment * alignment);
  values_.emplace_back(values);
  double* end = values_.back().data();
  for (const Index i : fresh) {
    end += (columns_[at(i)].size + alignment - 1) / alignment * alignment;
    columns_[at(i)].end = end;
  }
  device::parallel_chunks(fresh.size(), in_a_chunk, [&](std::size_t begin, std::size_t last) {
    Paths::Workspace workspace(paths);
    for (; begin < last; begin += in_a_sweep) {
      const std::size_t count = std::min(in_a_sweep, last - begin);
      std::array<Index, in_a_sweep> rows{};
      std::array<double*, in_a_sweep> out{};
      for (std::size_t c = 0; c < count; ++c) {
        const Column& column = columns_[at(fresh[begin + c])];
        rows[c] = column.row;
        out[c] = column.end - column.size;
      }
      paths.columns(std::span(rows).first(count), std::span(out).first(count), workspace);
    }
  });
}

// Of a pair of fresh rows, the product belongs to the one with the later pivot. A piece of work is so many fresh
// columns, which stay in the second-level cache, by so many of all.
void Delassus::form_products(std::span<const Index> fresh) {
  std::vector<char> is_fresh(columns_.size());
  for (const Index i : fresh) is_fresh[at(i)] = 1;
  const std::size_t down = (fresh.size() + tile_fresh - 1) / tile_fresh;
  const std::size_t across = (by_pivot_.size() + tile_all - 1) / tile_all;
  device::parallel_chunks(down * across, 1, [&](std::size_t tile, std::size_t) {
    const std::size_t i0 = tile / across * tile_fresh, j0 = tile % across * tile_all;
    const auto left = fresh.subspan(i0, std::min(tile_fresh, fresh.size() - i0));
    const auto right = std::span<const Index>(by_pivot_).subspan(j0, std::min(tile_all, by_pivot_.size() - j0));
    for (std::size_t j = 0; j < right.size(); j += together)
      for (std::size_t i = 0; i < left.size(); i += together)
        form_products(left.subspan(i, std::min(together, left.size() - i)),
                      right.subspan(j, std::min(together, right.size() - j)), is_fresh);
  });
}

void Delassus::form_products(std::span<const Index> left, std::span<const Index> right,
                             std::span<const char> is_fresh) {
  const auto mine = [&](Index i, Index j) { return !is_fresh[at(j)] || !earlier(i, j); };
  if (std::none_of(right.begin(), right.end(), [&](Index j) { return mine(left.back(), j); })) return;
  std::array<double, together * together> product{};
  multiply(left, right, product.data());
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j)
      if (mine(left[i], right[j])) {
        const auto first = at(columns_[at(left[i])].place), second = at(columns_[at(right[j])].place);
        products_[first * leading_ + second] = product[together * i + j];
        products_[second * leading_ + first] = product[together * i + j];
      }
}

void Delassus::multiply(std::span<const Index> left, std::span<const Index> right, double* product) const {
  const Paths& paths = factor_.paths();
  std::array<const double*, together> a{}, b{};
  std::array<Index, together * together> shared{};
  // What is missing of four is filled with the last one again.
  for (std::size_t i = 0; i < together; ++i) {
    a[i] = columns_[at(left[std::min(i, left.size() - 1)])].end;
    b[i] = columns_[at(right[std::min(i, right.size() - 1)])].end;
    for (std::size_t j = 0; j < together; ++j)
      shared[together * i + j] =
          paths.shared(row(left[std::min(i, left.size() - 1)]), row(right[std::min(j, right.size() - 1)]));
  }
  kernels().column.products(a.data(), b.data(), shared.data(), product);
}

void Delassus::block(std::span<const Index> indices, std::span<double> out) const {
  const std::size_t size = indices.size();
  std::array<double, together * together> product{};
  for (std::size_t i0 = 0; i0 < size; i0 += together)
    for (std::size_t j0 = 0; j0 <= i0; j0 += together) {
      const auto left = indices.subspan(i0, std::min(together, size - i0));
      const auto right = indices.subspan(j0, std::min(together, size - j0));
      multiply(left, right, product.data());
      for (std::size_t i = 0; i < left.size(); ++i)
        for (std::size_t j = 0; j < right.size(); ++j)
          out[(i0 + i) * size + j0 + j] = out[(j0 + j) * size + i0 + i] = product[together * i + j];
    }
}

std::int64_t Delassus::values_of(std::span<const Index> indices) const {
  std::int64_t values = 0;
  for (const Index i : indices) values += columns_[at(i)].size;
  return values;
}

std::int64_t Delassus::values_read(std::span<const Index> indices) const {
  return std::min(values_of(indices), values_per_entry * factor_.statistics().entries);
}

bool Delassus::sweep_is_cheaper(std::span<const Index> indices) const {
  return values_of(indices) > values_per_entry * factor_.statistics().entries;
}

void Delassus::gather(std::span<const Index> indices, std::span<const double> y, std::span<double> out) const {
  if (sweep_is_cheaper(indices)) {
    std::vector<double> x(y.size());
    factor_.backward(y, x);
    for (std::size_t i = 0; i < indices.size(); ++i)
      std::copy_n(x.data() + 3 * at(row(indices[i])), 3, out.data() + 3 * i);
    return;
  }
  const auto kernel = kernels().column.gather;
  device::parallel_chunks(indices.size(), 8, [&](std::size_t begin, std::size_t last) {
    for (std::size_t i = begin; i < last; ++i) {
      const Column& column = columns_[at(indices[i])];
      kernel(column.end - column.size, runs_.data() + column.runs, column.length, y.data(), out.data() + 3 * i);
    }
  });
}

void Delassus::scatter(std::span<const Index> indices, std::span<const double> l, std::span<double> y) const {
  if (sweep_is_cheaper(indices)) {
    std::vector<double> b(y.size()), added(y.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) b[3 * at(row(indices[i])) + axis] += l[3 * i + axis];
    factor_.forward(b, added);
    device::add_scaled(y, 1, added);
    return;
  }
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (l[3 * i] != 0 || l[3 * i + 1] != 0 || l[3 * i + 2] != 0) scatter_one(indices[i], l.data() + 3 * i, y);
}

void Delassus::gather_one(Index index, std::span<const double> y, double* out) const {
  const Column& column = columns_[at(index)];
  kernels().column.gather(column.end - column.size, runs_.data() + column.runs, column.length, y.data(), out);
}

void Delassus::scatter_one(Index index, const double* l, std::span<double> y) const {
  const Column& column = columns_[at(index)];
  kernels().column.scatter(column.end - column.size, runs_.data() + column.runs, column.length, l, y.data());
}

}  // namespace proxima::factor
