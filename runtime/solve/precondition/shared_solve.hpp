// One factor for worlds whose solvers run side by side, each on a thread of its own: an application of A^-1 waits until
// all worlds that still take part have asked for one, and then one of them makes them all. Worlds need not do the same
// things in between: one that searches along a line, or is done with a step, keeps the others waiting at their next
// application, nothing else. A world gets the bits that the factor gives it alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/meeting.hpp"
#include "runtime/factor/factor.hpp"

namespace proxima::solve {

class SharedSolve {
 public:
  // `worlds`: as many seats will be taken. No more than `at_a_time` of them compute at the same time.
  SharedSolve(std::shared_ptr<const factor::SupernodalCholesky> factor, int worlds, int at_a_time);

  // A world's part in it, on the world's thread. Has to be taken before anything is computed, by each of the worlds.
  class Seat {
   public:
    explicit Seat(SharedSolve& shared) : shared_(&shared), seat_(shared.meeting_) {}  // waits for its turn

    // x <- A^-1 b, as SupernodalCholesky::solve. Throws what it throws.
    void solve(std::span<const double> b, std::span<double> x) {
      seat_.wait([&] { shared_->waiting_.push_back({b, x}); });
    }
    // The world solves by itself from now on; nobody waits for it. May be called again.
    void leave() { seat_.leave(); }

   private:
    SharedSolve* shared_;
    device::Meeting::Seat seat_;
  };

  void dismiss() { meeting_.dismiss(); }  // as of Meeting
  // So far: applications, and how often the factor was read for them.
  std::int64_t applications() const { return applications_; }
  std::int64_t passes() const { return passes_; }

 private:
  void pass();  // solves for all that wait

  const std::shared_ptr<const factor::SupernodalCholesky> factor_;
  std::vector<factor::SupernodalCholesky::RightHandSide> waiting_;
  std::int64_t applications_ = 0, passes_ = 0;
  device::Meeting meeting_;
};

}  // namespace proxima::solve
