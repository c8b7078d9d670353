// Ranks by MPI. One of two sources is compiled: without MPI, without_mpi.cpp.
#pragma once

#include "runtime/ranks/ranks.hpp"

namespace proxima::ranks {

// Null where with_mpi() is false.
std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace proxima::ranks
