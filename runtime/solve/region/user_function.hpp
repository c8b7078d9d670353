// A user's function as compiled code: its value and its pull-back, for one item.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/ir/function.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/model/controller.hpp"

namespace proxima::solve {

// Numbers of inputs, outputs and parameters are all components of one after the other, in the order of the function's.
// Kernels are compiled when they are first needed. One thread of callers at a time.
class UserFunction {
 public:
  UserFunction(std::shared_ptr<const ir::Function> function, jit::Engine& engine)
      : function_(std::move(function)), engine_(&engine) {}

  const ir::Function& function() const { return *function_; }
  std::vector<double> value(std::span<const double> inputs, const std::vector<std::vector<double>>& parameters);
  // The derivatives of sum bars . outputs.
  struct PullBack {
    std::vector<double> inputs;
    std::vector<std::vector<double>> parameters;  // [parameter][component]
  };
  PullBack pull_back(std::span<const double> inputs, const std::vector<std::vector<double>>& parameters,
                     std::span<const double> bars);

 private:
  std::vector<std::vector<double>> run(const jit::CompiledKernel& kernel, std::span<const double> inputs,
                                       const std::vector<std::vector<double>>& parameters,
                                       std::span<const double> bars) const;

  std::shared_ptr<const ir::Function> function_;
  jit::Engine* engine_;
  std::shared_ptr<const jit::CompiledKernel> value_, pull_back_;
};

// What the inputs of a function are at a time and a state.
std::vector<double> observe(const std::vector<model::Observation>& inputs, double time,
                            std::span<const double> positions, std::span<const double> velocities);
// Its adjoint: adds to the derivatives by positions and velocities, where the spans are not empty.
void add_observed(const std::vector<model::Observation>& inputs, std::span<const double> bars,
                  std::span<double> positions, std::span<double> velocities);

}  // namespace proxima::solve
