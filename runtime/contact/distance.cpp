#include "runtime/contact/distance.hpp"

#include <algorithm>
#include <utility>

#include "compiler/derive/level_set.hpp"
#include "runtime/contact/batched_function.hpp"
#include "runtime/contact/sampled_distance.hpp"
#include "runtime/contact/surface_distance.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

std::span<const double> numbers_of(std::span<const Vector3> points) {
  return points.empty() ? std::span<const double>() : std::span(points.front().data(), 3 * points.size());
}

// By a function of the language, compiled: gap and normal are its outputs.
class Analytic : public Distance {
 public:
  Analytic(const model::AnalyticDistance& shape, jit::Engine& engine)
      : function_(std::make_shared<const ir::Function>(derive::with_normal(*shape.function)), engine),
        parameters_(shape.parameters) {}

  void set_values(const model::Obstacle& obstacle) override {
    parameters_ = std::get<model::AnalyticDistance>(obstacle.shape).parameters;
  }

  void evaluate(std::span<const Vector3> points, std::span<Nearest> nearest) const override {
    const auto outputs = function_.evaluate(numbers_of(points), parameters_);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double* of = &outputs[4 * k];
      nearest[k] = {of[0], {of[1], of[2], of[3]}};
    }
  }

  void pull_back(std::span<const Vector3> points, std::span<const Nearest> bars, std::span<Vector3> by_point,
                 std::vector<std::vector<double>>* by_parameter) const override {
    std::vector<double> flat;
    flat.reserve(4 * bars.size());
    for (const auto& bar : bars) {
      flat.push_back(bar.gap);
      flat.insert(flat.end(), bar.normal.begin(), bar.normal.end());
    }
    const auto result = function_.pull_back(numbers_of(points), parameters_, flat);
    for (std::size_t k = 0; k < points.size(); ++k) mesh::add(by_point[k], 1, mesh::vector_at(result.inputs, k));
    if (by_parameter == nullptr) return;
    for (std::size_t p = 0; p < by_parameter->size(); ++p)
      for (std::size_t c = 0; c < (*by_parameter)[p].size(); ++c) (*by_parameter)[p][c] += result.parameters[p][c];
  }

 private:
  BatchedFunction function_;
  BatchedFunction::Parameters parameters_;
};

}  // namespace

std::unique_ptr<Distance> make_distance(const model::Obstacle& obstacle, jit::Engine& engine) {
  if (const auto* shape = std::get_if<model::AnalyticDistance>(&obstacle.shape))
    return std::make_unique<Analytic>(*shape, engine);
  if (const auto* field = std::get_if<model::HeightField>(&obstacle.shape)) return make_distance(*field);
  if (const auto* grid = std::get_if<model::DistanceGrid>(&obstacle.shape)) return make_distance(*grid);
  return make_distance(std::get<model::ClosedSurface>(obstacle.shape));
}

}  // namespace proxima::contact
