// A stand-in for the CUDA driver, with its C interface, for machines without a GPU: device memory is the heap, and code
// is what nvrtc.cpp beside it made. Shows that arguments, blocks and copies fit together; nothing about a real driver.
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/cuda_shim/capture.hpp"

namespace proxima::shim {

Capture* capturing = nullptr;
int captures = 0, blocks_run = 0;
Calls calls;

}  // namespace proxima::shim

namespace {

using namespace proxima::shim;
using Clock = std::chrono::steady_clock;
// As prelude.hpp has it.
struct Kernel {
  void (*run)(void* const* arguments, unsigned blocks, unsigned rows, unsigned threads);
  const std::size_t* sizes;  // of its arguments
  std::size_t count;
};
int devices = 1;
int launch_result = 0;
int launches = 0;
std::size_t memory = std::size_t{1} << 40;  // bytes that can still be had

struct Event {
  Clock::time_point at;
  bool of_copies = false;
};
std::vector<std::function<void()>> copies;
std::set<void*> locked;  // memory of the host
int streams = 0;

struct Copied {
  std::size_t bytes = 0, largest = 0, copies = 0;
  void add(std::size_t more) {
    bytes += more;
    largest = std::max(largest, more);
    ++copies;
  }
};
Copied copied_up, copied_down, copied_later, copied_ahead;
std::recursive_mutex mutex;  // of what is counted and kept above: threads copy beside each other

constexpr int invalid_image = 200, not_found = 500, out_of_memory = 2;

// Whether the calling thread captures; then what it asks for cannot be done, and what it captures is lost.
bool refused() {
  if (capturing == nullptr || capturing->thread != std::this_thread::get_id()) return false;
  capturing->valid = false;
  return true;
}

// Does it, or keeps it for a graph.
int queue(void* stream, Work work) {
  if (stream == &captures && capturing != nullptr)
    capturing->work.push_back(std::move(work));
  else if (stream == &blocks_run)
    work();
  else
    return invalid_handle;
  return 0;
}

// With the values of the arguments, which the caller may change afterwards.
Work launch_of(const Kernel& kernel, void* const* arguments, unsigned grid, unsigned rows, unsigned block) {
  std::vector<std::vector<char>> values;
  for (std::size_t k = 0; k < kernel.count; ++k) {
    const char* value = static_cast<const char*>(arguments[k]);
    values.emplace_back(value, value + kernel.sizes[k]);
  }
  return [run = kernel.run, values = std::move(values), grid, rows, block]() mutable {
    std::vector<void*> pointers;
    for (auto& value : values) pointers.push_back(value.data());
    run(pointers.data(), grid, rows, block);
    ++launches;
    blocks_run = static_cast<int>(grid);
  };
}

// The image's length is not told: that of an ELF file ends with its table of sections.
std::size_t size_of(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

}  // namespace

extern "C" {

void fake_devices(int count) { devices = count; }
void fake_launch_result(int result) { launch_result = result; }
void fake_memory(std::size_t bytes) { memory = bytes; }
int fake_blocks() { return blocks_run; }
// Bytes, those of the largest copy, and how many copies, since they were last asked for: to the "GPU", from it, later
// from it, and to it ahead of work.
void fake_copied(std::size_t* twelve) {
  const std::scoped_lock lock(mutex);
  for (Copied* copied : {&copied_up, &copied_down, &copied_later, &copied_ahead}) {
    for (const std::size_t number : {copied->bytes, copied->largest, copied->copies}) *twelve++ = number;
    *copied = {};
  }
}
int fake_launches() { return launches; }  // of kernels, those of graphs too
// Calls since they were last asked for.
void fake_calls(long* five) {
  for (const long count : {calls.launches, calls.graphs, calls.waits, calls.made, calls.lookups}) *five++ = count;
  calls = {};
}

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
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == 75 ? 9 : attribute == 16 ? 3 : 0, 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &devices, 0; }
int cuCtxSetCurrent(void* context) { return context == &devices ? 0 : 201; }
int cuModuleLoadData(void** module, const void* image) {
  *module = nullptr;
  if (refused()) return capture_unsupported;
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return invalid_image;
  char path[] = "/tmp/proxima_shim_XXXXXX";  // loaded libraries are told apart by their names
  const int file = mkstemp(path);
  if (file < 0) return invalid_image;
  const std::size_t size = size_of(image);
  if (write(file, image, size) == static_cast<ssize_t>(size)) *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  close(file);
  unlink(path);
  return *module == nullptr ? invalid_image : 0;
}
int cuModuleUnload(void* module) { return dlclose(module); }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  ++calls.lookups;
  *function = dlsym(module, ("kernel_" + std::string(name)).c_str());
  return *function == nullptr ? not_found : 0;
}
int cuFuncGetAttribute(int* value, int attribute, void*) { return *value = attribute == 4 ? 84 : 16, 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) { return *blocks = 2, 0; }
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (refused()) return capture_unsupported;
  if (bytes > memory) return out_of_memory;
  *address = reinterpret_cast<unsigned long long>(std::malloc(bytes));
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  if (refused()) return capture_unsupported;
  return std::free(reinterpret_cast<void*>(address)), 0;
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) { return *free = memory, *total = std::size_t{1} << 40, 0; }
// By the second stream it is done when the first waits for it, so that who does not finds nothing there.
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void* stream) {
  const std::scoped_lock lock(mutex);
  if (stream == &copies && locked.contains(const_cast<void*>(from))) {
    copied_ahead.add(bytes);
    copies.push_back([=] { std::memcpy(reinterpret_cast<void*>(to), from, bytes); });
    return 0;
  }
  if (stream != &blocks_run) return invalid_handle;
  copied_up.add(bytes);
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
int cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
  const std::scoped_lock lock(mutex);
  if (refused()) return capture_unsupported;
  if (bytes > memory) return out_of_memory;
  locked.insert(*address = std::malloc(bytes));
  return 0;
}
int cuMemFreeHost(void* address) {
  const std::scoped_lock lock(mutex);
  if (refused()) return capture_unsupported;
  if (locked.erase(address) == 0) return invalid_handle;
  return std::free(address), 0;
}
// Done when somebody waits for it, so that who does not finds nothing there.
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void* stream) {
  const std::scoped_lock lock(mutex);
  if (stream != &copies || !locked.contains(to)) return invalid_handle;
  copied_later.add(bytes);
  copies.push_back([=] { std::memcpy(to, reinterpret_cast<const void*>(from), bytes); });
  return 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  const std::scoped_lock lock(mutex);
  if (refused()) return capture_unsupported;
  copied_down.add(bytes);
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void* stream) {
  return queue(stream, [=] { std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes); });
}
int cuMemsetD8Async(unsigned long long to, unsigned char value, std::size_t bytes, void* stream) {
  return queue(stream, [=] { std::memset(reinterpret_cast<void*>(to), value, bytes); });
}
// The first is the one on which all is done at once; the second has the copies that are done later; on the third graphs
// are captured.
int cuStreamCreate(void** stream, unsigned flags) {
  void* const all[] = {&blocks_run, &copies, &captures};
  *stream = all[streams++ % 3];
  return flags == 1 ? 0 : 1;
}
int cuStreamDestroy_v2(void*) { return 0; }
int cuStreamSynchronize(void* stream) {
  if (refused()) return capture_unsupported;
  ++calls.waits;
  return stream == &blocks_run ? 0 : invalid_handle;
}
int cuEventCreate(void** event, unsigned) { return *event = new Event, 0; }
int cuEventDestroy_v2(void* event) { return delete static_cast<Event*>(event), 0; }
int cuEventRecord(void* event, void* stream) {
  *static_cast<Event*>(event) = {Clock::now(), stream == &copies};
  return stream == &blocks_run || stream == &copies ? 0 : invalid_handle;
}
int cuEventSynchronize(void* event) {
  const std::scoped_lock lock(mutex);
  if (refused()) return capture_unsupported;
  if (!static_cast<Event*>(event)->of_copies) return 0;
  for (const auto& copy : copies) copy();
  return copies.clear(), 0;
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  if (stream == &blocks_run) return cuEventSynchronize(event);
  return stream == &copies ? 0 : invalid_handle;
}
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  const auto passed = static_cast<Event*>(to)->at - static_cast<Event*>(from)->at;
  return *milliseconds = std::chrono::duration<float, std::milli>(passed).count(), 0;
}
int cuLaunchKernel(void* function, unsigned grid, unsigned rows, unsigned, unsigned block, unsigned, unsigned, unsigned,
                   void* stream, void** arguments, void**) {
  if (launch_result != 0) return launch_result;
  if (stream == &blocks_run) ++calls.launches;
  return queue(stream, launch_of(*static_cast<const Kernel*>(function), arguments, grid, rows, block));
}

}  // extern "C"
