#include "runtime/ranks/mpi_ranks.hpp"

namespace proxima::ranks {

bool with_mpi() { return false; }
std::unique_ptr<Ranks> make_mpi_ranks() { return nullptr; }

}  // namespace proxima::ranks
