#include "runtime/solve/region/user_function.hpp"

#include <algorithm>
#include <stdexcept>

#include "compiler/derive/function_kernel.hpp"
#include "runtime/device/aligned.hpp"

namespace proxima::solve {
namespace {

using Vectors = std::vector<std::vector<double>>;

const jit::CompiledKernel& compiled(std::shared_ptr<const jit::CompiledKernel>& kernel, jit::Engine& engine,
                                    const ir::Function& function, derive::FunctionQuantity quantity) {
  if (!kernel) kernel = engine.compile(derive::function_kernel(function, quantity));
  return *kernel;
}

}  // namespace

// All fields are uniform, so all lanes of the one tile compute the same.
Vectors UserFunction::run(const jit::CompiledKernel& kernel, std::span<const double> inputs, const Vectors& parameters,
                          std::span<const double> bars) const {
  std::vector<const void*> in;
  in.reserve(kernel.inputs.size());
  std::size_t field = 0;
  const auto take = [&](std::span<const double>& values) {
    const std::size_t count = kernel.inputs.at(field++).components;
    if (count > values.size()) throw std::logic_error("a user's function is given too few numbers");
    in.push_back(values.data());
    values = values.subspan(count);
  };
  for (std::size_t k = 0; k < function_->inputs.size(); ++k) take(inputs);
  for (const auto& parameter : parameters) {
    std::span<const double> values = parameter;
    take(values);
  }
  while (field < kernel.inputs.size()) take(bars);

  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  std::vector<device::AlignedVector<double>> fields;
  fields.reserve(kernel.outputs.size());
  std::vector<void*> out;
  out.reserve(kernel.outputs.size());
  for (const auto& output : kernel.outputs) {
    fields.emplace_back(lanes * output.components);
    out.push_back(fields.back().data());
  }
  kernel.function(in.data(), out.data(), nullptr, 0, 1);
  Vectors results;
  results.reserve(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    auto& result = results.emplace_back(kernel.outputs[k].components);
    for (std::size_t c = 0; c < result.size(); ++c) result[c] = fields[k][lanes * c];
  }
  return results;
}

std::vector<double> UserFunction::value(std::span<const double> inputs, const Vectors& parameters) {
  const auto& kernel = compiled(value_, *engine_, *function_, derive::FunctionQuantity::value);
  std::vector<double> all;
  for (const auto& output : run(kernel, inputs, parameters, {})) all.insert(all.end(), output.begin(), output.end());
  return all;
}

UserFunction::PullBack UserFunction::pull_back(std::span<const double> inputs, const Vectors& parameters,
                                               std::span<const double> bars) {
  const auto& kernel = compiled(pull_back_, *engine_, *function_, derive::FunctionQuantity::pull_back);
  Vectors results = run(kernel, inputs, parameters, bars);
  const auto first_parameter = results.begin() + static_cast<std::ptrdiff_t>(function_->inputs.size());
  PullBack result;
  for (auto input = results.begin(); input != first_parameter; ++input)
    result.inputs.insert(result.inputs.end(), input->begin(), input->end());
  result.parameters.assign(std::make_move_iterator(first_parameter), std::make_move_iterator(results.end()));
  return result;
}

std::vector<double> observe(const std::vector<model::Observation>& inputs, double time,
                            std::span<const double> positions, std::span<const double> velocities) {
  std::vector<double> result;
  for (const auto& input : inputs) {
    if (input.of == model::Observation::Of::time) result.push_back(time);
    const auto from = input.of == model::Observation::Of::position ? positions : velocities;
    for (const auto& point : input.points)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = point.offset[axis];
        for (std::size_t j = 0; j < point.nodes.size(); ++j)
          sum += point.weights[j] * from[3 * static_cast<std::size_t>(point.nodes[j]) + axis];
        result.push_back(sum);
      }
  }
  return result;
}

void add_observed(const std::vector<model::Observation>& inputs, std::span<const double> bars,
                  std::span<double> positions, std::span<double> velocities) {
  std::size_t next = 0;
  for (const auto& input : inputs) {
    if (input.of == model::Observation::Of::time) ++next;
    const auto to = input.of == model::Observation::Of::position ? positions : velocities;
    for (const auto& point : input.points)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double bar = bars[next++];
        if (to.empty()) continue;
        for (std::size_t j = 0; j < point.nodes.size(); ++j)
          to[3 * static_cast<std::size_t>(point.nodes[j]) + axis] += point.weights[j] * bar;
      }
  }
}

}  // namespace proxima::solve
