#include "tests/jit/run_kernel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <type_traits>

#include "compiler/ir/interpreter.hpp"
#include "runtime/device/launch.hpp"
#include "tests/jit/rounding_bound.hpp"
#include "tests/jit/rounding_spread.hpp"

namespace proxima::jit::testing {
namespace {

using device::AlignedVector;
using device::Tiling;

double rounded(double value, Precision precision) {
  return precision == Precision::fp32 ? static_cast<double>(static_cast<float>(value)) : value;
}

template <class T>
std::vector<std::vector<double>> run_in(const CompiledKernel& kernel, const Batch& batch, std::size_t split) {
  // A kernel without corners still needs the tiling: as if each element had one node.
  const int corners = std::max(1, static_cast<int>(kernel.corners));
  std::vector<std::int32_t> nodes = batch.nodes;
  if (kernel.corners == 0) nodes.assign(batch.elements, 0);
  const Tiling tiling = Tiling::make(nodes, corners, kernel.lanes);

  std::vector<AlignedVector<T>> inputs, outputs;
  for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
    const ir::Field& field = kernel.inputs[f];
    const bool tiled = field.access == ir::Access::element;
    const auto values = tiled ? tiling.field(batch.fields[f], static_cast<int>(field.components))
                              : AlignedVector<double>(batch.fields[f].begin(), batch.fields[f].end());
    inputs.emplace_back(values.begin(), values.end());
  }
  for (const ir::Field& field : kernel.outputs)
    outputs.emplace_back(tiling.scalars(static_cast<int>(field.components)), std::numeric_limits<T>::quiet_NaN());

  std::vector<const void*> in;
  std::vector<void*> out;
  for (const auto& values : inputs) in.push_back(values.data());
  for (auto& values : outputs) out.push_back(values.data());
  const auto middle = static_cast<std::int64_t>(split), end = static_cast<std::int64_t>(tiling.tiles);
  kernel.function(in.data(), out.data(), tiling.nodes.data(), middle, end);
  kernel.function(in.data(), out.data(), tiling.nodes.data(), 0, middle);

  std::vector<std::vector<double>> results(kernel.outputs.size());
  for (std::size_t f = 0; f < kernel.outputs.size(); ++f) {
    const int components = static_cast<int>(kernel.outputs[f].components);
    for (std::size_t e = 0; e < batch.elements; ++e)
      for (int c = 0; c < components; ++c) results[f].push_back(outputs[f][tiling.at(e, c, components)]);
  }
  return results;
}

// How far the results of a kernel may be off, found out only when it is asked for: by a bound to first order, where all
// operators have one, or by what random roundings do.
class Roundings {
 public:
  Roundings(const ir::Kernel& kernel, const std::vector<double>& inputs, Precision precision)
      : kernel_(kernel), inputs_(inputs), precision_(precision) {}

  // At least `wanted` if any of the two allows it; infinite or NaN where nothing can be said.
  double tolerance(std::size_t result, double wanted) const {
    const bool fp64 = precision_ == Precision::fp64;
    const double epsilon = fp64 ? 0x1p-53 : 0x1p-24;
    const double range = fp64 ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
    if (!has_bundles(kernel_.graph)) {
      if (bound_.empty()) bound_ = rounding_bound(kernel_, inputs_, range);
      if (!(epsilon * bound_[result] < wanted)) return epsilon * bound_[result];
    }
    if (spread_.empty()) spread_ = rounding_spread(kernel_, inputs_, precision_);
    return 32 * spread_[result];
  }

 private:
  const ir::Kernel& kernel_;
  const std::vector<double>& inputs_;
  const Precision precision_;
  mutable std::vector<double> bound_, spread_;
};

}  // namespace

Batch random_batch(const ir::Kernel& kernel, std::size_t elements, std::size_t nodes, double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(low, high);
  std::uniform_int_distribution<std::int32_t> node(0, static_cast<std::int32_t>(nodes) - 1);
  Batch batch;
  batch.elements = elements;
  for (std::size_t k = 0; k < elements * kernel.corners; ++k) batch.nodes.push_back(node(random));
  for (const ir::Field& field : kernel.inputs) {
    const std::size_t count = field.access == ir::Access::uniform ? 1
                              : field.access == ir::Access::nodal ? nodes
                                                                  : elements;
    std::vector<double> values(count * field.components);
    for (double& value : values) value = number(random);
    batch.fields.push_back(std::move(values));
  }
  return batch;
}

