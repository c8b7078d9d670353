#include "apps/proxima/gradient_inputs.hpp"

#include <algorithm>
#include <memory>

#include "apps/proxima/evidence.hpp"
#include "apps/proxima/rollout_inputs.hpp"
#include "runtime/optimize/fit.hpp"

namespace proxima::app {
namespace {

class Rollouts {
 public:
  Rollouts(std::vector<CheckedScene>& scenes, solve::SharedWork& work) : work_(work) {
    all_.reserve(scenes.size());
    for (CheckedScene& scene : scenes)
      all_.emplace_back(scene.problem, *scene.loss, scenes.front().problem.scene.gradcheck);
  }

  const std::vector<CheckedRollout>& all() const { return all_; }

  // Side by side, by the number of the scene; a scene alone is no world, and has the messages of one.
  void run(const std::function<void(std::size_t)>& each) {
    if (all_.size() == 1) return each(0);
    std::vector<solve::World> worlds;
    worlds.reserve(all_.size());
    for (std::size_t s = 0; s < all_.size(); ++s)
      worlds.push_back(
          {all_[s].problem.scene.file.stem().string(), all_[s].problem.objective.get(), [&each, s] { each(s); }});
    work_ += solve::run_worlds(worlds);
  }

  void differentiate() {
    run([&](std::size_t s) { all_[s].differentiate(); });
    optimize::Cost cost;
    for (const CheckedRollout& rollout : all_) cost += optimize::cost_of(rollout.gradient);
    print_evidence(cost);
  }

  double loss_of(std::span<const model::Model> models) {
    std::vector<double> losses(all_.size());
    run([&](std::size_t s) { losses[s] = all_[s].loss_of(models[s]); });
    double sum = losses[0];
    for (std::size_t s = 1; s < losses.size(); ++s) sum += losses[s];
    return sum;
  }

 private:
  std::vector<CheckedRollout> all_;
  solve::SharedWork& work_;
};

// An input of one of the scenes.
struct Part {
  std::size_t scene;
  RolloutInput input;
};
struct Joint {
  std::string name;
  std::vector<Part> parts;
};

// The first of a scene's name goes with the first of the others, the second with the second.
void add(std::size_t scene, RolloutInput input, std::vector<Joint>& joints) {
  const auto fits = [&](const Joint& joint) { return joint.name == input.name && joint.parts.back().scene != scene; };
  auto found = std::ranges::find_if(joints, fits);
  if (found == joints.end()) found = joints.insert(found, {input.name, {}});
  found->parts.push_back({scene, std::move(input)});
}

double loss_at(Rollouts& rollouts, const Joint& joint, std::span<const double> values) {
  std::vector<model::Model> models;
  models.reserve(rollouts.all().size());
  for (const CheckedRollout& rollout : rollouts.all()) models.push_back(rollout.problem.model());
  const auto objective = [&](const Part& part) -> solve::Objective& {
    return *rollouts.all()[part.scene].problem.objective;
  };
  for (const Part& part : joint.parts) {
    model::Model& model = models[part.scene];
    part.input.put(values.first(part.input.point.size()), model);
    values = values.subspan(part.input.point.size());
    if (part.input.of_objective) objective(part).set_values(model);
  }
  const double sum = rollouts.loss_of(models);
  for (const Part& part : joint.parts)
    if (part.input.of_objective) objective(part).set_values(rollouts.all()[part.scene].problem.model());
  return sum;
}

GradientInput joined(const std::shared_ptr<Rollouts>& rollouts, Joint joint) {
  GradientInput result{.name = joint.name, .point = {}, .gradient = {}, .direction = {}, .loss = {}};
  for (const auto& [scene, input] : joint.parts)
    for (auto [whole, part] : {std::pair{&result.point, &input.point},
                               {&result.gradient, &input.gradient},
                               {&result.direction, &input.direction}})
      whole->insert(whole->end(), part->begin(), part->end());
  result.loss = [rollouts, joint = std::move(joint)](std::span<const double> values) {
    return loss_at(*rollouts, joint, values);
  };
  return result;
}

}  // namespace

std::vector<GradientInput> gradient_inputs(std::vector<CheckedScene>& scenes, solve::SharedWork& work) {
  const auto rollouts = std::make_shared<Rollouts>(scenes, work);
  rollouts->differentiate();
  std::vector<Joint> joints;
  for (std::size_t s = 0; s < scenes.size(); ++s)
    for (RolloutInput& input : rollout_inputs(rollouts->all()[s], scenes.front().problem.scene.gradcheck.seed + s))
      add(s, std::move(input), joints);
  std::vector<GradientInput> inputs;
  inputs.reserve(joints.size());
  for (Joint& joint : joints) inputs.push_back(joined(rollouts, std::move(joint)));
  return inputs;
}

}  // namespace proxima::app
