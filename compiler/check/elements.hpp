// Elements for trying kernels on: the simplest shape of the energy, in sizes that differ, brought into the states by
// moving its corners. Internal to the room.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/check/batch.hpp"
#include "compiler/check/context.hpp"
#include "compiler/derive/derive.hpp"

namespace proxima::check {

// From "rest", the rest positions of a simplex or stencil, what kernels take of them: "rest_positions", and by the
// dimension "rest_length" or "gradients" (of corners 1 on, row by row) and "volume". A triangle's tangent frame begins
// along its first edge.
template <class Number>
void add_rest_geometry(std::map<std::string, std::vector<Number>>& fields, const derive::Shape& shape) {
  using Point = Eigen::Matrix<Number, 3, 1>;
  using Square = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  const auto& rest = fields["rest_positions"] = fields.at("rest");
  const auto side = [&](std::size_t corner) -> Point {
    return {rest[3 * corner] - rest[0], rest[3 * corner + 1] - rest[1], rest[3 * corner + 2] - rest[2]};
  };
  if (shape.dimension == 1) fields["rest_length"] = {side(1).norm()};
  if (shape.dimension < 2) return;
  Eigen::Matrix<Number, 3, 3> frame = Eigen::Matrix<Number, 3, 3>::Identity();  // tangents, normal in rows
  if (shape.dimension == 2) {
    frame.row(0) = side(1).normalized();
    frame.row(2) = side(1).cross(side(2)).normalized();
    frame.row(1) = frame.row(2).cross(frame.row(0));
  }
  const Eigen::Index d = shape.dimension;
  Square edges(d, d);
  for (Eigen::Index k = 0; k < d; ++k) edges.col(k) = (frame * side(static_cast<std::size_t>(k) + 1)).head(d);
  const Square gradients = edges.inverse();
  auto& rows = fields["gradients"];
  rows.clear();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j) rows.push_back(gradients(i, j));
  fields["volume"] = {edges.determinant() / (d == 3 ? 6 : 2)};
}

class Elements {
 public:
  // Those states in which the energy is finite.
  explicit Elements(const Context& context);

  std::size_t size() const { return elements_.size(); }
  const Vector& strain(std::size_t element) const { return elements_[element].strain; }
  const Fields& fields(std::size_t element) const { return elements_[element].fields; }  // by the kernels' names

  // Inputs of the kernel for `count` elements, which are these over and over. Of kernels of the strain too: "p" is the
  // point of the proximal step.
  Batch batch(const ir::Kernel& kernel, std::size_t count) const;

 private:
  struct Element {
    Fields fields;  // all corners' values, for nodal fields
    Vector strain;
  };
  void add(const State& state);
  std::vector<std::vector<double>> proximal_points() const;

  const Context& context_;
  const derive::Shape shape_;
  std::vector<Element> elements_;
};

}  // namespace proxima::check
