// Launching on a GPU, with a stand-in for the driver and the kernel's CUDA text compiled for the host: memory, the
// order and size of arguments, the number of blocks, errors. No GPU took part.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/support/error.hpp"
#include "runtime/device/cuda.hpp"
#include "tests/jit/cuda_on_host.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::device {
namespace {

using emit::Precision;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "(no error)";
}

class Cuda : public ::testing::Test {
 protected:
  Cuda() { ::setenv("PROXIMA_CUDA_DRIVER", PROXIMA_FAKE_CUDA, 1); }
  ~Cuda() override {
    set("fake_devices", 1);
    set("fake_launch_result", 0);
    ::unsetenv("PROXIMA_CUDA_DRIVER");
  }

  template <class T>
  void set(const char* function, T value) {
    reinterpret_cast<void (*)(T)>(dlsym(driver_, function))(value);
  }
  int blocks() { return reinterpret_cast<int (*)()>(dlsym(driver_, "fake_blocks"))(); }

  // Every kind of field.
  static ir::Kernel some_kernel() {
    ir::Kernel kernel;
    kernel.name = "rubber.forces";
    kernel.corners = 2;
    kernel.inputs = {{"x", ir::Access::nodal, 3},
                     {"mu", ir::Access::uniform, 2},
                     {"volume", ir::Access::element, 2},
                     {"h", ir::Access::uniform, 1}};
    kernel.outputs = {{"energy", ir::Access::element, 1}, {"forces", ir::Access::element, 2}};
    const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
    kernel.results = {(in(0) * in(6) + in(5)).node, (in(3) * in(7) - in(8) * in(1)).node,
                      (in(9) + in(10) * in(4)).node};
    return kernel;
  }
  static jit::CudaCode code() {
    jit::CudaCode result;
    result.image = "code";
    result.symbol = "right_name";
    return result;
  }

  void* const driver_ = dlopen(PROXIMA_FAKE_CUDA, RTLD_NOW);
};

// Arrays laid out for the device, and back.
template <class T>
std::vector<std::vector<double>> run(CudaDevice& device, const CudaKernel& loaded, const ir::Kernel& kernel,
                                     const jit::testing::Batch& batch) {
  const std::size_t stride = (batch.elements + emit::cuda_padding - 1) / emit::cuda_padding * emit::cuda_padding;
  const auto in_rows = [&](const auto& values, std::size_t rows, auto nothing) {
    std::vector<decltype(nothing)> result(rows * stride, nothing);
    for (std::size_t k = 0; k < values.size(); ++k)
      result[k % rows * stride + k / rows] = static_cast<decltype(nothing)>(values[k]);
    return result;
  };
  std::vector<CudaArray> arrays;
  arrays.reserve(8);
  const auto array = [&](const auto& values) -> const CudaArray* {
    const auto bytes = std::as_bytes(std::span(values));
    arrays.push_back(device.allocate(bytes.size()));
    arrays.back().write(bytes);
    return &arrays.back();
  };
  std::vector<CudaInput> inputs;
  for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
    const auto& values = batch.fields[f];
    if (kernel.inputs[f].access == ir::Access::uniform)
      inputs.push_back({nullptr, values});
    else if (kernel.inputs[f].access == ir::Access::nodal)
      inputs.push_back({array(std::vector<T>(values.begin(), values.end())), {}});
    else
      inputs.push_back({array(in_rows(values, kernel.inputs[f].components, T(NAN))), {}});
  }
  std::vector<const CudaArray*> outputs;
  for (const ir::Field& field : kernel.outputs) outputs.push_back(array(std::vector<T>(field.components * stride)));
  const CudaArray* nodes = array(in_rows(batch.nodes, kernel.corners, std::int32_t{-1}));
  loaded.launch(inputs, outputs, nodes, static_cast<int>(batch.elements), static_cast<std::int64_t>(stride));

  std::vector<std::vector<double>> results;
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const std::size_t components = kernel.outputs[f].components;
    std::vector<T> rows(components * stride);
    outputs[f]->read(std::as_writable_bytes(std::span(rows)));
    results.emplace_back();
    for (std::size_t k = 0; k < batch.elements * components; ++k)
      results.back().push_back(rows[k % components * stride + k / components]);
  }
  return results;
}

TEST_F(Cuda, LaunchesWithEveryKindOfField) {
  const ir::Kernel kernel = some_kernel();
  jit::Loader loader;
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const jit::testing::CudaOnHost host(loader, kernel, precision);
    set("fake_kernel", host.run_block());
    const auto device = CudaDevice::open();
    EXPECT_EQ(device->name(), "Fake GPU");
    EXPECT_EQ(device->capability(), 90);
    const CudaKernel loaded = device->load(kernel, precision, code());
    EXPECT_EQ(loaded.registers(), 84);
    EXPECT_EQ(loaded.local_bytes(), 16);
    for (const std::size_t elements : {1, 128, 300}) {
      const auto batch = jit::testing::random_batch(kernel, elements, 20, -1, 1);
      const auto found = precision == Precision::fp64 ? run<double>(*device, loaded, kernel, batch)
                                                      : run<float>(*device, loaded, kernel, batch);
      jit::testing::expect_equals_interpreter(kernel, precision, found, batch, "launched");
      EXPECT_EQ(blocks(), static_cast<int>((elements + 127) / 128));
    }
  }
}

TEST_F(Cuda, OneLineSaysWhatIsMissing) {
  set("fake_devices", 0);
  EXPECT_EQ(message_of([] { CudaDevice::open(); }), "no GPU can be used: the CUDA driver finds none");
  ::setenv("PROXIMA_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_THROW(CudaDevice::open(), Error);
  EXPECT_EQ(message_of([] { CudaDevice::open(); }),
            "no GPU can be used: there is no CUDA driver (/nowhere/libcuda.so.1 is not to be found)");
  ::setenv("PROXIMA_CUDA_DRIVER", "libm.so.6", 1);
  EXPECT_THAT(message_of([] { CudaDevice::open(); }), HasSubstr("lacks the function cuInit"));
}

TEST_F(Cuda, ErrorsNameTheGpuAndTheKernel) {
  const auto device = CudaDevice::open();
  EXPECT_THAT(message_of([&] { device->allocate(std::size_t{1} << 50); }),
              AllOf(HasSubstr("Fake GPU has no 1125899906842624 bytes"), HasSubstr("smaller mesh")));
  const ir::Kernel kernel = some_kernel();
  jit::CudaCode broken = code();
  broken.image = "nonsense";
  EXPECT_THAT(message_of([&] { device->load(kernel, Precision::fp64, broken); }),
              AllOf(HasSubstr("Fake GPU"), HasSubstr("rubber.forces: loading its code"), HasSubstr("(200)")));
  broken = code();
  broken.symbol = "wrong_name";
  EXPECT_THAT(message_of([&] { device->load(kernel, Precision::fp64, broken); }), HasSubstr("finding wrong_name"));

  const CudaKernel loaded = device->load(kernel, Precision::fp64, code());
  const auto batch = jit::testing::random_batch(kernel, 3, 20, -1, 1);
  set("fake_launch_result", 700);
  EXPECT_THAT(message_of([&] { run<double>(*device, loaded, kernel, batch); }),
              AllOf(HasSubstr("Fake GPU: rubber.forces: launching it"), HasSubstr("illegal memory access")));
  EXPECT_THROW(loaded.launch({}, {}, nullptr, 3, 32), std::logic_error);
}

}  // namespace
}  // namespace proxima::device
