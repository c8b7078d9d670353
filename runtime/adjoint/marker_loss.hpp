// A loss by markers that were seen where they were, and when.
#pragma once

#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/mesh/attachment.hpp"
#include "runtime/model/moment.hpp"

namespace proxima::adjoint {

struct SeenMarker {
  double time = 0;            // s
  std::size_t marker = 0;     // its number among the attachments
  model::Vector3 position{};  // m
};

// Mean over the sightings of the squared distance between where a marker was seen and where the body has it then, m^2.
// Between two frames nodes go evenly along a straight line, whatever the integrator, sub-steps and contacts did there.
class MarkerLoss : public Loss {
 public:
  // `seen`: increasing in time, none before 0. Throws Error where there are none.
  MarkerLoss(std::vector<mesh::Attachment> markers, const std::vector<SeenMarker>& seen, double time_step);
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  double between(int frame, std::span<const double> before, std::span<const double> after,
                 std::span<double> before_gradient, std::span<double> after_gradient) const override;
  int last_frame() const override { return sightings_.back().moment.frame; }

 private:
  struct Sighting {
    model::Moment moment{};
    std::size_t marker = 0;
    model::Vector3 position{};
  };
  // `before` and `by_before` are looked at where `between` two frames is meant.
  double sum(int frame, bool between, std::span<const double> before, std::span<const double> after,
             std::span<double> by_before, std::span<double> by_after) const;

  std::vector<mesh::Attachment> markers_;
  std::vector<Sighting> sightings_;  // by frame
};

}  // namespace proxima::adjoint
