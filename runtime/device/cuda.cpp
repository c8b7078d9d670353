#include "runtime/device/cuda.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/support/error.hpp"
#include "runtime/device/cuda_api.hpp"

namespace proxima::device {
namespace {

template <class F>
void bind(F& function, void* library, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr)
    fail("the CUDA driver that was found lacks the function {}; one for CUDA 12 or 13 is needed", name);
}

template <class T>
T handle(void* pointer) {
  return static_cast<T>(pointer);
}

}  // namespace

struct CudaDevice::Driver {
  cuda::Functions f{};

  explicit Driver(void* library) {
    bind(f.init, library, "cuInit");
    bind(f.error_string, library, "cuGetErrorString");
    bind(f.device_count, library, "cuDeviceGetCount");
    bind(f.device, library, "cuDeviceGet");
    bind(f.device_name, library, "cuDeviceGetName");
    bind(f.device_attribute, library, "cuDeviceGetAttribute");
    bind(f.retain_context, library, "cuDevicePrimaryCtxRetain");
    bind(f.set_context, library, "cuCtxSetCurrent");
    bind(f.load_module, library, "cuModuleLoadData");
    bind(f.unload_module, library, "cuModuleUnload");
    bind(f.function, library, "cuModuleGetFunction");
    bind(f.function_attribute, library, "cuFuncGetAttribute");
    bind(f.allocate, library, "cuMemAlloc_v2");
    bind(f.free, library, "cuMemFree_v2");
    bind(f.copy_in, library, "cuMemcpyHtoD_v2");
    bind(f.copy_out, library, "cuMemcpyDtoH_v2");
    bind(f.create_stream, library, "cuStreamCreate");
    bind(f.destroy_stream, library, "cuStreamDestroy_v2");
    bind(f.wait, library, "cuStreamSynchronize");
    bind(f.launch, library, "cuLaunchKernel");
  }
  std::string words(cuda::Result result) const {
    const char* text = nullptr;
    if (f.error_string(result, &text) != 0 || text == nullptr) return fmt::format("error {}", result);
    return fmt::format("{} ({})", text, result);
  }
};

std::shared_ptr<CudaDevice> CudaDevice::open() {
  const char* chosen = std::getenv("PROXIMA_CUDA_DRIVER");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : "libcuda.so.1";
  // Never closed: drivers keep threads and state of their own.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail("no GPU can be used: there is no CUDA driver ({} is not to be found)", path);
  return std::shared_ptr<CudaDevice>(new CudaDevice(std::make_shared<const Driver>(library)));
}

CudaDevice::CudaDevice(std::shared_ptr<const Driver> driver) : driver_(std::move(driver)), name_("the GPU") {
  const cuda::Functions& f = driver_->f;
  int count = 0;
  const cuda::Result started = f.init(0);
  if (started == cuda::no_device) fail("no GPU can be used: the CUDA driver finds none");
  if (started != 0) fail("no GPU can be used: the CUDA driver does not start: {}", driver_->words(started));
  check(f.device_count(&count), "counting GPUs");
  if (count == 0) fail("no GPU can be used: the CUDA driver finds none");
  cuda::DeviceNumber device = 0;
  check(f.device(&device, 0), "the first GPU");
  char name[256] = {};
  check(f.device_name(name, sizeof name, device), "its name");
  name_ = name;
  int major = 0, minor = 0;
  check(f.device_attribute(&major, cuda::capability_major, device), "its compute capability");
  check(f.device_attribute(&minor, cuda::capability_minor, device), "its compute capability");
  capability_ = 10 * major + minor;
  cuda::Context context = nullptr;
  check(f.retain_context(&context, device), "its context");
  context_ = context;
  enter();
  cuda::Stream stream = nullptr;
  check(f.create_stream(&stream, cuda::stream_non_blocking), "a stream");
  stream_ = stream;
}

CudaDevice::~CudaDevice() {
  // The primary context is left to the driver: other code of the process may use it.
  if (stream_ == nullptr) return;
  driver_->f.set_context(handle<cuda::Context>(context_));
  driver_->f.destroy_stream(handle<cuda::Stream>(stream_));
}

void CudaDevice::enter() const { check(driver_->f.set_context(handle<cuda::Context>(context_)), "its context"); }

void CudaDevice::check(int result, const std::string& what) const {
  if (result != 0) throw std::runtime_error(fmt::format("{}: {}: {}", name_, what, driver_->words(result)));
}

void CudaDevice::wait() {
  enter();
  check(driver_->f.wait(handle<cuda::Stream>(stream_)), "what was launched before");
}

CudaArray CudaDevice::allocate(std::size_t bytes) { return {shared_from_this(), bytes}; }

CudaKernel CudaDevice::load(const ir::Kernel& kernel, emit::Precision precision, const jit::CudaCode& code) {
  return {shared_from_this(), kernel, precision, code};
}

CudaArray::CudaArray(std::shared_ptr<CudaDevice> device, std::size_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
  if (bytes == 0) return;
  device_->enter();
  cuda::Address address = 0;
  const cuda::Result result = device_->driver_->f.allocate(&address, bytes);
  if (result == cuda::out_of_memory)
    fail("{} has no {} bytes of memory left; a smaller mesh may fit", device_->name(), bytes);
  device_->check(result, fmt::format("memory for {} bytes", bytes));
  address_ = address;
}

