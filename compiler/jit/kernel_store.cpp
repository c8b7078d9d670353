#include "compiler/jit/kernel_store.hpp"

#include <dlfcn.h>
#include <sleef.h>

#include <chrono>
#include <stdexcept>

#include "compiler/emit/llvm/compile.hpp"
#include "compiler/emit/llvm/print.hpp"
#include "compiler/ir/serialize.hpp"
#include "compiler/support/error.hpp"

namespace proxima::jit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// SLEEF's shared library, found through a function of it that this program links to. A kernel can call nothing else.
void* sleef_function(const std::string& name) {
  static void* const library = [] {
    Dl_info found{};
    dladdr(reinterpret_cast<void*>(&Sleef_log_u10), &found);
    return dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return library != nullptr && name.starts_with("Sleef_") ? dlsym(library, name.c_str()) : nullptr;
}

std::string generate(const ir::Kernel& kernel, Precision precision, const Target& target) {
  try {
    return emit::compile_kernel(kernel, precision, target);
  } catch (const std::length_error& too_long) {
    fail("{}", too_long.what());  // the emitter knows only standard exceptions
  }
}

}  // namespace

std::shared_ptr<const CompiledKernel> KernelStore::get(const ir::Kernel& kernel, Precision precision) {
  const Hash key = hash_bytes(emit::compile_key(precision, target_) + "\n" + ir::key_bytes(kernel));
  std::promise<Compiled> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto known = kernels_.find(key); known != kernels_.end()) {
      const auto future = known->second;
      lock.unlock();
      return future.get();
    }
    kernels_.emplace(key, promise.get_future().share());
  }
  try {
    const Compiled compiled = make(kernel, precision, key);
    promise.set_value(compiled);
    return compiled;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::scoped_lock lock(mutex_);
    kernels_.erase(key);  // who asks later tries anew
    throw;
  }
}

std::shared_ptr<const CompiledKernel> KernelStore::make(const ir::Kernel& kernel, Precision precision,
                                                        const Hash& key) {
  constexpr const char* kind = "kernel";
  const auto start = Clock::now();
  auto compiled = std::make_shared<CompiledKernel>();
  compiled->lanes = target_.lanes(precision);
  compiled->precision = precision;
  compiled->name = kernel.name;
  compiled->corners = kernel.corners;
  compiled->inputs = kernel.inputs;
  compiled->outputs = kernel.outputs;

  LoadedObject code;
  if (const auto cached = cache_.read(key, kind)) code = link_if_whole(*cached);
  const bool loaded = code.entry != nullptr;
  if (!loaded) {
    const std::string object = generate(kernel, precision, target_);
    cache_.write(key, kind, object);
    code = link(object);
  }
  compiled->function = reinterpret_cast<CompiledKernel::Function>(code.entry);
  compiled->code = code.memory;

  const std::scoped_lock lock(mutex_);
  ++(loaded ? statistics_.loaded : statistics_.compiled);
  (loaded ? statistics_.load_seconds : statistics_.compile_seconds) += seconds_since(start);
  return compiled;
}

LoadedObject KernelStore::link_if_whole(const std::string& object) {
  try {
    return link(object);
  } catch (const std::runtime_error&) {
    return {};
  }
}

LoadedObject KernelStore::link(const std::string& object) {
  LoadedObject code = loader_.load(object, emit::kernel_symbol, sleef_function);
  if (code.entry == nullptr) throw std::runtime_error("SLEEF lacks a function: " + code.undefined.front());
  return code;
}

Statistics KernelStore::statistics() const {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

}  // namespace proxima::jit
