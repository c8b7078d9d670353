// The processes of a program that was started by mpirun, numbered from 0; one that was started alone is rank 0 of 1 and
// needs no MPI. All must call broadcast and gather in the same order.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::ranks {

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  // The bytes of rank 0, at every rank.
  virtual std::string broadcast(std::string_view bytes) = 0;
  // The bytes of each rank in their order, at every rank. Throws Error when they are more than 2 GiB.
  virtual std::vector<std::string> gather(std::string_view bytes) = 0;
  // Ends all processes, also those that wait for this one; does not come back. Not for a program that was started
  // alone.
  virtual void end_all(int status) = 0;
};

bool with_mpi();  // whether it was built with it

// By MPI when mpirun (or srun) started the program, which its environment tells; then at most one may be made. Throws
// Error when mpirun started it and it was built without MPI.
std::unique_ptr<Ranks> make_ranks();

}  // namespace proxima::ranks
