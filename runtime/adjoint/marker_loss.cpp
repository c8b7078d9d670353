#include "runtime/adjoint/marker_loss.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::adjoint {

MarkerLoss::MarkerLoss(std::vector<mesh::Attachment> markers, const std::vector<SeenMarker>& seen, double time_step)
    : markers_(std::move(markers)) {
  if (seen.empty()) fail("a loss by markers needs at least one sighting");
  for (const auto& [time, marker, position] : seen)
    sightings_.push_back({model::moment_at(time, time_step), marker, position});
}

double MarkerLoss::frame(int frame, std::span<const double> positions, std::span<const double>,
                         std::span<double> position_gradient, std::span<double>) const {
  return sum(frame, false, {}, positions, {}, position_gradient);
}

double MarkerLoss::between(int frame, std::span<const double> before, std::span<const double> after,
                           std::span<double> before_gradient, std::span<double> after_gradient) const {
  return sum(frame, true, before, after, before_gradient, after_gradient);
}

double MarkerLoss::sum(int frame, bool between, std::span<const double> before, std::span<const double> after,
                       std::span<double> by_before, std::span<double> by_after) const {
  const double weight = 1 / static_cast<double>(sightings_.size());
  double value = 0;
  const auto frame_of = [](const Sighting& sighting) { return sighting.moment.frame; };
  for (const auto& [moment, marker, seen] : std::ranges::equal_range(sightings_, frame, {}, frame_of)) {
    const double share = moment.share;
    if ((share < 1) != between) continue;
    const auto& attachment = markers_[marker];
    std::vector<model::Vector3> corners;
    for (const auto node : attachment.nodes) {
      auto corner = mesh::vector_at(after, node);
      if (between) {
        corner = mesh::scaled(share, corner);
        mesh::add(corner, 1 - share, mesh::vector_at(before, node));
      }
      corners.push_back(corner);
    }
    const auto missed = mesh::minus(mesh::attached_point(attachment, corners), seen);
    value += weight * mesh::dot(missed, missed);
    if (by_after.empty()) continue;
    const auto derivatives = mesh::corner_derivatives(attachment, corners, mesh::scaled(2 * weight, missed));
    for (std::size_t k = 0; k < derivatives.size(); ++k) {
      mesh::add_at(by_after, attachment.nodes[k], share, derivatives[k]);
      if (between) mesh::add_at(by_before, attachment.nodes[k], 1 - share, derivatives[k]);
    }
  }
  return value;
}

}  // namespace proxima::adjoint