std::vector<std::vector<double>> run(const CompiledKernel& kernel, const Batch& batch, std::size_t split) {
  return kernel.precision == Precision::fp64 ? run_in<double>(kernel, batch, split)
                                             : run_in<float>(kernel, batch, split);
}

std::vector<double> inputs_of(const ir::Kernel& kernel, const Batch& batch, std::size_t element, Precision precision) {
  std::vector<double> inputs;
  const auto append = [&](const std::vector<double>& values, std::size_t index, std::size_t components) {
    for (std::size_t c = 0; c < components; ++c)
      inputs.push_back(rounded(values.at(index * components + c), precision));
  };
  for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
    const ir::Field& field = kernel.inputs[f];
    if (field.access != ir::Access::nodal) {
      append(batch.fields[f], field.access == ir::Access::element ? element : 0, field.components);
      continue;
    }
    for (std::size_t corner = 0; corner < kernel.corners; ++corner)
      append(batch.fields[f], static_cast<std::size_t>(batch.nodes[element * kernel.corners + corner]),
             field.components);
  }
  return inputs;
}

void expect_equals_interpreter(const ir::Kernel& kernel, const CompiledKernel& compiled, const Batch& batch,
                               const std::string& what) {
  expect_equals_interpreter(kernel, compiled.precision, run(compiled, batch), batch,
                            fmt::format("{} on {} lanes", what, compiled.lanes));
}

Comparison compare_with_interpreter(const ir::Kernel& kernel, Precision precision,
                                    const std::vector<std::vector<double>>& computed, const Batch& batch,
                                    double slack) {
  const double relative = precision == Precision::fp64 ? 1e-12 : 1e-5;
  ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
  Comparison comparison;
  for (std::size_t e = 0; e < batch.elements; ++e) {
    const auto inputs = inputs_of(kernel, batch, e, precision);
    const auto expected = interpreter(inputs);
    const Roundings roundings(kernel, inputs, precision);
    std::size_t first = 0;
    for (std::size_t f = 0; f < kernel.outputs.size(); ++f) {
      const std::size_t components = kernel.outputs[f].components;
      double largest = 0;
      for (std::size_t c = 0; c < components; ++c) largest = std::max(largest, std::fabs(expected[first + c]));
      for (std::size_t c = 0; c < components; ++c) {
        const double found = computed[f][e * components + c], right = expected[first + c];
        const double off = std::fabs(found - right);
        ++comparison.numbers;
        if (std::isnan(right) ? std::isnan(found) : found == right) continue;
        if (off <= relative * largest) {
          comparison.largest = std::max(comparison.largest, off / largest);
          continue;
        }
        const double tolerance = slack * roundings.tolerance(first + c, off / slack);
        ++comparison.cancelled;
        if (!std::isfinite(tolerance) || off <= tolerance) continue;
        comparison.difference =
            fmt::format("{}, {}[{}] of element {} is {}, the interpreter's {}; {} would be within roundings",
                        kernel.name, kernel.outputs[f].name, c, e, found, right, tolerance);
        return comparison;
      }
      first += components;
    }
  }
  return comparison;
}

void expect_equals_interpreter(const ir::Kernel& kernel, Precision precision,
                               const std::vector<std::vector<double>>& computed, const Batch& batch,
                               const std::string& what) {
  ASSERT_EQ(compare_with_interpreter(kernel, precision, computed, batch).difference, "") << what;
}

std::vector<Target> targets_here() {
  std::vector<Target> here;
  for (const Target& target : {Target::avx512(), Target::avx2(), Target::portable()}) {
    if (target.runs_here())
      here.push_back(target);
    else
      std::cout << "[  SKIPPED ] " << target.cpu << ": not on this processor\n";
  }
  return here;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "proxima-jit-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace proxima::jit::testing
