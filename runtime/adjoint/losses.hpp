// Losses of a rollout, all in m^2 where they are about positions. Node weights and masses are taken when a loss is made
// and stay: a gradient with respect to density is that of the motion, not of the weights.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"

namespace proxima::adjoint {

// Weights that sum to 1: the same for every node, or in proportion to mass.
std::vector<double> uniform_weights(std::size_t nodes);
std::vector<double> mass_weights(std::span<const double> mass);

// Mean over the recorded frames of sum_i weight_i |x_i - recorded_i|^2.
class RecordedMotion : public Loss {
 public:
  // `frames`: frame -> positions, 3 a node. Throws Error for no frames, a negative one, or sizes that do not fit.
  RecordedMotion(std::map<int, std::vector<double>> frames, std::vector<double> weights);
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  int last_frame() const override { return frames_.rbegin()->first; }

 private:
  std::map<int, std::vector<double>> frames_;
  std::vector<double> weights_;
};

// |sum_i weight_i x_i - target|^2 at one frame; with mass weights the centre of mass.
class CentreTarget : public Loss {
 public:
  CentreTarget(int frame, model::Vector3 target, std::vector<double> weights);
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  int last_frame() const override { return frame_; }

 private:
  int frame_;
  model::Vector3 target_;
  std::vector<double> weights_;
};

// Mean over chosen nodes of |x_i - target_i|^2 at one frame.
class NodeTargets : public Loss {
 public:
  // Throws Error for no nodes or when there is not one target a node.
  NodeTargets(int frame, std::vector<std::int32_t> nodes, std::vector<model::Vector3> targets);
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  int last_frame() const override { return frame_; }

 private:
  int frame_;
  std::vector<std::int32_t> nodes_;
  std::vector<model::Vector3> targets_;
};

// A user's function: arguments and result as of Loss::frame.
class UserLoss : public Loss {
 public:
  using Function = std::function<double(int, std::span<const double>, std::span<const double>, std::span<double>,
                                        std::span<double>)>;
  UserLoss(int last_frame, Function function) : last_frame_(last_frame), function_(std::move(function)) {}
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override {
    return function_(frame, positions, velocities, position_gradient, velocity_gradient);
  }
  int last_frame() const override { return last_frame_; }

 private:
  int last_frame_;
  Function function_;
};

// sum_k factor_k loss_k.
class SumLoss : public Loss {
 public:
  using Term = std::pair<double, std::shared_ptr<const Loss>>;
  explicit SumLoss(std::vector<Term> terms) : terms_(std::move(terms)) {}
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  double between(int frame, std::span<const double> before, std::span<const double> after,
                 std::span<double> before_gradient, std::span<double> after_gradient) const override;
  int last_frame() const override;

 private:
  std::vector<Term> terms_;
};

}  // namespace proxima::adjoint
