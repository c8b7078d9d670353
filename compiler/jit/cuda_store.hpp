// Kernels to machine code for a GPU: from the disk, else from NVRTC. Loading and running it is not done here.
#pragma once

#include <memory>
#include <string>

#include "compiler/emit/cuda/worlds.hpp"
#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"
#include "compiler/jit/cache.hpp"
#include "compiler/jit/nvrtc.hpp"

namespace proxima::jit {

// Thread-safe. The cache is that of the CPU's kernels, the key has the architecture and NVRTC's version.
class CudaStore {
 public:
  // Throws Error where there is no NVRTC.
  explicit CudaStore(const std::filesystem::path& cache) : cache_(cache), nvrtc_(Nvrtc::load()) {}

  // In the style (emit::CudaStyle) that spills least. `architecture`: "sm_90", or "compute_90" for PTX, of which it is
  // not known what spills. Throws Error as Nvrtc::compile.
  // `worlds`: as emit::for_worlds writes it.
  CudaCode get(const ir::Kernel& kernel, emit::Precision precision, const std::string& architecture,
               emit::Worlds worlds = emit::Worlds::one) const;

  // The same of a text that is no kernel's: `name` is for messages, and the code has no symbol and no usage.
  CudaCode get_text(const std::string& name, const std::string& text, const std::string& architecture,
                    emit::Worlds worlds = emit::Worlds::one) const;

  const Nvrtc& nvrtc() const { return *nvrtc_; }

 private:
  // From the disk, else by `make`.
  template <class Make>
  CudaCode find(const std::string& symbol, const std::string& key, const Make& make,
                const std::string& architecture) const;
  // In the first style that spills nothing, else that which spills least.
  CudaCode compile(const ir::Kernel& kernel, emit::Precision precision, const std::string& architecture,
                   emit::Worlds worlds) const;

  const DiskCache cache_;
  const std::shared_ptr<const Nvrtc> nvrtc_;
};

}  // namespace proxima::jit
