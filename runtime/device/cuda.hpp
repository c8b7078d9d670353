// One NVIDIA GPU: memory, code, launches. The driver is loaded when first asked for; the program builds, starts and
// does all else without it. Errors name the GPU, and what was launched. Nothing here was tried on a GPU yet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/jit/nvrtc.hpp"

namespace proxima::device {

class CudaArray;
class CudaModule;

// Thread-safe. Work is queued on one stream and done in order; copies from and to the host wait for it, but those of
// CudaDownload.
class CudaDevice : public std::enable_shared_from_this<CudaDevice> {
 public:
  // The first GPU of the driver $PROXIMA_CUDA_DRIVER, if set, else of libcuda.so.1. Throws Error of one line where
  // there is no driver or no GPU.
  static std::shared_ptr<CudaDevice> open();
  ~CudaDevice();

  const std::string& name() const { return name_; }  // "NVIDIA H100 80GB HBM3"
  int capability() const { return capability_; }     // 90 for 9.0: see jit::Nvrtc::architecture_for
  int multiprocessors() const { return multiprocessors_; }

  // Not initialised. Throws Error that says what was asked and what there is when the memory is not there. Memory that
  // arrays no longer need is kept for others of the same size, since the driver waits for all work before it takes any
  // back; where there is none left, all of it is given back first.
  CudaArray allocate(std::size_t bytes);
  // With a copy of these values.
  CudaArray upload(std::span<const std::byte> values);

  // `name`: for messages. Throws std::runtime_error when the driver refuses the code.
  std::shared_ptr<const CudaModule> load(const std::string& name, const jit::CudaCode& code);

  void wait();  // until all that is queued is done

  // Milliseconds that the device takes for what `queue` queues, by events before and after it. Waits for it.
  double milliseconds(const std::function<void()>& queue);

 private:
  friend class CudaArray;
  friend class CudaDownload;
  friend class CudaFunction;
  friend class CudaModule;
  struct Driver;
  CudaDevice(std::shared_ptr<const Driver> driver);
  void enter() const;  // makes this GPU the calling thread's
  std::uint64_t take(std::size_t bytes);
  void keep(std::size_t bytes, std::uint64_t address);
  bool give_back_spare();  // whether there was any
  void check(int result, const std::string& what) const;

  std::shared_ptr<const Driver> driver_;
  void* context_ = nullptr;
  void *stream_ = nullptr, *copies_ = nullptr;
  std::string name_;
  int capability_ = 0, multiprocessors_ = 0;
  std::mutex mutex_;  // of what is spare, by size
  std::unordered_multimap<std::size_t, std::uint64_t> spare_;
};

// Memory of a GPU, freed at the end.
class CudaArray {
 public:
  CudaArray() = default;  // of no bytes
  CudaArray(CudaArray&& other) noexcept;
  CudaArray& operator=(CudaArray&& other) noexcept;
  ~CudaArray();

  std::size_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }

  // Throw std::logic_error when the sizes differ; read takes bytes from `first` on, no more than there are.
  void write(std::span<const std::byte> from);
  void read(std::span<std::byte> to, std::size_t first = 0) const;
  // Queued as launches are.
  void copy(const CudaArray& from);
  void clear();  // to zeros

 private:
  friend class CudaDevice;
  friend class CudaDownload;
  friend class CudaFunction;
  CudaArray(std::shared_ptr<CudaDevice> device, std::size_t bytes);
  std::shared_ptr<CudaDevice> device_;
  std::size_t bytes_ = 0;
  std::uint64_t address_ = 0;
};

// Copies to the host while work goes on: by a stream of its own, into page-locked memory.
class CudaDownload {
 public:
  // Throws Error where the memory is not there, on the GPU or on the host.
  CudaDownload(CudaDevice& device, std::size_t bytes);
  ~CudaDownload();
  CudaDownload(const CudaDownload&) = delete;
  CudaDownload& operator=(const CudaDownload&) = delete;

  // Queues copying the arrays, one behind the other, all the bytes together, as what was queued before leaves them;
  // what is queued afterwards may change them. Waits for the copy before.
  void start(std::span<const CudaArray* const> arrays);
  // Waits for it; valid until the next start.
  std::span<const std::byte> wait();

 private:
  CudaDownload(std::shared_ptr<CudaDevice> device, CudaArray staged);  // what the destructor needs

  std::shared_ptr<CudaDevice> device_;
  CudaArray staged_;
  void *there_ = nullptr, *filled_ = nullptr, *done_ = nullptr;  // on the host; events
};

// A kernel of a loaded module, which it keeps alive.
class CudaFunction {
 public:
  int registers() const { return registers_; }      // of a thread, as the driver says
  int local_bytes() const { return local_bytes_; }  // of a thread, spills included
  // Blocks of `threads` that all of the GPU can run at a time.
  int resident_blocks(int threads) const;

  // Queues it; `arguments` points to each of the kernel's. Throws std::runtime_error when the driver refuses.
  void launch(std::size_t blocks, std::size_t threads, std::span<const void* const> arguments) const;
  // The same with the arguments themselves, of just the types that the kernel has; an array stands for its address.
  template <class... A>
  void operator()(std::size_t blocks, std::size_t threads, const A&... arguments) const {
    launch(blocks, threads, std::array<const void*, sizeof...(A)>{pointer_to(arguments)...});
  }
  // One thread for each of `count`, if any.
  template <class... A>
  void each(std::size_t count, std::size_t block, const A&... arguments) const {
    if (count > 0) (*this)((count + block - 1) / block, block, arguments...);
  }

 private:
  friend class CudaModule;
  CudaFunction(std::shared_ptr<const CudaModule> module, const std::string& symbol);
  template <class A>
  static const void* pointer_to(const A& argument) {
    return &argument;
  }
  static const void* pointer_to(const CudaArray& array) { return &array.address_; }

  std::shared_ptr<const CudaModule> module_;
  std::string name_;
  void* function_ = nullptr;
  int registers_ = 0, local_bytes_ = 0;
};

// Code on the GPU.
class CudaModule : public std::enable_shared_from_this<CudaModule> {
 public:
  ~CudaModule();
  CudaModule(const CudaModule&) = delete;
  CudaModule& operator=(const CudaModule&) = delete;

  // Throws std::runtime_error when there is none of this name.
  CudaFunction function(const std::string& symbol) const { return {shared_from_this(), symbol}; }

 private:
  friend class CudaDevice;
  friend class CudaFunction;
  CudaModule(std::shared_ptr<CudaDevice> device, const std::string& name, const jit::CudaCode& code);
  std::shared_ptr<CudaDevice> device_;
  std::string name_;
  void* module_ = nullptr;
};

}  // namespace proxima::device
