// Kernels printed as CUDA, compiled as host C++ behind a few macros and run block by block, thread by thread.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/ir/kernel.hpp"
#include "compiler/jit/loader.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit::testing {

class CudaOnHost {
 public:
  // Throws std::runtime_error with the compiler's words and the text.
  CudaOnHost(Loader& loader, const ir::Kernel& kernel, emit::Precision precision, const emit::CudaStyle& style = {});

  // Output fields, element-major, by blocks of `threads`. Arrays are padded with NaN, the node list with numbers of no
  // node; a test fails when a thread past the last element has written something.
  std::vector<std::vector<double>> run(const Batch& batch, unsigned threads) const;

  const std::string& text() const { return text_; }

  // Runs one block; `arguments` points to each of the kernel's, as a driver takes them.
  using RunBlock = void (*)(unsigned block, unsigned threads, void* const* arguments);
  RunBlock run_block() const { return reinterpret_cast<RunBlock>(object_.entry); }

 private:
  template <class T>
  std::vector<std::vector<double>> run_in(const Batch& batch, unsigned threads) const;

  const ir::Kernel& kernel_;  // must outlive it
  const ir::Kernel prologue_;
  const emit::Precision precision_;
  std::string text_;
  LoadedObject object_;
};

}  // namespace proxima::jit::testing
