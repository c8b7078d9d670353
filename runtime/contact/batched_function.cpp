#include "runtime/contact/batched_function.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "compiler/derive/function_kernel.hpp"
#include "runtime/device/launch.hpp"

namespace proxima::contact {
namespace {

using Field = device::AlignedVector<double>;

device::Tiling tiling_of(std::size_t items, int lanes) {
  device::Tiling tiling;
  tiling.lanes = lanes;
  tiling.elements = items;
  tiling.tiles = (items + static_cast<std::size_t>(lanes) - 1) / static_cast<std::size_t>(lanes);
  return tiling;
}

// Part of what each item has: `components` numbers from number `first` on, of `width` an item.
struct Part {
  std::size_t first, components, width;
};

Field spread(const device::Tiling& tiling, std::span<const double> numbers, Part part) {
  const int components = static_cast<int>(part.components);
  Field field(tiling.scalars(components));
  const std::size_t slots = tiling.tiles * static_cast<std::size_t>(tiling.lanes);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const double* from = &numbers[std::min(slot, tiling.elements - 1) * part.width + part.first];
    for (int c = 0; c < components; ++c) field[tiling.at(slot, c, components)] = from[c];
  }
  return field;
}

void collect(const device::Tiling& tiling, const Field& field, Part part, std::span<double> numbers) {
  const int components = static_cast<int>(part.components);
  for (std::size_t item = 0; item < tiling.elements; ++item)
    for (int c = 0; c < components; ++c)
      numbers[item * part.width + part.first + static_cast<std::size_t>(c)] = field[tiling.at(item, c, components)];
}

// The kernel's outputs, from numbers of the items (inputs, and bars of a pull-back) and the parameters.
std::vector<Field> run(const jit::CompiledKernel& kernel, const ir::Function& function, const device::Tiling& tiling,
                       std::pair<std::span<const double>, std::size_t> inputs,
                       const BatchedFunction::Parameters& parameters,
                       std::pair<std::span<const double>, std::size_t> bars) {
  const std::size_t first_parameter = function.inputs.size();
  const std::size_t first_bar = first_parameter + function.parameters.size();
  if (parameters.size() != function.parameters.size())
    throw std::logic_error(kernel.name + ": given values of other parameters");
  std::vector<Field> fields(kernel.inputs.size());
  std::vector<const void*> in(kernel.inputs.size());
  std::size_t next_input = 0, next_bar = 0;
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k) {
    const std::size_t components = kernel.inputs[k].components;
    if (k >= first_parameter && k < first_bar) {
      const auto& values = parameters[k - first_parameter];
      if (values.size() != components) throw std::logic_error(kernel.name + ": given a parameter of another size");
      in[k] = values.data();
      continue;
    }
    auto& [numbers, width] = k < first_parameter ? inputs : bars;
    std::size_t& next = k < first_parameter ? next_input : next_bar;
    fields[k] = spread(tiling, numbers, {next, components, width});
    next += components;
    in[k] = fields[k].data();
  }
  std::vector<Field> results;
  results.reserve(kernel.outputs.size());
  std::vector<void*> out;
  out.reserve(kernel.outputs.size());
  for (const auto& output : kernel.outputs) {
    results.emplace_back(tiling.scalars(static_cast<int>(output.components)));
    out.push_back(results.back().data());
  }
  device::launch(kernel, tiling, in, out);
  return results;
}

}  // namespace

BatchedFunction::BatchedFunction(std::shared_ptr<const ir::Function> function, jit::Engine& engine)
    : function_(std::move(function)), engine_(&engine) {
  for (const auto& input : function_->inputs) inputs_ += input.components;
  outputs_ = roots_of(*function_).size();
}

std::vector<double> BatchedFunction::evaluate(std::span<const double> inputs, const Parameters& parameters) const {
  const std::size_t items = inputs.size() / inputs_;
  std::vector<double> result(items * outputs_);
  if (items == 0) return result;
  if (!value_)
    value_ = engine_->compile(
        derive::function_kernel(*function_, derive::FunctionQuantity::value, derive::FunctionItems::many));
  const auto tiling = tiling_of(items, value_->lanes);
  const auto fields = run(*value_, *function_, tiling, {inputs, inputs_}, parameters, {});
  std::size_t next = 0;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::size_t components = value_->outputs[k].components;
    collect(tiling, fields[k], {next, components, outputs_}, result);
    next += components;
  }
  return result;
}

BatchedFunction::PullBack BatchedFunction::pull_back(std::span<const double> inputs, const Parameters& parameters,
                                                     std::span<const double> bars) const {
  const std::size_t items = inputs.size() / inputs_;
  if (bars.size() != items * outputs_) throw std::logic_error(function_->name + ": given too few or too many bars");
  PullBack result{std::vector<double>(inputs.size()), {}};
  for (const auto& parameter : function_->parameters) result.parameters.emplace_back(parameter.components());
  if (items == 0) return result;
  if (!pull_back_)
    pull_back_ = engine_->compile(
        derive::function_kernel(*function_, derive::FunctionQuantity::pull_back, derive::FunctionItems::many));
  const auto tiling = tiling_of(items, pull_back_->lanes);
  const auto fields = run(*pull_back_, *function_, tiling, {inputs, inputs_}, parameters, {bars, outputs_});
  std::size_t next = 0;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::size_t components = pull_back_->outputs[k].components;
    if (k < function_->inputs.size()) {
      collect(tiling, fields[k], {next, components, inputs_}, result.inputs);
      next += components;
      continue;
    }
    auto& sums = result.parameters[k - function_->inputs.size()];
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t c = 0; c < components; ++c)
        sums[c] += fields[k][tiling.at(item, static_cast<int>(c), static_cast<int>(components))];
  }
  return result;
}

}  // namespace proxima::contact
