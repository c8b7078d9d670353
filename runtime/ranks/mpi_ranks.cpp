#include "runtime/ranks/mpi_ranks.hpp"

#define OMPI_SKIP_MPICXX  // the C interface alone
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <climits>
#include <numeric>

#include "compiler/support/error.hpp"

namespace proxima::ranks {
namespace {

// MPI ends the program by itself when one of its calls fails.
class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string broadcast(std::string_view bytes) override {
    std::string result(bytes);
    long long count = static_cast<long long>(result.size());
    MPI_Bcast(&count, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    result.resize(static_cast<std::size_t>(count));
    MPI_Bcast(result.data(), checked(count), MPI_CHAR, 0, MPI_COMM_WORLD);
    return result;
  }

  std::vector<std::string> gather(std::string_view bytes) override {
    const auto count = static_cast<long long>(bytes.size());
    std::vector<long long> counts(static_cast<std::size_t>(size_));
    MPI_Allgather(&count, 1, MPI_LONG_LONG, counts.data(), 1, MPI_LONG_LONG, MPI_COMM_WORLD);
    std::string all(static_cast<std::size_t>(checked(std::accumulate(counts.begin(), counts.end(), 0LL))), '\0');
    std::vector<int> sizes(counts.begin(), counts.end()), begins(counts.size(), 0);
    std::partial_sum(sizes.begin(), sizes.end() - 1, begins.begin() + 1);
    MPI_Allgatherv(bytes.data(), static_cast<int>(count), MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR,
                   MPI_COMM_WORLD);
    std::vector<std::string> result;
    result.reserve(counts.size());
    for (std::size_t r = 0; r < counts.size(); ++r)
      result.push_back(all.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
    return result;
  }

  void end_all(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

 private:
  // All ranks see the same number and throw alike.
  static int checked(long long count) {
    if (count > INT_MAX) fail("{} bytes are to be sent between processes, at most {} can be", count, INT_MAX);
    return static_cast<int>(count);
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

bool with_mpi() { return true; }
std::unique_ptr<Ranks> make_mpi_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace proxima::ranks
