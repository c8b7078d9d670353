// What is used of the CUDA driver's C interface, declared here so that neither building nor starting needs the CUDA
// toolkit or a driver. Names with _v2 are those that cuda.h has stood for since CUDA 3.2 and 4.0. Internal to this
// room. (CUDA driver API, https://docs.nvidia.com/cuda/cuda-driver-api)
#pragma once

#include <cstddef>

namespace proxima::device::cuda {

using Result = int;  // 0: success
using DeviceNumber = int;
using Address = unsigned long long;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;
using Graph = struct OpaqueGraph*;
using Executable = struct OpaqueExecutable*;  // a CUgraphExec

inline constexpr int out_of_memory = 2;              // CUDA_ERROR_OUT_OF_MEMORY
inline constexpr int no_device = 100;                // CUDA_ERROR_NO_DEVICE
inline constexpr int multiprocessors = 16;           // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
inline constexpr int capability_major = 75;          // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
inline constexpr int capability_minor = 76;          // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
inline constexpr int function_local_bytes = 3;       // CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
inline constexpr int function_registers = 4;         // CU_FUNC_ATTRIBUTE_NUM_REGS
inline constexpr unsigned stream_non_blocking = 1;   // CU_STREAM_NON_BLOCKING
inline constexpr unsigned event_without_timing = 2;  // CU_EVENT_DISABLE_TIMING
inline constexpr int capture_of_this_thread = 1;     // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

struct Functions {
  Result (*init)(unsigned flags);
  Result (*error_string)(Result, const char** text);
  Result (*device_count)(int* count);
  Result (*device)(DeviceNumber* device, int ordinal);
  Result (*device_name)(char* name, int length, DeviceNumber device);
  Result (*device_attribute)(int* value, int attribute, DeviceNumber device);
  Result (*retain_context)(Context* context, DeviceNumber device);
  Result (*set_context)(Context context);
  Result (*load_module)(Module* module, const void* image);
  Result (*unload_module)(Module module);
  Result (*function)(Function* function, Module module, const char* name);
  Result (*function_attribute)(int* value, int attribute, Function function);
  Result (*occupancy)(int* blocks, Function function, int block_size, std::size_t shared_bytes);
  Result (*memory)(std::size_t* free, std::size_t* total);
  Result (*allocate)(Address* address, std::size_t bytes);
  Result (*free)(Address address);
  Result (*copy_in)(Address to, const void* from, std::size_t bytes, Stream stream);
  Result (*copy_out)(void* to, Address from, std::size_t bytes);
  Result (*copy_out_later)(void* to, Address from, std::size_t bytes, Stream stream);
  Result (*allocate_locked)(void** address, std::size_t bytes, unsigned flags);
  Result (*free_locked)(void* address);
  Result (*copy_within)(Address to, Address from, std::size_t bytes, Stream stream);
  Result (*fill)(Address to, unsigned char value, std::size_t bytes, Stream stream);
  Result (*create_stream)(Stream* stream, unsigned flags);
  Result (*destroy_stream)(Stream stream);
  Result (*wait)(Stream stream);
  Result (*create_event)(Event* event, unsigned flags);
  Result (*destroy_event)(Event event);
  Result (*record)(Event event, Stream stream);
  Result (*wait_for_event)(Event event);
  Result (*stream_waits)(Stream stream, Event event, unsigned flags);
  Result (*elapsed)(float* milliseconds, Event from, Event to);
  Result (*launch)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** arguments,
                   void** extra);
  // Null where the driver lacks them.
  Result (*begin_capture)(Stream stream, int mode);
  Result (*end_capture)(Stream stream, Graph* graph);
  Result (*instantiate)(Executable* executable, Graph graph, unsigned long long flags);
  Result (*launch_graph)(Executable executable, Stream stream);
  Result (*destroy_executable)(Executable executable);
  Result (*destroy_graph)(Graph graph);
};

}  // namespace proxima::device::cuda
