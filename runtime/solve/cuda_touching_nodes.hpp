// The nodes that contacts look at and move, of vectors on a GPU: contacts are found and solved for on the host, and
// what goes over are these nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/objective.hpp"

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
class CudaTouchingNodes {
 public:
  // `nodes`: increasing, each once.
  CudaTouchingNodes(std::shared_ptr<device::CudaAlgebra> algebra, const Objective& objective,
                    std::span<const std::int32_t> nodes);

  SeenVector seen(const device::CudaVector& v);
  // y += what the rule adds to zeros, 3 a node of all nodes, at nodes that are free. It adds nowhere else.
  void add(device::CudaVector& y, const std::function<void(std::span<double>)>& rule);

 private:
  struct Nodes {
    std::vector<std::int32_t> numbers{};
    std::shared_ptr<const device::CudaArray> there{};
    device::CudaVector values;
  };
  Nodes nodes_of(std::vector<std::int32_t> numbers) const;

  std::shared_ptr<device::CudaAlgebra> algebra_;
  std::size_t size_;  // of a vector of all nodes
  device::CudaFunction add_at_nodes_;
  Nodes all_, free_;
  std::vector<std::shared_ptr<std::vector<double>>> room_;  // for what is seen; that which nobody has is used again
  std::vector<double> added_, some_;                        // the first is zero between calls
};

}  // namespace proxima::solve
