#include "apps/proxima/joint_design.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"

namespace proxima::app {

JointDesign::JointDesign(std::vector<NamedDesign> designs, const std::vector<std::string>& scenes)
    : designs_(std::move(designs)) {
  std::vector<std::size_t> first, owner;  // of each variable: its first entry, the scene it came from
  for (std::size_t s = 0; s < designs_.size(); ++s) {
    const auto& [design, labels] = designs_[s];
    const auto values = design.physical(design.start());
    auto& variable = variable_.emplace_back();
    auto& place = place_.emplace_back();
    for (std::size_t v = 0, begin = 0; v < labels.size(); begin += values[v++].size()) {
      const std::size_t count = values[v].size();
      const auto part = [&](std::span<const double> u) { return u.subspan(begin, count); };
      const auto known =
          std::find_if(labels_.begin(), labels_.end(), [&](const auto& label) { return label.name == labels[v].name; });
      const auto number = static_cast<std::size_t>(known - labels_.begin());
      if (known == labels_.end()) {
        labels_.push_back(labels[v]);
        counts_.push_back(count);
        first.push_back(start_.size());
        owner.push_back(s);
        for (auto [mine, theirs] :
             {std::pair{&start_, design.start()}, {&lower_, design.lower()}, {&upper_, design.upper()}})
          mine->insert(mine->end(), part(theirs).begin(), part(theirs).end());
      } else {
        const auto same = [&](const std::vector<double>& mine, std::span<const double> theirs) {
          return std::ranges::equal(std::span(mine).subspan(first[number], counts_[number]), part(theirs));
        };
        if (counts_[number] != count || !same(start_, design.start()) || !same(lower_, design.lower()) ||
            !same(upper_, design.upper()))
          fail(
              "{} and {}: the variable '{}' is in both and must have the same number of values, scale, bounds and "
              "start in each",
              scenes[owner[number]], scenes[s], labels[v].name);
      }
      variable.push_back(number);
      for (std::size_t k = 0; k < count; ++k) place.push_back(first[number] + k);
    }
  }
}

std::vector<std::vector<double>> JointDesign::physical(std::span<const double> u) const {
  std::vector<std::vector<double>> result(labels_.size());
  for (std::size_t s = 0; s < designs_.size(); ++s) {
    auto values = design(s).physical(of_scene(s, u));
    for (std::size_t v = 0; v < values.size(); ++v) result[variable_[s][v]] = std::move(values[v]);
  }
  return result;
}

std::vector<double> JointDesign::of_scene(std::size_t scene, std::span<const double> u) const {
  std::vector<double> result;
  result.reserve(place_[scene].size());
  for (const std::size_t place : place_[scene]) result.push_back(u[place]);
  return result;
}

std::vector<double> JointDesign::gradient(std::size_t scene, std::span<const double> of_scene) const {
  std::vector<double> result(start_.size(), 0.0);
  for (std::size_t i = 0; i < of_scene.size(); ++i) result[place_[scene][i]] = of_scene[i];
  return result;
}

}  // namespace proxima::app
