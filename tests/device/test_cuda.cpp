// Launching on a GPU, with stand-ins for the driver and NVRTC (tests/cuda_shim): memory, the order and size of
// arguments, the number of blocks, errors. No GPU took part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/support/error.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/gpu/device_run.hpp"
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

  testing::CudaShimEngine shim_;
};

TEST_F(Cuda, LaunchesWithEveryKindOfField) {
  const ir::Kernel kernel = some_kernel();
  CudaDevice& device = shim_.engine.device();
  EXPECT_EQ(device.name(), "Fake GPU");
  EXPECT_EQ(device.capability(), 90);
  EXPECT_EQ(shim_.engine.architecture(), "sm_90");
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const auto loaded = shim_.engine.compile(kernel, precision);
    EXPECT_EQ(loaded, shim_.engine.compile(kernel, precision));
    EXPECT_EQ(loaded->function().registers(), 84);
    EXPECT_EQ(loaded->function().local_bytes(), 16);
    EXPECT_EQ(loaded->function().resident_blocks(128), 6);
    for (const std::size_t elements : {1, 128, 300}) {
      const auto batch = jit::testing::random_batch(kernel, elements, 20, -1, 1);
      const gpu::DeviceRun run(device, kernel, precision, batch);
      const double milliseconds = device.milliseconds([&] { run.launch(*loaded); });
      EXPECT_GT(milliseconds, 0);
      EXPECT_LT(milliseconds, 1e4);
      jit::testing::expect_equals_interpreter(kernel, precision, run.results(), batch, "launched");
      EXPECT_EQ(shim_.blocks(), static_cast<int>((elements + 127) / 128));
    }
  }
}

