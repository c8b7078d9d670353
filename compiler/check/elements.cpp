#include "compiler/check/elements.hpp"

#include <cmath>

#include "compiler/check/kernel_list.hpp"

namespace proxima::check {
namespace {

constexpr int random_elements = 24;

using Points = std::vector<Eigen::Vector3d>;

// Rest corners of element number `n`: a simplex of some decimetres, an edge along x, or the stencil at rest.
Points rest_corners(const Context& context, const derive::Shape& shape, double n) {
  const double size = 1 + 0.02 * n;
  if (shape.dimension == 0) {
    Points corners;
    for (Eigen::Index k = 0; k < context.space.vectors(); ++k)
      corners.emplace_back(context.space.rest().segment<3>(3 * k));
    return corners;
  }
  const double l = 0.3 * size;
  const Eigen::Vector3d origin(0.03, 0.06, shape.dimension == 2 ? 0 : 0.09);
  if (shape.dimension == 1) return {origin, origin + Eigen::Vector3d(size, 0, 0)};
  Points corners{origin, origin + l * Eigen::Vector3d(1, 0.1, 0), origin + l * Eigen::Vector3d(0.2, 0.9, 0)};
  if (shape.dimension == 3) {
    corners[1].z() -= 0.2 * l;
    corners.push_back(origin + l * Eigen::Vector3d(-0.1, 0.3, 1.1));
  }
  return corners;
}

std::vector<double> flat(const Points& points) {
  std::vector<double> values;
  for (const auto& point : points) values.insert(values.end(), point.begin(), point.end());
  return values;
}

Points moved(const Points& points, const Matrix3& A) {
  Points result;
  for (const auto& point : points) result.emplace_back(A * point);
  return result;
}

}  // namespace

Elements::Elements(const Context& context) : context_(context), shape_(shape_of(context.energy)) {
  for (const State& state : states()) add(state);
  for (const State& state : random_states(random_elements)) add(state);
}

void Elements::add(const State& state) {
  Element element{context_.fields, context_.space.at(state.A)};
  if (context_.response.not_finite(element.strain)) return;
  const auto number = static_cast<double>(elements_.size());
  const Points rest = rest_corners(context_, shape_, number);
  element.fields["rest"] = flat(rest);
  add_rest_geometry(element.fields, shape_);
  element.fields["strain"] = {element.strain.begin(), element.strain.end()};
  element.fields["weight"] = {local_weight(context_)};
  element.fields["positions"] = flat(moved(rest, state.A));
  element.fields["previous"] = flat(moved(rest, rotation(0.1, 1, 2, 1) * stretch(1.03, 0.99, 0.98)));
  auto& direction = element.fields["direction"];
  for (std::size_t k = 0; k < 3 * rest.size(); ++k)
    direction.push_back(0.03 * std::sin(1 + 2.3 * static_cast<double>(k) + number));
  auto& p_bar = element.fields["p_bar"];
  for (Eigen::Index k = 0; k < element.strain.size(); ++k)
    p_bar.push_back(std::cos(1.9 * static_cast<double>(k) + number));
  elements_.push_back(std::move(element));
}

std::vector<std::vector<double>> Elements::proximal_points() const {
  const std::vector<bool> uniform(context_.parameters.size(), false);
  const ir::Kernel step = derive::local_step(context_.energy, derive::LocalForm::proximal, uniform);
  ir::Interpreter<double> interpreter(step.graph, step.results);
  std::vector<std::vector<double>> points;
  for (const Element& element : elements_) {
    const auto results = interpreter(inputs_of(step, element.fields));
    points.emplace_back(results.begin(), results.begin() + element.strain.size());
  }
  return points;
}

Batch Elements::batch(const ir::Kernel& kernel, std::size_t count) const {
  Batch batch{.elements = count, .fields = {}};
  for (const ir::Field& field : kernel.inputs) {
    auto& values = batch.fields.emplace_back();
    const auto points = field.name == "p" ? proximal_points() : std::vector<std::vector<double>>();
    const std::size_t copies = field.access == ir::Access::uniform ? 1 : count;
    for (std::size_t e = 0; e < copies; ++e) {
      const std::size_t number = e % elements_.size();
      const auto& of_element = field.name == "p" ? points[number] : elements_[number].fields.at(field.name);
      values.insert(values.end(), of_element.begin(), of_element.end());
    }
  }
  return batch;
}

}  // namespace proxima::check
