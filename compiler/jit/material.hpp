// An author's file to the energies or functions it defines: from the disk cache while the file and all it includes are
// unchanged, else through Clang.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/function.hpp"
#include "compiler/jit/cache.hpp"
#include "compiler/jit/loader.hpp"

namespace proxima::jit {

enum class Wanted : std::uint8_t { one, all };

// Thread-safe.
class MaterialStore {
 public:
  struct Counts {
    int compiled = 0;
    int loaded = 0;
    double compile_seconds = 0;
    double load_seconds = 0;
  };

  explicit MaterialStore(const DiskCache& cache) : cache_(cache) {}

  // As Engine::load_energy (the one of that name) and Engine::load_energies (all, `name` is not looked at). Formula:
  // ir::Energy or ir::Function.
  template <class Formula>
  std::vector<Formula> get(const std::filesystem::path& file, Wanted wanted, const std::string& name);
  Counts counts() const;

 private:
  const DiskCache& cache_;
  Loader loader_;
  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace proxima::jit
