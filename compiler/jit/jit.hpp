// From an author's file to an energy, and from a kernel to machine code: both in-process, both cached on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/function.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::jit {

using emit::Precision;  // fp64, fp32
using emit::Target;     // host(), avx512(), avx2(), portable()

// A compiled kernel. It works on tiles of `lanes` elements. Arrays are double or float by `precision`:
//   uniform field: `components` scalars; element field: [tile][component][lane]; nodal field: [node][component];
//   `nodes`: [tile][corner][lane], node numbers; three times the largest must fit in 32 bits. Padding lanes of the
//   last tile repeat a valid element.
// inputs[k], outputs[k] are the base pointers of field k; element arrays are 64-byte aligned.
// A call handles tiles tile_begin <= t < tile_end and touches nothing else, so calls on disjoint tiles may run at once.
// Outputs must not overlap inputs.
struct CompiledKernel {
  using Function = void (*)(const void* const* inputs, void* const* outputs, const std::int32_t* nodes,
                            std::int64_t tile_begin, std::int64_t tile_end);
  Function function = nullptr;
  int lanes = 1;
  Precision precision = Precision::fp64;
  std::string name;
  std::uint32_t corners = 0;
  std::vector<ir::Field> inputs;
  std::vector<ir::Field> outputs;
  std::shared_ptr<const void> code;  // keeps the machine code alive
};

struct Statistics {
  int compiled = 0;            // kernels built by LLVM in this process
  int loaded = 0;              // kernels taken from the disk cache
  int energies_compiled = 0;   // material files compiled by Clang
  int energies_loaded = 0;     // energies and functions taken from the disk cache
  double compile_seconds = 0;  // in LLVM and Clang
  double load_seconds = 0;     // in reading and linking what was cached
};

// Thread-safe. Compiles on demand only; asks its memory, then the disk cache, then LLVM.
class Engine {
 public:
  // `cache` is made when first written to. Default: $PROXIMA_CACHE, else $XDG_CACHE_HOME/proxima, else
  // ~/.cache/proxima. A cache that cannot be read or written costs time, never correctness.
  explicit Engine(std::filesystem::path cache = default_cache(), Target target = Target::host());
  ~Engine();

  // The same kernel gives the same object. Threads that ask for one kernel at once wait for one compilation.
  std::shared_ptr<const CompiledKernel> compile(const ir::Kernel& kernel, Precision precision = Precision::fp64);

  // Compiles the author's .cpp with Clang and runs it. Throws Error with Clang's own messages, at the author's own
  // lines, when it does not compile, and when it defines no energy, or several and `name` does not pick one. An
  // unchanged file (with all that it includes) comes from the cache.
  ir::Energy load_energy(const std::filesystem::path& file, const std::string& name = "");

  // All energies of the file, at least one, in the order in which they are written. Throws as load_energy.
  std::vector<ir::Energy> load_energies(const std::filesystem::path& file);

  // The same of a user's functions.
  ir::Function load_function(const std::filesystem::path& file, const std::string& name = "");
  std::vector<ir::Function> load_functions(const std::filesystem::path& file);

  const Target& target() const;
  Statistics statistics() const;
  static std::filesystem::path default_cache();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::jit
