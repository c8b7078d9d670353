// One NVIDIA GPU: memory, code, launches. The driver is loaded when first asked for; the program builds, starts and
// does all else without it. Errors name the GPU, and what was launched. Nothing here was tried on a GPU yet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "compiler/jit/nvrtc.hpp"
#include "runtime/device/cuda_memory.hpp"

namespace proxima::device {

class CudaArray;
class CudaModule;

// Work that is done for one or more worlds in one launch, or a few.
class CudaTask {
 public:
  CudaTask() = default;
  virtual ~CudaTask() = default;
  CudaTask(const CudaTask&) = delete;
  CudaTask& operator=(const CudaTask&) = delete;
  // Queues it. `table`: the address, on the GPU, of a row of 8-byte numbers for each of `rows` worlds. Blocks of the
  // world that asked for most, and threads of a block.
  virtual void run(std::uint64_t table, std::size_t rows, std::size_t blocks, std::size_t threads) const = 0;
  // Whether worlds wait with it until all others want such a task, too. It costs, and their queues come in step by it.
  virtual bool waits_for_all() const { return false; }
};

// Thread-safe. Work is queued on one stream and done in order; a copy to the host waits for it, but those of
// CudaDownload. What a thread with a lane asks for (cuda_batch.hpp) is queued later, together with what others do; what
// it records (cuda_graph.hpp), as often as it likes.
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
  CudaMemory& memory() { return *memory_; }
  // With a copy of these values, which is there at once.
  CudaArray upload(std::span<const std::byte> values);
  // The same for the calling thread alone: where it has a lane, few values go there with all that the others have.
  CudaArray upload_own(std::span<const std::byte> values);

  // `name`: for messages. Throws std::runtime_error when the driver refuses the code. `for_worlds`: makes the same for
  // many worlds (emit::for_worlds), when they are first launched so.
  std::shared_ptr<const CudaModule> load(const std::string& name, const jit::CudaCode& code,
                                         std::function<jit::CudaCode()> for_worlds = {});

  void wait();  // until all that is queued is done

  // Milliseconds that the device takes for what `queue` queues, by events before and after it. Waits for it.
  double milliseconds(const std::function<void()>& queue);

 private:
  friend class CudaArray;
  friend class CudaStage;
  friend class CudaDownload;
  friend class CudaUpload;
  friend class CudaFunction;
  friend class CudaModule;
  friend class CudaGraph;
  struct Driver;
  CudaDevice(std::shared_ptr<const Driver> driver);
  void enter() const;  // makes this GPU the calling thread's
  void check(int result, const std::string& what) const;
  void wait_for_stream();

  std::shared_ptr<const Driver> driver_;
  void* context_ = nullptr;
  void *stream_ = nullptr, *copies_ = nullptr, *captures_ = nullptr;  // nothing is done on the last
  std::mutex capturing_;
  std::string name_;
  int capability_ = 0, multiprocessors_ = 0;
  std::unique_ptr<CudaMemory> memory_;
};

// Memory of a GPU, given back at the end.
class CudaArray {
 public:
  CudaArray() = default;  // of no bytes
  CudaArray(CudaArray&& other) noexcept;
  CudaArray& operator=(CudaArray&& other) noexcept;
  ~CudaArray();

  std::size_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }

  // Throw std::logic_error when the sizes differ; read takes bytes from `first` on, write_first fills the first of
  // them, no more than there are. What is written is copied at once and may change then.
  void write(std::span<const std::byte> from);
  void write_first(std::span<const std::byte> from);
  void read(std::span<std::byte> to, std::size_t first = 0) const;
  // Queued as launches are.
  void copy(const CudaArray& from);
  void clear();  // to zeros

 private:
  friend class CudaDevice;
  friend class CudaDownload;
  friend class CudaUpload;
  friend class CudaFunction;
  CudaArray(std::shared_ptr<CudaDevice> device, std::size_t bytes);
  std::shared_ptr<CudaDevice> device_;
  std::size_t bytes_ = 0;
  std::uint64_t address_ = 0;
};

// What copies between the GPU and the host by the second stream, while work goes on, pass through: memory there, and
// page-locked memory here.
class CudaStage {
 public:
  CudaStage(const CudaStage&) = delete;
  CudaStage& operator=(const CudaStage&) = delete;

