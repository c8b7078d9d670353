// Kernels printed as C, compiled by the host's C compiler and loaded.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit::testing {

class CLibrary {
 public:
  // Warnings are errors. Throws std::runtime_error with the compiler's words.
  CLibrary(const ir::Kernel& kernel, emit::Precision precision);
  ~CLibrary();
  CLibrary(const CLibrary&) = delete;
  CLibrary& operator=(const CLibrary&) = delete;

  // All results for one element's inputs, in the order of the graph's input slots.
  std::vector<double> operator()(const std::vector<double>& inputs) const;

  const std::string& text() const { return text_; }

 private:
  const TemporaryFolder folder_;
  const emit::Precision precision_;
  const std::size_t results_;
  std::string text_;
  void* library_ = nullptr;
  void* function_ = nullptr;
};

}  // namespace proxima::jit::testing
