// One of the scenes in a folder of dsl_examples, run by the program itself, with what is needed to judge its motion.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/model/trajectory.hpp"

namespace proxima::test {

std::filesystem::path scene_file(const std::string& name, const std::string& folder = "scenes");

class SceneRun {
 public:
  using Change = std::function<void(nlohmann::ordered_json& scene)>;
  // Runs all steps of dsl_examples/EXAMPLES/NAME.json, with changes if wanted. Fails the test where the program does.
  explicit SceneRun(const std::string& name, const Change& change = {}, const std::string& examples = "scenes");

  int last() const { return static_cast<int>(frames.size()) - 1; }
  double time(int frame) const { return frame * model.time_step; }
  std::vector<double> column(const std::string& name) const;  // of steps.csv, one a step

  using Chosen = std::function<bool(const model::Vector3& rest)>;
  double mean(int frame, int axis, const Chosen& chosen) const;    // of the chosen nodes' coordinates
  double extent(int frame, int axis, const Chosen& chosen) const;  // largest less smallest
  model::Vector3 centre_of_mass(int frame) const;
  double volume(int frame) const;
  double smallest_volume_ratio(int frame) const;  // over the tets: to that at rest
  double weight_energy(int frame) const;          // - sum m gravity . x
  double angular_momentum(int frame) const;       // about the z axis
  // Stored, kinetic and weight energy after each step.
  std::vector<double> total_energy() const;

  model::Model model;
  std::vector<model::Frame> frames;
  std::vector<double> mass;

 private:
  std::string log_;
};

}  // namespace proxima::test