 protected:
  // Throws Error where the memory is not there, on the GPU or on the host.
  CudaStage(CudaDevice& device, std::size_t bytes);
  ~CudaStage();  // waits for both streams' part of the copy
  void wait_for(void* event) const;

  std::shared_ptr<CudaDevice> device_;
  CudaArray staged_;
  void* here_ = nullptr;                            // on the host
  void *of_work_ = nullptr, *of_copies_ = nullptr;  // events: when each stream was done with the stage

 private:
  CudaStage(std::shared_ptr<CudaDevice> device, CudaArray staged);  // what the destructor needs
};

// Copies to the host while work goes on.
class CudaDownload : private CudaStage {
 public:
  // As CudaStage.
  CudaDownload(CudaDevice& device, std::size_t bytes) : CudaStage(device, bytes) {}

  // Queues copying the arrays, one behind the other, all the bytes together, as what was queued before leaves them;
  // what is queued afterwards may change them. Waits for the copy before.
  void start(std::span<const CudaArray* const> arrays);
  // Waits for it; valid until the next start.
  std::span<const std::byte> wait();
};

// Copies from the host while work goes on.
class CudaUpload : private CudaStage {
 public:
  // As CudaStage.
  CudaUpload(CudaDevice& device, std::size_t bytes);

  // What is to be copied is written here, before start(); waits for the copy before.
  std::span<std::byte> room();
  void start();
  // Queues filling the arrays, one behind the other, with what is then there: what is queued afterwards finds them so.
  // To be called once for each start.
  void fill(std::span<CudaArray* const> arrays);
};

// A kernel of a loaded module, which it keeps alive.
class CudaFunction {
 public:
  int registers() const { return registers_; }      // of a thread, as the driver says
  int local_bytes() const { return local_bytes_; }  // of a thread, spills included
  // Blocks of `threads` that all of the GPU can run at a time.
  int resident_blocks(int threads) const;

  // Queues it. Each argument is in a number of 8 bytes, in the first of them if it is smaller. Throws
  // std::runtime_error when the driver refuses.
  void launch(std::size_t blocks, std::size_t threads, std::span<const std::uint64_t> arguments) const;
  // The same with the arguments themselves, of just the types that the kernel has; an array stands for its address.
  template <class... A>
  void operator()(std::size_t blocks, std::size_t threads, const A&... arguments) const {
    if (!diverted())
      return launch_now(blocks, 1, threads, std::array<const void*, sizeof...(A)>{pointer_to(arguments)...});
    Row row;
    (row.append(pointer_to(arguments), std::is_same_v<A, CudaArray> ? sizeof(std::uint64_t) : sizeof(A)), ...);
    divert(blocks, threads, row);
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
  // Arguments by value, each in whole numbers of 8 bytes, and where each begins.
  struct Row {
    std::vector<std::uint64_t> numbers{};
    std::vector<std::size_t> first{};
    void append(const void* argument, std::size_t bytes);
  };
  // Whether what the calling thread asks for does not go to the stream now: it has a lane, or is recording.
  bool diverted() const;
  void divert(std::size_t blocks, std::size_t threads, const Row& row) const;
  void launch_now(std::size_t blocks, std::size_t rows, std::size_t threads,
                  std::span<const void* const> arguments) const;

  std::shared_ptr<const CudaModule> module_;
  std::string name_, symbol_;
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
  // The kernel for many worlds, always the same object. Throws std::logic_error when the module was loaded without.
  std::shared_ptr<const CudaTask> task(const std::string& symbol) const;

 private:
  class WorldsLaunch;

  friend class CudaDevice;
  friend class CudaFunction;
  CudaModule(std::shared_ptr<CudaDevice> device, const std::string& name, const jit::CudaCode& code,
             std::function<jit::CudaCode()> for_worlds);
  std::shared_ptr<CudaDevice> device_;
  std::string name_;
  void* module_ = nullptr;
  const std::function<jit::CudaCode()> for_worlds_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::shared_ptr<const CudaModule> of_worlds_;
  mutable std::map<std::string, std::shared_ptr<const CudaTask>> tasks_;
};

}  // namespace proxima::device
