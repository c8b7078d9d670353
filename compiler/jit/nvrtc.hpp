// CUDA C++ to machine code for a GPU, by NVIDIA's run-time compiler. Its library is loaded when first asked for; the
// program builds, starts and does all else without it. No GPU and no driver are needed here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::jit {

// What a kernel takes of a GPU, from the compiler's log.
struct CudaUsage {
  int registers = 0;     // of a thread, 32 bits each; 255 is the most there are
  int stack_bytes = 0;   // local memory of a thread, spills included
  int spill_stores = 0;  // bytes that a thread writes because registers ran out,
  int spill_loads = 0;   // and reads

  bool spills() const { return spill_stores + spill_loads > 0; }
  bool operator==(const CudaUsage&) const = default;
};

struct CudaCode {
  std::string image;  // a cubin, or PTX with a zero at the end: what the driver loads
  std::string symbol;
  CudaUsage usage;        // nothing for PTX, which the driver compiles
  double compile_ms = 0;  // in NVRTC, when it was compiled
  std::string log{};      // when it was compiled: what usage_of reads
  bool from_cache = false;
};

// Thread-safe.
class Nvrtc {
 public:
  // Loads $PROXIMA_NVRTC, if set, else the library of that name (CUDA 13 or 12) where the system, $CUDA_PATH or
  // /usr/local/cuda has it. Throws Error that says what was looked for. Loaded once.
  static std::shared_ptr<const Nvrtc> load();

  std::string version() const;                                              // "13.0"
  const std::vector<int>& architectures() const { return architectures_; }  // 90 for sm_90, increasing
  const std::string& library() const { return library_; }

  // Machine code for "sm_90", PTX for "compute_90". Throws Error when NVRTC doesn't know it.
  void require(const std::string& architecture) const;

  // What to compile for a device of capability 9.0, given as 90: "sm_90", or PTX of the newest architecture known where
  // the device is newer than NVRTC. Throws Error for a device that is too old.
  std::string architecture_for(int capability) const;

  // Compiles `text`, which defines the extern "C" kernel `symbol`, whose usage is told; "" where none is of interest.
  // `name` is for messages. Throws Error with NVRTC's
  // log when it is rejected.
  CudaCode compile(const std::string& name, const std::string& text, const std::string& symbol,
                   const std::string& architecture) const;

  // All that decides the outcome besides text and architecture: part of every cache key.
  std::string key() const;

 private:
  struct Library;
  Nvrtc(void* library, const std::string& path);
  std::shared_ptr<const Library> functions_;
  std::string library_;
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;
};

// What the log of --ptxas-options=-v says of the kernel `symbol`, one of those that a text defines.
CudaUsage usage_of(std::string_view log, const std::string& symbol);

}  // namespace proxima::jit
