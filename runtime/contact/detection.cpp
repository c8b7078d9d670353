#include "runtime/contact/detection.hpp"

#include "runtime/contact/obstacle_contacts.hpp"
#include "runtime/contact/surface_contacts.hpp"
#include "runtime/contact/ties.hpp"

namespace proxima::contact {

struct Detection::State {
  State(const model::Model& model, jit::Engine& engine)
      : obstacles(model, engine), surfaces(model, engine), ties(model) {}

  ObstacleContacts obstacles;
  SurfaceContacts surfaces;
  Ties ties;
};

Detection::Detection(const model::Model& model, jit::Engine& engine) : state_(std::make_unique<State>(model, engine)) {}
Detection::~Detection() = default;

void Detection::set_values(const model::Model& model) {
  state_->obstacles.set_values(model);
  state_->surfaces.set_rest(model.mesh.nodes);
  state_->ties.set_values(model);
}

std::vector<model::ContactKey> Detection::candidates(const StepSpan& step, std::span<const double> x,
                                                     double margin) const {
  std::vector<model::ContactKey> keys;
  state_->obstacles.candidates(step, x, margin, keys);
  state_->surfaces.candidates(step, x, margin, keys);
  state_->ties.remove_tied(keys);
  state_->ties.append(keys);
  return keys;
}

std::vector<model::ContactKey> Detection::missed(const StepSpan& step, std::span<const model::ContactKey> known,
                                                 std::span<const double> x, double tolerance) const {
  std::vector<model::ContactKey> keys;
  state_->surfaces.missed(step, known, x, tolerance, keys);
  state_->ties.remove_tied(keys);
  return keys;
}

std::vector<Geometry> Detection::evaluate(const StepSpan& step, std::span<const model::ContactKey> keys,
                                          std::span<const double> x) const {
  std::vector<Geometry> result(keys.size());
  state_->obstacles.evaluate(step, keys, x, result);
  state_->surfaces.evaluate(step, keys, x, result);
  state_->ties.evaluate(keys, x, result);
  return result;
}

void Detection::pull_back(const StepSpan& step, std::span<const model::ContactKey> keys, std::span<const double> x,
                          std::span<const Geometry> bars, std::span<double> by_x, std::span<double> by_start,
                          std::span<model::ObstacleGradient> by_obstacles, Places places) const {
  state_->obstacles.pull_back(step, keys, x, bars, by_x, by_start, by_obstacles, places);
  state_->surfaces.pull_back(step, keys, x, bars, by_x, by_start, places);
  state_->ties.pull_back(keys, bars, by_x, places);
}

void Detection::pull_back_rest(const StepSpan& step, std::span<const model::ContactKey> keys, std::span<const double> x,
                               std::span<const Geometry> bars, std::span<double> by_rest) const {
  state_->obstacles.pull_back_rest(step, keys, bars, by_rest);
  state_->surfaces.pull_back_rest(step, keys, x, bars, by_rest);
}

}  // namespace proxima::contact