TEST_F(Cuda, OneLineSaysWhatIsMissing) {
  shim_.set("fake_devices", 0);
  EXPECT_EQ(message_of([] { CudaDevice::open(); }), "no GPU can be used: the CUDA driver finds none");
  ::setenv("PROXIMA_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_THROW(CudaDevice::open(), Error);
  EXPECT_EQ(message_of([] { CudaDevice::open(); }),
            "no GPU can be used: there is no CUDA driver (/nowhere/libcuda.so.1 is not to be found)");
  ::setenv("PROXIMA_CUDA_DRIVER", "libm.so.6", 1);
  EXPECT_THAT(message_of([] { CudaDevice::open(); }), HasSubstr("lacks the function cuInit"));
}

TEST_F(Cuda, ErrorsNameTheGpuAndTheKernel) {
  CudaDevice& device = shim_.engine.device();
  shim_.set("fake_memory", std::size_t{1000});
  EXPECT_THAT(message_of([&] { device.allocate(1001); }),
              AllOf(HasSubstr("Fake GPU has no 1001 bytes of memory left, 1000 of its 1099511627776 are free"),
                    HasSubstr("smaller mesh")));
  shim_.set("fake_memory", std::size_t{1} << 40);
  jit::CudaCode broken;
  broken.image = "nonsense";
  EXPECT_THAT(message_of([&] { device.load("rubber.forces", broken); }),
              AllOf(HasSubstr("Fake GPU"), HasSubstr("rubber.forces: loading its code"), HasSubstr("(200)")));
  const auto module = shim_.engine.compile_text("nothing.cu", "extern \"C\" __global__ void nothing() {}");
  EXPECT_THAT(message_of([&] { module->function("wrong_name"); }), HasSubstr("finding wrong_name"));
  EXPECT_THAT(message_of([&] { shim_.engine.compile_text("broken.cu", "nonsense"); }),
              AllOf(HasSubstr("broken.cu: NVRTC 0."), HasSubstr("nonsense")));

  const ir::Kernel kernel = some_kernel();
  const auto loaded = shim_.engine.compile(kernel);
  const auto batch = jit::testing::random_batch(kernel, 3, 20, -1, 1);
  const gpu::DeviceRun run(device, kernel, Precision::fp64, batch);
  shim_.set("fake_launch_result", 700);
  EXPECT_THAT(message_of([&] { run.launch(*loaded); }),
              AllOf(HasSubstr("Fake GPU: rubber.forces: launching it"), HasSubstr("illegal memory access")));
  EXPECT_THROW(loaded->launch({}, {}, nullptr, 3, 32), std::logic_error);
}

// What an array no longer needs goes to the next one of its size, and back to the driver where memory runs out.
TEST_F(Cuda, MemoryIsKeptForOthersOfItsSize) {
  CudaDevice& device = shim_.engine.device();
  std::uint64_t before = 0;
  {
    const CudaArray first = device.allocate(48);
    before = first.address();
  }
  shim_.set("fake_memory", std::size_t{8});  // what can still be had
  EXPECT_EQ(device.allocate(48).address(), before);
  EXPECT_THAT(message_of([&] { (void)device.allocate(56); }), HasSubstr("no 56 bytes"));
  EXPECT_THAT(message_of([&] { (void)device.allocate(48); }), HasSubstr("no 48 bytes")) << "it was given back";
}

// As the arrays are when the copy is queued, whatever is queued afterwards; there when it is waited for.
TEST_F(Cuda, CopiesLaterWhatIsThereNow) {
  CudaDevice& device = shim_.engine.device();
  const auto bytes = [](const std::vector<double>& values) { return std::as_bytes(std::span(values)); };
  CudaArray first = device.upload(bytes({1, 2, 3})), second = device.upload(bytes({4, 5}));
  CudaDownload download(device, 5 * sizeof(double));
  const CudaArray* const arrays[] = {&first, &second};
  const auto numbers = [&] {
    const auto found = download.wait();
    const auto* begin = reinterpret_cast<const double*>(found.data());
    return std::vector<double>(begin, begin + 5);
  };
  download.start(arrays);
  first.clear();
  second.clear();
  EXPECT_EQ(numbers(), (std::vector<double>{1, 2, 3, 4, 5}));
  download.start(arrays);
  EXPECT_EQ(numbers(), std::vector<double>(5));
  const CudaArray* const too_many[] = {&first, &second, &second};
  EXPECT_THROW(download.start(too_many), std::logic_error);
  shim_.set("fake_memory", std::size_t{8});
  EXPECT_THAT(message_of([&] { CudaDownload(device, 16); }), HasSubstr("16 bytes"));
}

// What was written when it was sent; there for what is queued after arrays were filled with it, and for nothing before.
TEST_F(Cuda, CopiesAheadOfWork) {
  CudaDevice& device = shim_.engine.device();
  CudaUpload upload(device, 5 * sizeof(double));
  CudaArray first = device.allocate(3 * sizeof(double)), second = device.allocate(2 * sizeof(double));
  CudaArray* const arrays[] = {&first, &second};
  const auto send = [&](const std::vector<double>& values) {
    std::ranges::copy(std::as_bytes(std::span(values)), upload.room().begin());
    upload.start();
  };
  const auto read = [](const CudaArray& array) {
    std::vector<double> result(array.bytes() / sizeof(double));
    array.read(std::as_writable_bytes(std::span(result)));
    return result;
  };
  first.clear();
  send({1, 2, 3, 4, 5});
  EXPECT_EQ(read(first), std::vector<double>(3)) << "nobody has waited for it";
  upload.fill(arrays);
  EXPECT_EQ(read(first), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(read(second), (std::vector<double>{4, 5}));
  send({6, 7, 8, 9, 10});
  send({11, 12, 13, 14, 15});  // in the place of those, which have gone over before
  upload.fill(arrays);
  EXPECT_EQ(read(second), (std::vector<double>{14, 15}));
  CudaArray* const too_many[] = {&first, &second, &second};
  EXPECT_THROW(upload.fill(too_many), std::logic_error);
  shim_.set("fake_memory", std::size_t{8});
  EXPECT_THAT(message_of([&] { CudaUpload(device, 24); }), HasSubstr("24 bytes"));
}

}  // namespace
}  // namespace proxima::device
