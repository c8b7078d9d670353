// The stand-ins of this folder in the place of NVRTC and the CUDA driver, while an object of this lives.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/device/cuda_vector.hpp"

namespace proxima::device::testing {

class CudaShim {
 public:
  CudaShim() {
    ::setenv("PROXIMA_CUDA_DRIVER", PROXIMA_FAKE_CUDA, 1);
    ::setenv("PROXIMA_NVRTC", PROXIMA_FAKE_NVRTC, 1);
  }
  ~CudaShim() {
    set("fake_devices", 1);
    set("fake_launch_result", 0);
    set("fake_memory", std::size_t{1} << 40);
    ::unsetenv("PROXIMA_CUDA_DRIVER");
    ::unsetenv("PROXIMA_NVRTC");
  }
  CudaShim(const CudaShim&) = delete;
  CudaShim& operator=(const CudaShim&) = delete;

  // Calls a function of driver.cpp: what the "GPU" is to do.
  template <class T>
  void set(const char* function, T value) {
    reinterpret_cast<void (*)(T)>(dlsym(driver_, function))(value);
  }
  // Bytes that were copied since this was last called.
  struct Copied {
    struct Way {
      std::size_t bytes, largest, copies;  // of all copies, of the largest one, how many
    } up, down, later, ahead;
  };
  Copied copied() {
    Copied result{};
    set("fake_copied", &result.up.bytes);
    return result;
  }
  // Calls of the driver since this was last called: launches of kernels one by one, launches of graphs, waits for all
  // that was queued, graphs made, kernels looked up by their names.
  struct Calls {
    long launches, graphs, waits, made, lookups;
  };
  Calls calls() {
    Calls result{};
    set("fake_calls", &result.launches);
    return result;
  }
  int blocks() { return reinterpret_cast<int (*)()>(dlsym(driver_, "fake_blocks"))(); }      // of the last launch
  int launches() { return reinterpret_cast<int (*)()>(dlsym(driver_, "fake_launches"))(); }  // so far

 private:
  void* const driver_ = dlopen(PROXIMA_FAKE_CUDA, RTLD_NOW);
};

// With an engine, and vectors to and fro.
struct CudaShimEngine : CudaShim {
  CudaVector vector(const std::vector<double>& values) {
    CudaVector result(algebra, values.size());
    result.write(values);
    return result;
  }
  static std::vector<double> values(const CudaVector& vector) {
    std::vector<double> result(vector.size());
    vector.read(result);
    return result;
  }

  CudaEngine engine{jit::Engine::default_cache()};
  std::shared_ptr<CudaAlgebra> algebra = std::make_shared<CudaAlgebra>(engine);
};

}  // namespace proxima::device::testing
