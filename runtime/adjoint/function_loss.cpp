#include "runtime/adjoint/function_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::adjoint {

FunctionLoss::FunctionLoss(std::vector<int> frames, solve::UserFunction function,
                           std::vector<model::Observation> inputs, std::vector<std::vector<double>> parameters,
                           double time_step)
    : frames_(std::move(frames)),
      function_(std::move(function)),
      inputs_(std::move(inputs)),
      parameters_(std::move(parameters)),
      time_step_(time_step) {
  if (frames_.empty()) fail("a loss needs at least one frame");
  std::ranges::sort(frames_);
  if (const auto count = roots_of(function_.function()).size(); count != 1)
    fail("the function '{}' has {} numbers as output, a loss has one", function_.function().name, count);
}

double FunctionLoss::frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                           std::span<double> position_gradient, std::span<double> velocity_gradient) const {
  if (!std::ranges::binary_search(frames_, frame)) return 0;
  const auto seen = solve::observe(inputs_, frame * time_step_, positions, velocities);
  const double share = 1 / static_cast<double>(frames_.size());
  const double value = function_.value(seen, parameters_)[0];
  if (!std::isfinite(value)) fail("the loss '{}' is {} at frame {}", function_.function().name, value, frame);
  if (!position_gradient.empty() || !velocity_gradient.empty()) {
    const auto bars = function_.pull_back(seen, parameters_, std::array{share}).inputs;
    solve::add_observed(inputs_, bars, position_gradient, velocity_gradient);
  }
  return share * value;
}

}  // namespace proxima::adjoint
