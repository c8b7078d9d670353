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

double SumLoss::frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                      std::span<double> position_gradient, std::span<double> velocity_gradient) const {
  double value = 0;
  std::vector<double> px(position_gradient.size()), pv(velocity_gradient.size());
  for (const auto& [factor, loss] : terms_) {
    std::fill(px.begin(), px.end(), 0.0);
    std::fill(pv.begin(), pv.end(), 0.0);
    value += factor * loss->frame(frame, positions, velocities, px, pv);
    for (std::size_t i = 0; i < px.size(); ++i) position_gradient[i] += factor * px[i];
    for (std::size_t i = 0; i < pv.size(); ++i) velocity_gradient[i] += factor * pv[i];
  }
  return value;
}

int SumLoss::last_frame() const {
  int last = 0;
  for (const auto& [factor, loss] : terms_) last = std::max(last, loss->last_frame());
  return last;
}

}  // namespace proxima::adjoint
