#include "tests/jit/energy_batches.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>
#include <string>

#include "compiler/ir/interpreter.hpp"
#include "tests/derive/states.hpp"

namespace proxima::jit::testing {
namespace {

using ir::Measure;
using test::Matrix3;
using Positions = std::vector<Eigen::Vector3d>;

void append(Numbers& to, const Numbers& what) { to.insert(to.end(), what.begin(), what.end()); }

Numbers flat(const Positions& positions) {
  Numbers result;
  for (const auto& x : positions) append(result, {x(0), x(1), x(2)});
  return result;
}

// Nodes of a shape at rest, in general position; a hexahedron is the unit cube.
Positions rest_positions(derive::Shape shape) {
  if (shape.corners == 8) {
    Positions cube;
    for (int s = 0; s < 8; ++s) cube.emplace_back(s & 1, s >> 1 & 1, s >> 2 & 1);
    return cube;
  }
  const Positions some = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.3, 0.2, 1.1}, {1.1, 1.2, 0.3}, {-0.4, 0.5, 0.6}};
  Positions result;
  for (std::uint32_t s = 0; s < shape.corners; ++s) result.push_back(some.at(s));
  return result;
}

// Rest gradients of corners 1 on, row by row: of a cube at a quadrature point, of a simplex the inverse of its edges.
Numbers gradients(derive::Shape shape) {
  const Positions X = rest_positions(shape);
  Numbers result;
  if (shape.corners == 8) {
    const Eigen::Vector3d at(0.2113, 0.2113, 0.7887);
    for (std::size_t s = 1; s < 8; ++s)
      for (int j = 0; j < 3; ++j) {
        double gradient = X[s](j) > 0 ? 1 : -1;
        for (int i = 0; i < 3; ++i)
          if (i != j) gradient *= X[s](i) > 0 ? at(i) : 1 - at(i);
        result.push_back(gradient);
      }
    return result;
  }
  const auto d = static_cast<int>(shape.dimension);
  Eigen::MatrixXd edges(d, d);
  for (int s = 0; s < d; ++s) edges.col(s) = (X[static_cast<std::size_t>(s) + 1] - X[0]).head(d);
  const Eigen::MatrixXd inverse = edges.inverse();  // rows g_s
  for (int s = 0; s < d; ++s)
    for (int j = 0; j < d; ++j) result.push_back(inverse(s, j));
  return result;
}

derive::Shape natural_shape(const ir::Energy& energy) { return shapes_of(energy).front(); }

// The strain measure where space is deformed by F.
Numbers strain(const ir::Energy& energy, const Matrix3& F) {
  switch (energy.measure) {
    case Measure::deformation_gradient:
      return test::flat(F);
    case Measure::surface_deformation_gradient:
      return {F(0, 0), F(0, 1), F(1, 0), F(1, 1), F(2, 0), F(2, 1)};
    case Measure::edge_vector:
    case Measure::node_positions:
      break;
  }
  Positions x = rest_positions(natural_shape(energy));
  for (auto& position : x) position = F * position;
  return energy.measure == Measure::edge_vector ? flat({x[1] - x[0]}) : flat(x);
}

Numbers random_numbers(std::size_t count, int seed) {
  Numbers result;
  for (int more = 0; result.size() < count; ++more) append(result, test::flat(test::some_direction(seed + 50 * more)));
  result.resize(count);
  return result;
}

// Fields that strain and element kernels have in common, for element e.
Numbers common_field(const std::string& name, const ir::Energy& energy, std::size_t e) {
  const auto number = static_cast<double>(e);
  if (name == "time_step") return {0.01};
  if (name == "volume" || name == "quadrature_weight") return {0.2};
  if (name == "rest_length") return {1.02};
  if (name == "rest_positions") return flat(rest_positions(natural_shape(energy)));
  const auto parameters = test::parameters_of(energy);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (name == "parameter:" + energy.parameters[k].name) return {parameters[k] * (1 + 0.01 * number)};
  for (const ir::Input& input : energy.inputs) {
    if (name == "direction:" + input.name) {
      const Eigen::Vector3d unit = Eigen::Vector3d(0.6, 0.7 - 0.1 * number, 0.3).normalized();
      return {unit(0), unit(1), unit(2)};
    }
    if (name == "history:" + input.name) {
      Numbers values = input.initial;
      for (double& value : values) value *= 1 + 0.01 * number;
      return values;
    }
    if (name == "history_bar:" + input.name)
      return random_numbers(static_cast<std::size_t>(input.components), static_cast<int>(e) + 7);
  }
  throw std::logic_error("no values for field " + name);
}

// Element e's values go to fields[f], unless the field is uniform and has its values.
void add(Batch& batch, const ir::Kernel& kernel, std::size_t f, std::size_t e, const Numbers& values) {
  if (kernel.inputs[f].access == ir::Access::uniform && e > 0) return;
  if (values.size() != kernel.scalars(kernel.inputs[f]))
    throw std::logic_error("wrong number of values for field " + kernel.inputs[f].name);
  append(batch.fields[f], values);
}

}  // namespace