CudaArray::CudaArray(CudaArray&& other) noexcept
    : device_(std::move(other.device_)),
      bytes_(std::exchange(other.bytes_, 0)),
      address_(std::exchange(other.address_, 0)) {}

CudaArray::~CudaArray() {
  if (address_ == 0) return;
  device_->driver_->f.set_context(handle<cuda::Context>(device_->context_));
  device_->driver_->f.free(address_);
}

void CudaArray::write(std::span<const std::byte> from) {
  if (from.size() != bytes_) throw std::logic_error("CudaArray::write: another size");
  if (bytes_ == 0) return;
  device_->wait();
  device_->check(device_->driver_->f.copy_in(address_, from.data(), bytes_), "copying to it");
}

void CudaArray::read(std::span<std::byte> to) const {
  if (to.size() != bytes_) throw std::logic_error("CudaArray::read: another size");
  if (bytes_ == 0) return;
  device_->wait();
  device_->check(device_->driver_->f.copy_out(to.data(), address_, bytes_), "copying from it");
}

CudaKernel::CudaKernel(std::shared_ptr<CudaDevice> device, const ir::Kernel& kernel, emit::Precision precision,
                       const jit::CudaCode& code)
    : device_(std::move(device)),
      name_(kernel.name),
      precision_(precision),
      corners_(kernel.corners),
      inputs_(kernel.inputs),
      outputs_(kernel.outputs.size()) {
  const cuda::Functions& f = device_->driver_->f;
  device_->enter();
  cuda::Module module = nullptr;
  device_->check(f.load_module(&module, code.image.c_str()), name_ + ": loading its code");
  const auto unload = [&](cuda::Module loaded) { f.unload_module(loaded); };
  std::unique_ptr<cuda::OpaqueModule, decltype(unload)> owner(module, unload);
  cuda::Function function = nullptr;
  device_->check(f.function(&function, module, code.symbol.c_str()), name_ + ": finding " + code.symbol);
  device_->check(f.function_attribute(&registers_, cuda::function_registers, function), name_ + ": its registers");
  device_->check(f.function_attribute(&local_bytes_, cuda::function_local_bytes, function), name_ + ": its memory");
  module_ = owner.release();
  function_ = function;
}

CudaKernel::CudaKernel(CudaKernel&& other) noexcept
    : device_(std::move(other.device_)),
      name_(std::move(other.name_)),
      precision_(other.precision_),
      corners_(other.corners_),
      inputs_(std::move(other.inputs_)),
      outputs_(other.outputs_),
      module_(std::exchange(other.module_, nullptr)),
      function_(other.function_),
      registers_(other.registers_),
      local_bytes_(other.local_bytes_) {}

CudaKernel::~CudaKernel() {
  if (module_ == nullptr) return;
  device_->driver_->f.set_context(handle<cuda::Context>(device_->context_));
  device_->driver_->f.unload_module(handle<cuda::Module>(module_));
}

void CudaKernel::launch(std::span<const CudaInput> inputs, std::span<const CudaArray* const> outputs,
                        const CudaArray* nodes, int elements, std::int64_t stride) const {
  const auto require = [&](bool fits) {
    if (!fits) throw std::logic_error(name_ + ": launched with fields that do not fit it");
  };
  require(inputs.size() == inputs_.size() && outputs.size() == outputs_ && (nodes != nullptr) == (corners_ > 0) &&
          elements >= 0 && stride >= elements);
  if (elements == 0) return;
  // The driver takes a pointer to each argument and copies as many bytes as the kernel says it has.
  union Argument {
    cuda::Address address;
    double number;
    float single;
    int count;
    long long step;
  };
  std::vector<Argument> arguments;
  const auto add = [&](const CudaArray* array) {
    require(array != nullptr);
    arguments.push_back({.address = array->address()});
  };
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    if (inputs_[f].access != ir::Access::uniform) {
      add(inputs[f].array);
      continue;
    }
    require(inputs[f].numbers.size() == inputs_[f].components);
    for (const double number : inputs[f].numbers)
      arguments.push_back(precision_ == emit::Precision::fp64 ? Argument{.number = number}
                                                              : Argument{.single = static_cast<float>(number)});
  }
  for (const CudaArray* output : outputs) add(output);
  if (corners_ > 0) add(nodes);
  arguments.push_back({.count = elements});
  arguments.push_back({.step = stride});
  std::vector<void*> pointers;
  pointers.reserve(arguments.size());
  for (Argument& argument : arguments) pointers.push_back(&argument);
  const auto blocks = (static_cast<unsigned>(elements) + emit::cuda_block - 1) / emit::cuda_block;
  device_->enter();
  device_->check(device_->driver_->f.launch(handle<cuda::Function>(function_), blocks, 1, 1, emit::cuda_block, 1, 1, 0,
                                            handle<cuda::Stream>(device_->stream_), pointers.data(), nullptr),
                 name_ + ": launching it");
}

}  // namespace proxima::device
