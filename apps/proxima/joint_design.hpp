// The variables of one or several scenes as one vector: those of the same name are one variable.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/proxima/design_choice.hpp"

namespace proxima::app {

class JointDesign {
 public:
  // `scenes` are for messages. Throws Error naming them where a shared variable has not the same number of values,
  // scale, bounds and start in each.
  JointDesign(std::vector<NamedDesign> designs, const std::vector<std::string>& scenes);

  const optimize::Design& design(std::size_t scene) const { return designs_[scene].design; }
  const std::vector<std::size_t>& variables(std::size_t scene) const { return variable_[scene]; }  // which of all
  const std::vector<VariableLabel>& labels() const { return labels_; }
  const std::vector<std::size_t>& counts() const { return counts_; }  // values of each variable
  const std::vector<double>& start() const { return start_; }
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }

  std::vector<std::vector<double>> physical(std::span<const double> u) const;  // of each variable, in its own unit
  std::vector<double> of_scene(std::size_t scene, std::span<const double> u) const;
  // A gradient for a scene's variables as one for all.
  std::vector<double> gradient(std::size_t scene, std::span<const double> of_scene) const;

 private:
  std::vector<NamedDesign> designs_;
  std::vector<VariableLabel> labels_;
  std::vector<std::size_t> counts_;
  std::vector<double> start_, lower_, upper_;
  std::vector<std::vector<std::size_t>> variable_;  // [scene][its variable]: number among all
  std::vector<std::vector<std::size_t>> place_;     // [scene][entry of its vector]: entry of the vector of all
};

}  // namespace proxima::app
