#include "runtime/solve/objective/cuda_watched_nodes.hpp"

#include <algorithm>
#include <limits>

#include "kernels/kernels.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t block = kernels::vector_block;
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

std::vector<std::int32_t> free_of(const Objective& objective, std::span<const std::int32_t> nodes) {
  std::vector<std::int32_t> result;
  std::ranges::copy_if(nodes, std::back_inserter(result),
                       [&](std::int32_t node) { return !objective.held(static_cast<std::size_t>(node)); });
  return result;
}

}  // namespace

CudaWatchedNodes::CudaWatchedNodes(std::shared_ptr<device::CudaAlgebra> algebra, const Objective& objective,
                                   std::span<const std::int32_t> nodes)
    : algebra_(std::move(algebra)),
      size_(3 * objective.nodes()),
      add_at_nodes_(
          algebra_->engine().compile_text("watched.cu", kernels::asset_watched_cu())->function("add_at_nodes")),
      all_(nodes_of({nodes.begin(), nodes.end()})),
      free_(nodes_of(free_of(objective, nodes))) {}

CudaWatchedNodes::Nodes CudaWatchedNodes::nodes_of(std::vector<std::int32_t> numbers) const {
  auto there = algebra_->engine().constant(std::as_bytes(std::span(numbers)));
  device::CudaVector values(algebra_, 3 * numbers.size());
  return {std::move(numbers), std::move(there), std::move(values)};
}

std::shared_ptr<std::vector<double>> CudaWatchedNodes::take(Room& room, double fill) const {
  const auto found = std::ranges::find_if(room, [](const auto& one) { return one.use_count() == 1; });
  if (found != room.end()) return *found;
  return room.emplace_back(std::make_shared<std::vector<double>>(size_, fill));
}

SeenVector CudaWatchedNodes::seen(const device::CudaVector& v) {
  const auto values = take(seen_, nowhere);
  algebra_->nodes_to_rows.each(all_.values.size(), block, all_.values.array(), v.array(), *all_.there,
                               static_cast<int>(all_.values.size()));
  some_.resize(all_.values.size());
  all_.values.read(some_);
  for (std::size_t k = 0; k < all_.numbers.size(); ++k)
    std::copy_n(&some_[3 * k], 3, &(*values)[3 * static_cast<std::size_t>(all_.numbers[k])]);
  return SeenVector(values);
}

void CudaWatchedNodes::add(Nodes& to, device::CudaVector& y, const Rule& rule) {
  if (y.size() == 0) return rule({});
  const auto added = take(added_, 0);
  rule(*added);
  some_.resize(to.values.size());
  for (std::size_t k = 0; k < to.numbers.size(); ++k)
    std::copy_n(&(*added)[3 * static_cast<std::size_t>(to.numbers[k])], 3, &some_[3 * k]);
  for (const auto node : all_.numbers) std::fill_n(&(*added)[3 * static_cast<std::size_t>(node)], 3, 0.0);
  to.values.write(some_);
  add_at_nodes_.each(some_.size(), block, y.array(), to.values.array(), *to.there, static_cast<int>(some_.size()));
}

}  // namespace proxima::solve
