// Kernels to callable code: in memory, else from the disk, else from LLVM.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/jit/cache.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/jit/loader.hpp"

namespace proxima::jit {

// Thread-safe.
class KernelStore {
 public:
  KernelStore(const DiskCache& cache, Target target) : cache_(cache), target_(std::move(target)) {}

  std::shared_ptr<const CompiledKernel> get(const ir::Kernel& kernel, Precision precision);
  const Target& target() const { return target_; }
  Statistics statistics() const;  // of kernels

 private:
  using Compiled = std::shared_ptr<const CompiledKernel>;
  Compiled make(const ir::Kernel& kernel, Precision precision, const Hash& key);
  LoadedObject link(const std::string& object);
  LoadedObject link_if_whole(const std::string& object);  // nothing when the bytes are no object after all

  const DiskCache& cache_;
  const Target target_;
  Loader loader_;
  mutable std::mutex mutex_;  // of what follows
  std::map<Hash, std::shared_future<Compiled>> kernels_;
  Statistics statistics_;
};

}  // namespace proxima::jit
