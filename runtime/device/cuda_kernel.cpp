#include "runtime/device/cuda_kernel.hpp"

#include <bit>
#include <stdexcept>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/emit/cuda/prologue.hpp"

namespace proxima::device {

namespace {

ir::Interpreter<double> prologue_of(const ir::Kernel& kernel) {
  const ir::Kernel prologue = emit::divide(kernel).prologue;
  return {prologue.graph, prologue.results};
}

}  // namespace

CudaKernel::CudaKernel(const std::shared_ptr<const CudaModule>& module, const ir::Kernel& kernel,
                       emit::Precision precision)
    : name_(kernel.name),
      precision_(precision),
      corners_(kernel.corners),
      inputs_(kernel.inputs),
      outputs_(kernel.outputs),
      function_(module->function(emit::cuda_symbol(kernel))),
      prologue_(prologue_of(kernel)) {}

void CudaKernel::launch(std::span<const CudaInput> inputs, std::span<const CudaArray* const> outputs,
                        const CudaArray* nodes, int elements, std::int64_t stride) const {
  const auto require = [&](bool fits) {
    if (!fits) throw std::logic_error(name_ + ": launched with fields that do not fit it");
  };
  require(inputs.size() == inputs_.size() && outputs.size() == outputs_.size() &&
          (nodes != nullptr) == (corners_ > 0) && elements >= 0 && stride >= elements);
  if (elements == 0) return;
  std::vector<std::uint64_t> arguments;
  const auto add = [&](const CudaArray* array) {
    require(array != nullptr);
    arguments.push_back(array->address());
  };
  const auto add_numbers = [&](std::span<const double> numbers) {
    for (const double number : numbers)
      arguments.push_back(precision_ == emit::Precision::fp64
                              ? std::bit_cast<std::uint64_t>(number)
                              : std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(number))});
  };
  std::vector<double> uniform;
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    if (inputs_[f].access != ir::Access::uniform) {
      add(inputs[f].array);
      continue;
    }
    require(inputs[f].numbers.size() == inputs_[f].components);
    add_numbers(inputs[f].numbers);
    uniform.insert(uniform.end(), inputs[f].numbers.begin(), inputs[f].numbers.end());
  }
  {
    const std::scoped_lock lock(mutex_);
    add_numbers(prologue_(uniform));
  }
  for (const CudaArray* output : outputs) add(output);
  if (corners_ > 0) add(nodes);
  arguments.push_back(static_cast<std::uint32_t>(elements));
  arguments.push_back(static_cast<std::uint64_t>(stride));
  function_.launch((static_cast<std::size_t>(elements) + emit::cuda_block - 1) / emit::cuda_block, emit::cuda_block,
                   arguments);
}

}  // namespace proxima::device
