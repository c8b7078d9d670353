#include "runtime/solve/methods/cuda_lbfgs_pairs.hpp"

#include <array>
#include <cmath>

#include "kernels/kernels.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t columns = 4;

}  // namespace

void LbfgsPairs<CudaObjective>::add(Pair pair, const std::optional<PairNumbers>& known) {
  device::CudaAlgebra& algebra = pair.step.algebra();
  if (!useful(known ? *known : numbers_of(pair))) return;
  prepare(algebra);
  if (pair.products.bytes() == 0) pair.products = algebra.engine().device().allocate(window_ * sizeof(double));
  keep(std::move(pair));
  list();
  algebra.multiply_all(column(Column::step), pairs_.size(), pairs_.back().change, pairs_.back().products.address());
}

void LbfgsPairs<CudaObjective>::take_shares(Vector& left) {
  if (empty()) return;
  if (listed_ != pairs_.size()) list();
  device::CudaAlgebra& algebra = left.algebra();
  algebra.multiply_all(column(Column::step), pairs_.size(), left, shares_.address());
  algebra.take_shares(1, kernels::share_block, shares_, column(Column::products), static_cast<int>(pairs_.size()));
  algebra.add_all(left, -1, shares_, column(Column::change), pairs_.size());
}

void LbfgsPairs<CudaObjective>::take_images(Vector& result) const {
  if (empty()) return;
  result.algebra().add_all(result, -1, shares_, column(Column::image), pairs_.size());
}

void LbfgsPairs<CudaObjective>::give_shares(Vector& result) {
  if (empty()) return;
  device::CudaAlgebra& algebra = result.algebra();
  algebra.multiply_all(column(Column::change), pairs_.size(), result, factors_.address());
  algebra.give_shares(1, kernels::share_block, factors_, shares_, column(Column::products),
                      static_cast<int>(pairs_.size()));
  algebra.add_all(result, 1, factors_, column(Column::step), pairs_.size());
}

PairNumbers LbfgsPairs<CudaObjective>::numbers_of(const Pair& pair) {
  std::array<double, 3> found{};
  const auto& [step, change, image, products] = pair;
  step.algebra().dots({{step, change}, {step, step}, {change, change}}, found);
  return {found[0], std::sqrt(found[1]), std::sqrt(found[2])};
}

void LbfgsPairs<CudaObjective>::prepare(const device::CudaAlgebra& algebra) {
  if (table_.bytes() > 0) return;
  device::CudaDevice& gpu = algebra.engine().device();
  table_ = gpu.allocate(columns * window_ * sizeof(std::uint64_t));
  shares_ = gpu.allocate(window_ * sizeof(double));
  factors_ = gpu.allocate(window_ * sizeof(double));
}

void LbfgsPairs<CudaObjective>::list() {
  std::vector<std::uint64_t> addresses;
  addresses.reserve(columns * pairs_.size());
  const auto append = [&](const auto& array_of) {
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) addresses.push_back(array_of(*pair).address());
  };
  append([](const Pair& pair) -> auto& { return pair.step.array(); });
  append([](const Pair& pair) -> auto& { return pair.change.array(); });
  append([](const Pair& pair) -> auto& { return pair.products; });
  append([](const Pair& pair) -> auto& { return pair.image.array(); });
  pairs_.back().step.algebra().put(std::as_bytes(std::span(addresses)), table_);
  listed_ = pairs_.size();
}

std::uint64_t LbfgsPairs<CudaObjective>::column(Column which) const {
  return table_.address() + static_cast<std::size_t>(which) * pairs_.size() * sizeof(std::uint64_t);
}

}  // namespace proxima::solve
