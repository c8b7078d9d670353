#include <cstdlib>

#include "compiler/jit/cache.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/jit/kernel_store.hpp"
#include "compiler/jit/material.hpp"
#include "compiler/support/error.hpp"

namespace proxima::jit {

struct Engine::State {
  State(std::filesystem::path folder, Target target)
      : cache(std::move(folder)), kernels(cache, std::move(target)), materials(cache) {}

  const DiskCache cache;
  KernelStore kernels;
  MaterialStore materials;
};

Engine::Engine(std::filesystem::path cache, Target target) {
  if (!target.runs_here()) fail("target {}: this processor does not have its instructions", target.cpu);
  state_ = std::make_unique<State>(std::move(cache), std::move(target));
}

Engine::~Engine() = default;

std::shared_ptr<const CompiledKernel> Engine::compile(const ir::Kernel& kernel, Precision precision) {
  return state_->kernels.get(kernel, precision);
}

ir::Energy Engine::load_energy(const std::filesystem::path& file, const std::string& name) {
  return std::move(state_->materials.get<ir::Energy>(file, Wanted::one, name).front());
}

std::vector<ir::Energy> Engine::load_energies(const std::filesystem::path& file) {
  return state_->materials.get<ir::Energy>(file, Wanted::all, "");
}

ir::Function Engine::load_function(const std::filesystem::path& file, const std::string& name) {
  return std::move(state_->materials.get<ir::Function>(file, Wanted::one, name).front());
}

std::vector<ir::Function> Engine::load_functions(const std::filesystem::path& file) {
  return state_->materials.get<ir::Function>(file, Wanted::all, "");
}

const Target& Engine::target() const { return state_->kernels.target(); }

Statistics Engine::statistics() const {
  Statistics statistics = state_->kernels.statistics();
  const MaterialStore::Counts materials = state_->materials.counts();
  statistics.energies_compiled = materials.compiled;
  statistics.energies_loaded = materials.loaded;
  statistics.compile_seconds += materials.compile_seconds;
  statistics.load_seconds += materials.load_seconds;
  return statistics;
}

std::filesystem::path Engine::default_cache() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (const auto folder = variable("PROXIMA_CACHE"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "proxima";
  if (const auto folder = variable("HOME"); !folder.empty()) return folder / ".cache" / "proxima";
  return std::filesystem::temp_directory_path() / "proxima-cache";
}

}  // namespace proxima::jit
