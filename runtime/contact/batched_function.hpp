// A function of the language as compiled code for many items at once: its values and its pull-back.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/ir/function.hpp"
#include "compiler/jit/jit.hpp"

namespace proxima::contact {

// Numbers of inputs, outputs and bars are item after item, of each all components of the function's inputs or outputs
// one after the other; parameters are the same for all items. How many items there are follows from the size of what is
// given. Kernels are compiled when they are first needed. One thread of callers at a time.
class BatchedFunction {
 public:
  // [parameter][component]
  using Parameters = std::vector<std::vector<double>>;

  BatchedFunction(std::shared_ptr<const ir::Function> function, jit::Engine& engine);

  const ir::Function& function() const { return *function_; }
  std::size_t inputs() const { return inputs_; }    // numbers an item
  std::size_t outputs() const { return outputs_; }  // numbers an item

  std::vector<double> evaluate(std::span<const double> inputs, const Parameters& parameters) const;

  // The derivatives of the sum over items and outputs of bars times outputs.
  struct PullBack {
    std::vector<double> inputs;  // of each item
    Parameters parameters;       // summed over the items, in their order
  };
  PullBack pull_back(std::span<const double> inputs, const Parameters& parameters, std::span<const double> bars) const;

 private:
  std::shared_ptr<const ir::Function> function_;
  jit::Engine* engine_;
  std::size_t inputs_ = 0, outputs_ = 0;
  mutable std::shared_ptr<const jit::CompiledKernel> value_, pull_back_;
};

}  // namespace proxima::contact
