#include "runtime/solve/shared_solve.hpp"

namespace proxima::solve {

SharedSolve::SharedSolve(std::shared_ptr<const factor::SupernodalCholesky> factor, int worlds, int at_a_time)
    : factor_(std::move(factor)), present_(worlds), turns_(at_a_time) {}

void SharedSolve::pass() {
  factor_->solve(waiting_);
  applications_ += static_cast<std::int64_t>(waiting_.size());
  ++passes_;
  waiting_.clear();
  passed_.notify_all();
}

SharedSolve::Seat::Seat(SharedSolve& shared) : shared_(&shared) {
  std::unique_lock lock(shared.mutex_);
  shared.turn_.wait(lock, [&] { return shared.turns_ > 0; });
  --shared.turns_;
}

SharedSolve::Seat::~Seat() {
  leave();
  const std::scoped_lock lock(shared_->mutex_);
  ++shared_->turns_;
  shared_->turn_.notify_one();
}

void SharedSolve::Seat::solve(std::span<const double> b, std::span<double> x) {
  SharedSolve& shared = *shared_;
  std::unique_lock lock(shared.mutex_);
  shared.waiting_.push_back({b, x});
  // All others wait, so nobody minds that this is done under the lock.
  if (shared.waiting_.size() == static_cast<std::size_t>(shared.present_)) return shared.pass();
  ++shared.turns_;
  shared.turn_.notify_one();
  const std::int64_t pass = shared.passes_;
  shared.passed_.wait(lock, [&] { return shared.passes_ != pass; });
  shared.turn_.wait(lock, [&] { return shared.turns_ > 0; });
  --shared.turns_;
}

void SharedSolve::Seat::leave() {
  if (!here_) return;
  here_ = false;
  const std::scoped_lock lock(shared_->mutex_);
  --shared_->present_;
  if (shared_->present_ > 0 && shared_->waiting_.size() == static_cast<std::size_t>(shared_->present_)) shared_->pass();
}

}  // namespace proxima::solve
