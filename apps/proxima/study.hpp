// A scene to be fitted, with its loss and its place for results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/proxima/joint_design.hpp"
#include "apps/proxima/marker_distances.hpp"
#include "apps/proxima/problem.hpp"
#include "compiler/support/hash.hpp"
#include "runtime/optimize/fit.hpp"

namespace proxima::app {

struct Study {
  Problem problem;
  std::shared_ptr<const adjoint::Loss> loss;
  MarkerDistances markers;
  std::filesystem::path folder;  // for its motion: the output folder, or one below it where there are several scenes
};

// Throws Error for a scene that cannot be fitted, and for one whose recording lies where results are to be written.
std::vector<Study> load_studies(const OptimizeOptions& options);

JointDesign joint_design(const std::vector<Study>& studies);

optimize::FitSettings fit_settings(const model::Scene& scene);

// The losses as parts of a search; they refer to what they are given.
std::vector<optimize::Part> search_parts(std::vector<Study>& studies, const JointDesign& design);

// Of all that determines the evaluations' bits: models, losses, recordings, variables, starts, method, solver, whether
// they are made side by side. Not of the rules that stop.
Hash search_fingerprint(const std::vector<Study>& studies, bool side_by_side);

}  // namespace proxima::app
