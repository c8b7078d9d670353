#include "runtime/adjoint/losses.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {

std::vector<double> uniform_weights(std::size_t nodes) {
  return std::vector<double>(nodes, 1 / static_cast<double>(nodes));
}

std::vector<double> mass_weights(std::span<const double> mass) {
  const double total = device::sum(mass);
  std::vector<double> weights(mass.begin(), mass.end());
  for (double& weight : weights) weight /= total;
  return weights;
}

RecordedMotion::RecordedMotion(std::map<int, std::vector<double>> frames, std::vector<double> weights)
    : frames_(std::move(frames)), weights_(std::move(weights)) {
  if (frames_.empty()) fail("recorded motion: no frames");
  for (const auto& [frame, positions] : frames_) {
    if (frame < 0) fail("recorded motion: there is no frame {}", frame);
    if (positions.size() != 3 * weights_.size())
      fail("recorded motion: frame {} has {} coordinates, the body has {} nodes", frame, positions.size(),
           weights_.size());
  }
}

double RecordedMotion::frame(int frame, std::span<const double> positions, std::span<const double>,
                             std::span<double> position_gradient, std::span<double>) const {
  const auto found = frames_.find(frame);
  if (found == frames_.end()) return 0;
  const double share = 1 / static_cast<double>(frames_.size());
  double value = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double distance = positions[i] - found->second[i], weight = share * weights_[i / 3];
    value += weight * distance * distance;
    if (!position_gradient.empty()) position_gradient[i] += 2 * weight * distance;
  }
  return value;
}

CentreTarget::CentreTarget(int frame, model::Vector3 target, std::vector<double> weights)
    : frame_(frame), target_(target), weights_(std::move(weights)) {}

double CentreTarget::frame(int frame, std::span<const double> positions, std::span<const double>,
                           std::span<double> position_gradient, std::span<double>) const {
  if (frame != frame_) return 0;
  double distance[3] = {-target_[0], -target_[1], -target_[2]};
  for (std::size_t i = 0; i < positions.size(); ++i) distance[i % 3] += weights_[i / 3] * positions[i];
  if (!position_gradient.empty())
    for (std::size_t i = 0; i < positions.size(); ++i) position_gradient[i] += 2 * weights_[i / 3] * distance[i % 3];
  return distance[0] * distance[0] + distance[1] * distance[1] + distance[2] * distance[2];
}

NodeTargets::NodeTargets(int frame, std::vector<std::int32_t> nodes, std::vector<model::Vector3> targets)
    : frame_(frame), nodes_(std::move(nodes)), targets_(std::move(targets)) {
  if (nodes_.empty()) fail("node targets: no nodes");
  if (nodes_.size() != targets_.size())
    fail("node targets: {} nodes and {} targets are given", nodes_.size(), targets_.size());
}

double NodeTargets::frame(int frame, std::span<const double> positions, std::span<const double>,
                          std::span<double> position_gradient, std::span<double>) const {
  if (frame != frame_) return 0;
  const double share = 1 / static_cast<double>(nodes_.size());
  double value = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = 3 * static_cast<std::size_t>(nodes_[k]) + axis;
      const double distance = positions[i] - targets_[k][axis];
      value += share * distance * distance;
      if (!position_gradient.empty()) position_gradient[i] += 2 * share * distance;
    }
  return value;
}

namespace {

// The sum over the terms of factor times what `of` gives and adds to two spans.
template <class Of>
double summed(const std::vector<SumLoss::Term>& terms, std::span<double> first, std::span<double> second, Of of) {
  double value = 0;
  std::vector<double> of_first(first.size()), of_second(second.size());
  for (const auto& [factor, loss] : terms) {
    std::ranges::fill(of_first, 0.0);
    std::ranges::fill(of_second, 0.0);
    value += factor * of(*loss, of_first, of_second);
    device::add_scaled(first, factor, of_first);
    device::add_scaled(second, factor, of_second);
  }
  return value;
}

}  // namespace

double SumLoss::frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                      std::span<double> position_gradient, std::span<double> velocity_gradient) const {
  return summed(terms_, position_gradient, velocity_gradient,
                [&](const Loss& loss, std::span<double> by_x, std::span<double> by_v) {
                  return loss.frame(frame, positions, velocities, by_x, by_v);
                });
}

double SumLoss::between(int frame, std::span<const double> before, std::span<const double> after,
                        std::span<double> before_gradient, std::span<double> after_gradient) const {
  return summed(terms_, before_gradient, after_gradient,
                [&](const Loss& loss, std::span<double> by_before, std::span<double> by_after) {
                  return loss.between(frame, before, after, by_before, by_after);
                });
}

int SumLoss::last_frame() const {
  int last = 0;
  for (const auto& [factor, loss] : terms_) last = std::max(last, loss->last_frame());
  return last;
}

}  // namespace proxima::adjoint
