// A cantilever of hexahedra with a muscle, computed by DiffPD and kept as files outside the repository: the scene, its
// loss, and what DiffPD found. Du et al., "DiffPD: Differentiable Projective Dynamics" (2021).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// A figure that DiffPD's authors' program took on a machine of the kind that the project measures on.
struct DiffpdSeconds {
  std::string method;
  double tolerance = 0;
  int threads = 0;
  double forward = 0, backward = 0;  // s
};

struct DiffpdCantilever {
  model::Model model;  // region 0: the solid, parameters E and nu; region 1: the muscle, w and activation (an element)
  // The loss is q . position_weights + v . velocity_weights of the last frame, 3 a node.
  std::vector<double> position_weights, velocity_weights;
  // DiffPD's results at a tolerance of 1e-6: state at the end, derivatives by the start, 3 a node.
  std::vector<double> positions, velocities, position_gradient, velocity_gradient;
  std::vector<double> activation_gradient;  // one a muscle cell
  double loss = 0, positions_norm = 0, force_gradient_norm = 0, young_gradient = 0, poisson_gradient = 0;
  double max_position_error = 0;  // of DiffPD's projective method at a tolerance of 1e-4, m
  std::vector<DiffpdSeconds> seconds;
};

// PROXIMA_SHARED_DATA, or ../shared/data beside the repository; it may be absent.
std::filesystem::path shared_data();

// Its folder "reference"; none where it is absent.
std::optional<std::filesystem::path> reference_folder();

// DiffPD's conventions: uniform lumping, mu |F - R|^2 + lambda/2 |F - D|^2 with D the closest matrix of determinant 1.
// Its half-space that two nodes never touch is left out. Throws Error for a file that cannot be read.
DiffpdCantilever read_diffpd_cantilever(const std::filesystem::path& folder);

}  // namespace proxima::bodies
