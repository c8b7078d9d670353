#include "runtime/ranks/ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "compiler/support/error.hpp"
#include "runtime/ranks/mpi_ranks.hpp"

namespace proxima::ranks {
namespace {

class Alone final : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string broadcast(std::string_view bytes) override { return std::string(bytes); }
  std::vector<std::string> gather(std::string_view bytes) override { return {std::string(bytes)}; }
  void end_all(int) override { throw std::logic_error("one process alone has no others to end"); }
};

// What launchers set for each process: Open MPI; MPICH and Intel MPI; srun with PMI-2 or PMIx.
constexpr const char* of_launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};

bool launched() {
  return std::any_of(std::begin(of_launchers), std::end(of_launchers), [](auto* name) { return std::getenv(name); });
}

}  // namespace

std::unique_ptr<Ranks> make_ranks() {
  if (!launched()) return std::make_unique<Alone>();
  if (!with_mpi())
    fail("mpirun started this program, which was built without MPI: install libopenmpi-dev, configure and build anew");
  return make_mpi_ranks();
}

}  // namespace proxima::ranks
