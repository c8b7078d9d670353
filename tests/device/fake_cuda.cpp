// A stand-in for the CUDA driver, for machines without a GPU: device memory is the heap, and a kernel is a host
// function that the test has set. Written as a shared library of the driver's C interface.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

using RunBlock = void (*)(unsigned block, unsigned threads, void* const* arguments);
RunBlock kernel = nullptr;
int devices = 1;
int launch_result = 0;
int blocks_run = 0;

}  // namespace

extern "C" {

void fake_kernel(RunBlock run) { kernel = run; }
void fake_devices(int count) { devices = count; }
void fake_launch_result(int result) { launch_result = result; }
int fake_blocks() { return blocks_run; }

int cuInit(unsigned) { return devices == 0 ? 100 : 0; }
int cuGetErrorString(int result, const char** text) {
  *text = result == 700 ? "an illegal memory access was encountered" : "some error";
  return 0;
}
int cuDeviceGetCount(int* count) { return *count = devices, 0; }
int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char* name, int length, int) {
  return std::strncpy(name, "Fake GPU", static_cast<std::size_t>(length)), 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) { return *value = attribute == 75 ? 9 : 0, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &devices, 0; }
int cuCtxSetCurrent(void* context) { return context == &devices ? 0 : 201; }
int cuModuleLoadData(void** module, const void* image) {
  *module = &kernel;
  return std::strcmp(static_cast<const char*>(image), "code") == 0 ? 0 : 200;
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = reinterpret_cast<void*>(kernel);
  return std::strcmp(name, "right_name") == 0 ? 0 : 500;
}
int cuFuncGetAttribute(int* value, int attribute, void*) { return *value = attribute == 4 ? 84 : 16, 0; }
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (bytes > (std::size_t{1} << 40)) return 2;
  *address = reinterpret_cast<unsigned long long>(std::malloc(bytes));
  return 0;
}
int cuMemFree_v2(unsigned long long address) { return std::free(reinterpret_cast<void*>(address)), 0; }
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), 0;
}
int cuStreamCreate(void** stream, unsigned flags) { return *stream = &blocks_run, flags == 1 ? 0 : 1; }
int cuStreamDestroy_v2(void*) { return 0; }
int cuStreamSynchronize(void* stream) { return stream == &blocks_run ? 0 : 400; }
int cuLaunchKernel(void* function, unsigned grid, unsigned, unsigned, unsigned block, unsigned, unsigned, unsigned,
                   void* stream, void** arguments, void**) {
  if (stream != &blocks_run) return 400;
  if (launch_result != 0) return launch_result;
  for (unsigned k = 0; k < grid; ++k) reinterpret_cast<RunBlock>(function)(k, block, arguments);
  blocks_run = static_cast<int>(grid);
  return 0;
}

}  // extern "C"
