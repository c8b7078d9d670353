// Nodes of vectors on a GPU that rules of the host look at and add to, as contacts, surface loads and controllers do:
// what goes over are these.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

// A vector on the host, 3 values a node of all nodes, as it was when it was asked for; no numbers but at those nodes.
class SeenVector {
 public:
  explicit SeenVector(std::shared_ptr<const std::vector<double>> values) : values_(std::move(values)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the vector
  operator std::span<const double>() const { return *values_; }

 private:
  std::shared_ptr<const std::vector<double>> values_;
};

// One thread of callers at a time.
class CudaWatchedNodes {
 public:
  // `nodes`: increasing, each once.
  CudaWatchedNodes(std::shared_ptr<device::CudaAlgebra> algebra, const Objective& objective,
                   std::span<const std::int32_t> nodes);

  using Rule = std::function<void(std::span<double>)>;

  SeenVector seen(const device::CudaVector& v);
  // y += what the rule adds to zeros, 3 a node of all nodes; it adds to none but these. A rule may call this again. Of
  // a y of no size: the rule is given none, either.
  void add(device::CudaVector& y, const Rule& rule) { add(all_, y, rule); }
  void add_to_free(device::CudaVector& y, const Rule& rule) { add(free_, y, rule); }

 private:
  struct Nodes {
    std::vector<std::int32_t> numbers{};
    std::shared_ptr<const device::CudaArray> there{};
    device::CudaVector values;
  };
  Nodes nodes_of(std::vector<std::int32_t> numbers) const;
  void add(Nodes& to, device::CudaVector& y, const Rule& rule);

  std::shared_ptr<device::CudaAlgebra> algebra_;
  std::size_t size_;  // of a vector of all nodes
  device::CudaFunction add_at_nodes_;
  Nodes all_, free_;
  // For what is seen, and zeros to add to; what nobody has is used again.
  using Room = std::vector<std::shared_ptr<std::vector<double>>>;
  std::shared_ptr<std::vector<double>> take(Room& room, double fill) const;
  Room seen_, added_;
  std::vector<double> some_;
};

}  // namespace proxima::solve
