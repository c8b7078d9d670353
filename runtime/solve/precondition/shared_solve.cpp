#include "runtime/solve/precondition/shared_solve.hpp"

#include <utility>

namespace proxima::solve {

SharedSolve::SharedSolve(std::shared_ptr<const factor::SupernodalCholesky> factor, int worlds, int at_a_time)
    : factor_(std::move(factor)), meeting_(worlds, at_a_time, [this] { pass(); }) {}

void SharedSolve::pass() {
  const auto waiting = std::exchange(waiting_, {});
  factor_->solve(waiting);
  applications_ += static_cast<std::int64_t>(waiting.size());
  ++passes_;
}

}  // namespace proxima::solve
