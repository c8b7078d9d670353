// Taylor tests of a loss by something that goes into a model.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/model/model.hpp"
#include "runtime/optimize/gradcheck.hpp"

namespace proxima::test {

// Of x -> loss_of(model), where `apply` puts x into a copy of the model; `slope` is the gradient at `x`. A loss that is
// so nearly linear that its second-order part is lost in rounding shows no order; central differences to 2e-7 then do,
// or to what they are themselves good to, if that is a millionth or better.
template <class Loss, class Apply>
void expect_gradient(const model::Model& model, Loss loss_of, std::span<const double> x, std::span<const double> slope,
                     std::span<const double> direction, Apply apply) {
  const auto f = [&](std::span<const double> moved) {
    model::Model changed = model;
    apply(changed, moved);
    return loss_of(changed);
  };
  optimize::TaylorSettings settings;
  settings.largest = 1e-1;
  settings.smallest = 1e-6;
  const auto report = optimize::taylor_test(f, x, slope, direction, settings);
  const bool agrees = report.central < std::clamp(report.central_doubt, 2e-7, 1e-6);
  EXPECT_TRUE(report.passed() || agrees) << optimize::table(report);
}

inline double rollout_loss(jit::Engine& engine, const model::Model& model, const solve::StepSettings& settings,
                           const adjoint::Loss& loss) {
  const solve::Objective objective(model, engine);
  return adjoint::total_loss(loss, solve::simulate(objective, model, settings, solve::initial_state(model)));
}

// A direction that moves all entries, each otherwise.
inline std::vector<double> waves(std::size_t size, double amplitude) {
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = amplitude * std::sin(2.3 * static_cast<double>(i) + 0.4);
  return v;
}

}  // namespace proxima::test
