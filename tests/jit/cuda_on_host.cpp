#include "tests/jit/cuda_on_host.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <climits>
#include <limits>
#include <set>
#include <stdexcept>

#include "compiler/emit/cuda/prologue.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/jit/clang.hpp"

namespace proxima::jit::testing {
namespace {

constexpr std::string_view shim = R"(
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
static struct { unsigned x; } blockIdx, blockDim, threadIdx;
static float __int_as_float(int bits) { return __builtin_bit_cast(float, bits); }
)";

// Declarations of the mathematical functions, which a device compiler knows by itself.
std::string functions() {
  std::string text = "extern \"C\" {\n";
  std::set<std::string> known;
  for (const ir::Operator& row : ir::operators()) {
    if (row.c.empty() || row.c.starts_with('(')) continue;
    const std::string name(row.c.substr(0, row.c.find('(')));
    if (!known.insert(name).second) continue;
    for (const auto& [number, ending] : {std::pair{"double", ""}, std::pair{"float", "f"}})
      text +=
          fmt::format("{0} {1}{2}({0}{3});\n", number, name, ending, row.arity == 2 ? fmt::format(", {}", number) : "");
  }
  return text + "}\n";
}

// A function that runs one block, its arguments as a driver takes them: a pointer to each.
std::string caller(const ir::Kernel& kernel, std::size_t computed, const std::string& number) {
  std::string arguments;
  int count = 0;
  const auto argument = [&](const std::string& type) {
    arguments += fmt::format("{}*({}*)arguments[{}]", count == 0 ? "" : ", ", type, count);
    ++count;
  };
  for (const ir::Field& field : kernel.inputs) {
    if (field.access != ir::Access::uniform) argument(fmt::format("const {} *", number));
    for (std::uint32_t k = 0; field.access == ir::Access::uniform && k < field.components; ++k) argument(number);
  }
  for (std::size_t k = 0; k < computed; ++k) argument(number);
  for (std::size_t f = 0; f < kernel.outputs.size(); ++f) argument(fmt::format("{} *", number));
  if (kernel.corners > 0) argument("const int *");
  argument("int");
  argument("long long");
  return fmt::format(
      "extern \"C\" void run_block(unsigned block, unsigned threads, void *const *arguments) {{\n"
      "  blockIdx.x = block;\n  blockDim.x = threads;\n"
      "  for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {}({});\n}}\n",
      emit::cuda_symbol(kernel), arguments);
}

}  // namespace

CudaOnHost::CudaOnHost(Loader& loader, const ir::Kernel& kernel, emit::Precision precision,
                       const emit::CudaStyle& style)
    : kernel_(kernel),
      prologue_(emit::divide(kernel).prologue),
      precision_(precision),
      text_(emit::kernel_as_cuda(kernel, precision, style)) {
  const std::string number = precision == emit::Precision::fp64 ? "double" : "float";
  const std::string text = std::string(shim) + functions() + text_ + caller(kernel, prologue_.results.size(), number);
  const CompiledSource compiled = compile_source("kernel.cu.cpp", text);
  if (compiled.outcome != CompiledSource::Outcome::compiled) throw std::runtime_error(compiled.messages + text);
  object_ = loader.load(compiled.object, "run_block",
                        [](const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()); });
  if (object_.entry == nullptr) throw std::runtime_error("undefined: " + object_.undefined.front());
}

template <class T>
std::vector<std::vector<double>> CudaOnHost::run_in(const Batch& batch, unsigned threads) const {
  constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
  const auto elements = static_cast<int>(batch.elements);
  const std::size_t stride = (batch.elements / emit::cuda_padding + 1) * emit::cuda_padding;
  std::vector<std::vector<T>> inputs, outputs;
  std::vector<double> uniform;
  for (std::size_t f = 0; f < kernel_.inputs.size(); ++f) {
    const std::vector<double>& values = batch.fields[f];
    const std::size_t components = kernel_.inputs[f].components;
    if (kernel_.inputs[f].access == ir::Access::uniform) uniform.insert(uniform.end(), values.begin(), values.end());
    if (kernel_.inputs[f].access != ir::Access::element) {
      inputs.emplace_back(values.begin(), values.end());
      continue;
    }
    inputs.emplace_back(components * stride, nothing);
    for (std::size_t k = 0; k < values.size(); ++k)
      inputs.back()[k % components * stride + k / components] = static_cast<T>(values[k]);
  }
  for (const ir::Field& field : kernel_.outputs) outputs.emplace_back(field.components * stride, nothing);
  std::vector<int> nodes(kernel_.corners * stride, INT_MIN / 8);
  for (std::size_t k = 0; k < batch.elements * kernel_.corners; ++k)
    nodes[k % kernel_.corners * stride + k / kernel_.corners] = batch.nodes[k];

  std::vector<void*> pointers, arguments;
  pointers.reserve(inputs.size() + outputs.size() + 1);
  const auto array = [&](void* data) { arguments.push_back(&pointers.emplace_back(data)); };
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    if (kernel_.inputs[f].access != ir::Access::uniform)
      array(inputs[f].data());
    else
      for (T& value : inputs[f]) arguments.push_back(&value);
  }
  const std::vector<double> found = ir::evaluate<double>(prologue_, uniform);
  std::vector<T> computed(found.begin(), found.end());
  for (T& value : computed) arguments.push_back(&value);
  for (auto& output : outputs) array(output.data());
  if (kernel_.corners > 0) array(nodes.data());
  auto count = elements;
  auto step = static_cast<long long>(stride);
  arguments.push_back(&count);
  arguments.push_back(&step);
  for (unsigned block = 0; block * threads < batch.elements; ++block) run_block()(block, threads, arguments.data());

  std::vector<std::vector<double>> results;
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const std::size_t components = kernel_.outputs[f].components;
    results.emplace_back();
    for (std::size_t k = 0; k < batch.elements * components; ++k)
      results.back().push_back(outputs[f][k % components * stride + k / components]);
    for (std::size_t c = 0; c < components; ++c)
      for (std::size_t e = batch.elements; e < stride; ++e)
        EXPECT_TRUE(std::isnan(outputs[f][c * stride + e])) << kernel_.name << " wrote past the last element";
  }
  return results;
}

std::vector<std::vector<double>> CudaOnHost::run(const Batch& batch, unsigned threads) const {
  return precision_ == emit::Precision::fp64 ? run_in<double>(batch, threads) : run_in<float>(batch, threads);
}

}  // namespace proxima::jit::testing
