#include "runtime/device/cuda_driver.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "compiler/support/error.hpp"

namespace proxima::device {
namespace {

template <class F>
void bind_if_there(F& function, void* library, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
}

template <class F>
void bind(F& function, void* library, const char* name) {
  bind_if_there(function, library, name);
  if (function == nullptr)
    fail("the CUDA driver that was found lacks the function {}; one for CUDA 12 or 13 is needed", name);
}

}  // namespace

CudaDevice::Driver::Driver() {
  const char* chosen = std::getenv("PROXIMA_CUDA_DRIVER");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : "libcuda.so.1";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail("no GPU can be used: there is no CUDA driver ({} {})", path,
         access(path.c_str(), F_OK) == 0 ? "is no library that can be loaded" : "is not to be found");
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
  bind(f.occupancy, library, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  bind(f.memory, library, "cuMemGetInfo_v2");
  bind(f.allocate, library, "cuMemAlloc_v2");
  bind(f.free, library, "cuMemFree_v2");
  bind(f.copy_in, library, "cuMemcpyHtoDAsync_v2");
  bind(f.copy_out, library, "cuMemcpyDtoH_v2");
  bind(f.copy_out_later, library, "cuMemcpyDtoHAsync_v2");
  bind(f.allocate_locked, library, "cuMemHostAlloc");
  bind(f.free_locked, library, "cuMemFreeHost");
  bind(f.copy_within, library, "cuMemcpyDtoDAsync_v2");
  bind(f.fill, library, "cuMemsetD8Async");
  bind(f.create_stream, library, "cuStreamCreate");
  bind(f.destroy_stream, library, "cuStreamDestroy_v2");
  bind(f.wait, library, "cuStreamSynchronize");
  bind(f.create_event, library, "cuEventCreate");
  bind(f.destroy_event, library, "cuEventDestroy_v2");
  bind(f.record, library, "cuEventRecord");
  bind(f.wait_for_event, library, "cuEventSynchronize");
  bind(f.stream_waits, library, "cuStreamWaitEvent");
  bind(f.elapsed, library, "cuEventElapsedTime");
  bind(f.launch, library, "cuLaunchKernel");
  bind_if_there(f.begin_capture, library, "cuStreamBeginCapture_v2");
  bind_if_there(f.end_capture, library, "cuStreamEndCapture");
  bind_if_there(f.instantiate, library, "cuGraphInstantiateWithFlags");
  bind_if_there(f.launch_graph, library, "cuGraphLaunch");
  bind_if_there(f.destroy_executable, library, "cuGraphExecDestroy");
  bind_if_there(f.destroy_graph, library, "cuGraphDestroy");
}

bool CudaDevice::Driver::has_graphs() const {
  return f.begin_capture != nullptr && f.end_capture != nullptr && f.instantiate != nullptr &&
         f.launch_graph != nullptr && f.destroy_executable != nullptr && f.destroy_graph != nullptr;
}

std::string CudaDevice::Driver::words(cuda::Result result) const {
  const char* text = nullptr;
  if (f.error_string(result, &text) != 0 || text == nullptr) return fmt::format("error {}", result);
  return fmt::format("{} ({})", text, result);
}

}  // namespace proxima::device