std::vector<derive::Shape> shapes_of(const ir::Energy& energy) {
  switch (energy.measure) {
    case Measure::deformation_gradient:
      return {{4, 3}, {8, 3}};
    case Measure::surface_deformation_gradient:
      return {{3, 2}};
    case Measure::edge_vector:
      return {{2, 1}};
    case Measure::node_positions:
      return {{energy.stencil, 0}};
  }
  throw std::logic_error("unknown measure");
}

Batch strain_batch(const ir::Kernel& kernel, const ir::Energy& energy) {
  Batch batch;
  const auto states = test::states();
  batch.elements = states.size();
  batch.fields.resize(kernel.inputs.size());
  for (std::size_t e = 0; e < states.size(); ++e)
    for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
      const std::string& name = kernel.inputs[f].name;
      const Matrix3 before = states[e].F * (Matrix3::Identity() + 0.05 * test::some_direction(static_cast<int>(e)));
      add(batch, kernel, f, e,
          name == "strain"             ? strain(energy, states[e].F)
          : name == "previous"         ? strain(energy, before)
          : name == "strain_direction" ? random_numbers(energy.strain_components(), static_cast<int>(e))
                                       : common_field(name, energy, e));
    }
  return batch;
}

bool is_report(const ir::Field& output) { return output.name == "iterations" || output.name == "residual"; }

ir::Kernel without_reports(ir::Kernel step) {
  std::vector<ir::Field> outputs;
  std::vector<ir::NodeId> results;
  std::size_t first = 0;
  for (const ir::Field& field : step.outputs) {
    const auto begin = step.results.begin() + static_cast<std::ptrdiff_t>(first);
    if (!is_report(field)) {
      outputs.push_back(field);
      results.insert(results.end(), begin, begin + field.components);
    }
    first += field.components;
  }
  step.outputs = outputs;
  step.results = results;
  return step;
}

std::vector<Numbers> points_of_step(const ir::Kernel& step, const Batch& batch) {
  std::vector<Numbers> p;
  for (std::size_t e = 0; e < batch.elements; ++e) {
    p.push_back(ir::evaluate<double>(step, inputs_of(step, batch, e, Precision::fp64)));
    p.back().resize(step.outputs.front().components);
  }
  return p;
}

Batch local_step_batch(const ir::Kernel& step, const ir::Energy& energy) {
  return local_step_adjoint_batch(step, energy, {});
}

Batch local_step_adjoint_batch(const ir::Kernel& adjoint, const ir::Energy& energy, const std::vector<Numbers>& p) {
  const ir::Kernel rest_weight = derive::rest_weight(energy);
  Numbers rest;
  for (const ir::Field& field : rest_weight.inputs)
    append(rest, field.name == "previous" ? strain(energy, Matrix3::Identity()) : common_field(field.name, energy, 0));
  const double weight = std::fabs(ir::evaluate<double>(rest_weight, rest)[0]);

  Batch batch;
  const auto states = test::states();
  batch.elements = states.size();
  batch.fields.resize(adjoint.inputs.size());
  for (std::size_t e = 0; e < states.size(); ++e) {
    const int seed = static_cast<int>(e);
    const Matrix3 before = states[e].F * (Matrix3::Identity() + 0.05 * test::some_direction(seed));
    for (std::size_t f = 0; f < adjoint.inputs.size(); ++f) {
      const std::string& name = adjoint.inputs[f].name;
      add(batch, adjoint, f, e,
          name == "strain"     ? strain(energy, states[e].F)
          : name == "previous" ? strain(energy, before)
          : name == "weight"   ? Numbers{weight > 0 ? weight : 1}
          : name == "p"        ? p.at(e)
          : name == "p_bar"    ? random_numbers(energy.strain_components(), seed)
                               : common_field(name, energy, e));
    }
  }
  return batch;
}

Batch element_batch(const ir::Kernel& kernel, const ir::Energy& energy, derive::Shape shape) {
  Batch batch;
  const auto states = test::states();
  batch.elements = states.size();
  batch.fields.resize(kernel.inputs.size());
  const Positions X = rest_positions(shape);
  const auto corners = static_cast<std::int32_t>(shape.corners);
  for (std::size_t e = 0; e < states.size(); ++e) {
    // Nodes are not in the order of the corners: corner s is the element's last node but s.
    for (std::int32_t s = 0; s < corners; ++s)
      batch.nodes.push_back(corners * static_cast<std::int32_t>(e) + corners - 1 - s);
    const auto reversed = [&](Positions positions) { return flat({positions.rbegin(), positions.rend()}); };
    const auto moved = [&](const Matrix3& F) {
      Positions x = X;
      for (auto& position : x) position = F * position + Eigen::Vector3d(0.3, -0.2, 0.5);
      return reversed(x);
    };
    const Matrix3 before = states[e].F * (Matrix3::Identity() + 0.05 * test::some_direction(static_cast<int>(e)));
    for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
      const std::string& name = kernel.inputs[f].name;
      add(batch, kernel, f, e,
          name == "positions"                                ? moved(states[e].F)
          : name == "previous"                               ? moved(before)
          : name == "direction"                              ? random_numbers(3 * shape.corners, static_cast<int>(e))
          : name == "rest"                                   ? reversed(X)
          : name == "gradients" || name == "shape_gradients" ? gradients(shape)
                                                             : common_field(name, energy, e));
    }
  }
  return batch;
}

}  // namespace proxima::jit::testing
