#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include "apps/proxima/commands.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/ranks/ranks.hpp"

namespace proxima::app {

std::string version_text() {
  const auto target = jit::Target::host();
  return fmt::format("proxima {}\nLLVM {}\nprocessor of level {}, vectors of {} bits\n{}\ncache {}", PROXIMA_VERSION,
                     LLVM_VERSION_STRING, target.cpu, target.vector_bits,
                     ranks::with_mpi() ? "several processes by mpirun" : "one process: built without MPI",
                     jit::Engine::default_cache().string());
}

}  // namespace proxima::app
