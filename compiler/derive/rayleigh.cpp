// Stiffness-proportional damping as a potential of dissipation, from the curvature of an energy at rest.
#include <cmath>
#include <stdexcept>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/exact_quotients.hpp"
#include "compiler/derive/kernel_builder.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::InputKind;
using ir::Measure;
using ir::NodeId;

// Declares the inputs of the dissipation and maps those of the energy to nodes of its graph.
class Builder {
 public:
  explicit Builder(const Energy& energy) : energy_(energy) {
    result_.name = energy.name + " (Rayleigh damping)";
    result_.file = energy.file;
    result_.measure = energy.measure;
    result_.dissipation = true;
    result_.parameters = energy.parameters;
    result_.parameters.push_back({.name = rayleigh_stiffness,
                                  .unit = "s",
                                  .default_value = 0,
                                  .lower = -INFINITY,
                                  .upper = INFINITY,
                                  .where = {}});
    for (const ir::Input& input : energy.inputs)
      if (input.kind != InputKind::history && input.kind != InputKind::previous_strain) result_.inputs.push_back(input);
    require(InputKind::previous_strain, "previous", energy.strain_components());
    require(InputKind::time_step, "time_step", 1);
    if (energy.measure == Measure::edge_vector) require(InputKind::rest_length, "rest_length", 1);
  }

  Energy build() {
    const std::vector<Expression> rate = strain_rate();
    const std::vector<Expression> stress = stress_at_rest(rate);
    Expression power = rate[0] * stress[0];
    for (std::size_t k = 1; k < rate.size(); ++k) power = power + rate[k] * stress[k];
    const Expression beta = input(result_.parameter_slot(result_.parameters.size() - 1));
    result_.density = (0.5 * beta * power).node;
    return std::move(result_);
  }

 private:
  Expression input(std::uint32_t slot) { return {&result_.graph, result_.graph.input(slot)}; }
  Expression constant(double value) { return {&result_.graph, result_.graph.constant(value)}; }

  void require(InputKind kind, const char* name, std::uint32_t components) {
    if (result_.find(kind) == nullptr)
      result_.inputs.push_back(
          {.kind = kind, .name = name, .components = components, .initial = {}, .update = {}, .where = {}});
  }
  Expression of_input(InputKind kind, std::uint32_t component = 0) {
    for (std::size_t k = 0; k < result_.inputs.size(); ++k)
      if (result_.inputs[k].kind == kind) return input(result_.input_slot(k) + component);
    throw std::logic_error("an input of Rayleigh damping is not declared");
  }
  std::uint32_t columns() const { return energy_.strain_components() / 3; }

  // A strain that no rotation changes, of the measure at `slot(k)`: F^T F / 2; the squared length over twice the rest
  // length of an edge. As components of the measure itself, symmetric at rest.
  template <class Component>
  std::vector<Expression> strain(Component component) {
    const std::uint32_t n = columns();
    std::vector<Expression> result(energy_.strain_components(), constant(0));
    if (energy_.measure == Measure::edge_vector) {
      const Expression squared =
          component(0) * component(0) + component(1) * component(1) + component(2) * component(2);
      result[0] = squared / (2 * of_input(InputKind::rest_length));
      return result;
    }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        result[i * n + j] = 0.5 * (component(i) * component(j) + component(n + i) * component(n + j) +
                                   component(2 * n + i) * component(2 * n + j));
    return result;
  }

  std::vector<Expression> strain_rate() {
    const auto now = strain([&](std::uint32_t k) { return input(k); });
    const auto before = strain([&](std::uint32_t k) { return of_input(InputKind::previous_strain, k); });
    std::vector<Expression> result;
    result.reserve(now.size());
    for (std::size_t k = 0; k < now.size(); ++k)
      result.push_back((now[k] - before[k]) / of_input(InputKind::time_step));
    return result;
  }

  // Nodes of the result's graph for the strain at rest.
  Nodes rest() {
    Nodes result(energy_.strain_components(), result_.graph.constant(0));
    if (energy_.measure == Measure::edge_vector) {
      result[0] = of_input(InputKind::rest_length).node;
    } else {
      for (std::uint32_t i = 0; i < columns(); ++i) result[i * columns() + i] = result_.graph.constant(1);
    }
    return result;
  }

  // What stands for each slot of the energy's graph: rest, the parameters, its inputs.
  Nodes slots() {
    Nodes result = rest();
    for (std::size_t k = 0; k < energy_.parameters.size(); ++k)
      result.push_back(result_.graph.input(result_.parameter_slot(k)));
    std::size_t kept = 0;
    for (const ir::Input& declared : energy_.inputs) {
      if (declared.kind == InputKind::previous_strain) {
        const Nodes nodes = rest();
        result.insert(result.end(), nodes.begin(), nodes.end());
      } else if (declared.kind == InputKind::history) {
        for (const double value : declared.initial) result.push_back(result_.graph.constant(value));
      } else {
        const std::uint32_t first = result_.input_slot(kept++);
        for (std::uint32_t c = 0; c < declared.components; ++c) result.push_back(result_.graph.input(first + c));
      }
    }
    return result;
  }

  // The second derivative of the density by the strain at rest, applied to `rate`.
  std::vector<Expression> stress_at_rest(const std::vector<Expression>& rate) {
    ir::Graph formulas = energy_.graph;
    Nodes strain, along;
    for (std::uint32_t k = 0; k < energy_.strain_components(); ++k) {
      strain.push_back(formulas.input(k));
      along.push_back(formulas.input(energy_.slots() + k));
    }
    const Nodes density = with_exact_quotients(formulas, {&energy_.density, 1});
    const Nodes curved = directional(formulas, gradient(formulas, density[0], strain), strain, along);
    Nodes arguments = slots();
    for (const Expression& component : rate) arguments.push_back(component.node);
    std::vector<Expression> result;
    for (const NodeId node : ir::transplant(formulas, curved, result_.graph, arguments))
      result.push_back({&result_.graph, node});
    return result;
  }

  const Energy& energy_;
  Energy result_;
};

}  // namespace

Energy rayleigh_dissipation(const Energy& energy) {
  if (energy.measure == Measure::node_positions)
    fail(
        "the energy '{}' is a function of the positions of {} nodes, which has no strain that rotations leave alone: "
        "it cannot have damping by its stiffness",
        energy.name, energy.stencil);
  // The potential would be right, its derivative by that parameter would not.
  if (const std::string name = parameter_of_closest_points(energy); !name.empty())
    fail(
        "the energy '{}' has a parameter, '{}', that moves a closest point, by which its stiffness at rest has no "
        "derivative: it cannot have damping by its stiffness",
        energy.name, name);
  return Builder(energy).build();
}

}  // namespace proxima::derive
