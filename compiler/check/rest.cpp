// Parameters, and the state at rest: value, stress, Hessian, and what it linearises to.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::check {
namespace {

constexpr double tolerance = Rest::tolerance;
constexpr double rounding = 1e-13;

std::string unit_or_one(const std::string& unit) { return unit.empty() ? "1" : unit; }

// The rest shape is the check's own choice, and what is found there may be wrong for it alone.
bool rest_is_chosen(const Context& context) {
  return context.is(stencil) && context.energy.find(ir::InputKind::rest_positions) == nullptr;
}
Severity at_rest(const Context& context) { return rest_is_chosen(context) ? Severity::warning : Severity::error; }

void check_shape(Context& context) {
  if (!context.is(stencil)) return;
  context.fact("shape", "rest shape that is tried", context.space.text(context.space.rest()));
  if (context.space.shape() == RestShape::general) return;
  context.find(Severity::warning, context.space.rest(),
               "at rest the stress is zero where the nodes lie {}, but not in general: a body that is {} at rest would "
               "move although nothing loads it",
               context.space.shape() == RestShape::flat ? "in a plane" : "on a line",
               context.space.shape() == RestShape::flat ? "not flat" : "not straight");
}

void check_stress(Context& context, const Rest& rest) {
  const double largest = rest.stress.cwiseAbs().maxCoeff();
  context.fact("stress", "largest stress", largest, context.stress_unit);
  if (largest <= tolerance * rest.scale) return;
  context.find(at_rest(context), context.space.rest(),
               "at rest the stress is not zero but {:.4g} {}, {:.3g} of the stiffness: a body would move although "
               "nothing loads it{}",
               largest, context.stress_unit, largest / rest.scale,
               rest_is_chosen(context)
                   ? fmt::format("; at rest stands for {}, since the energy does not contain rest_positions<{}>()",
                                 context.space.text(context.space.rest()), context.space.vectors())
                   : "");
}

void check_hessian(Context& context, const Rest& rest) {
  const double asymmetry = (rest.hessian - rest.hessian.transpose()).cwiseAbs().maxCoeff() / rest.scale;
  context.fact("hessian_asymmetry", "asymmetry of the Hessian, relative", asymmetry);
  if (asymmetry > tolerance)
    context.find(Severity::error, context.space.rest(),
                 "the Hessian at rest is not symmetric (relative {:.2g}): it is not the derivative of a gradient",
                 asymmetry);

  const Eigen::SelfAdjointEigenSolver<Matrix> solver((rest.hessian + rest.hessian.transpose()) / 2);
  const Vector& eigenvalues = solver.eigenvalues();
  std::vector<double> shown;
  for (const double value : eigenvalues) shown.push_back(std::fabs(value) < rounding * context.rest.scale ? 0 : value);
  context.fact("hessian_eigenvalues", "eigenvalues of the Hessian", shown, context.stiffness_unit);
  const bool semidefinite = eigenvalues[0] >= -tolerance * rest.scale;
  context.fact("positive_semidefinite", "positive semi-definite", semidefinite);
  if (!semidefinite)
    context.find(at_rest(context), context.space.rest() + 0.1 * solver.eigenvectors().col(0),
                 "the Hessian at rest is not positive semi-definite: its smallest eigenvalue is {:.4g} {}, so the rest "
                 "state is unstable; moving towards {} lowers the energy",
                 eigenvalues[0], context.stiffness_unit,
                 context.space.text(context.space.rest() + 0.1 * solver.eigenvectors().col(0)));

  if (context.energy.dissipation) return;  // may well leave some motions alone
  const auto flat = (eigenvalues.array().abs() <= tolerance * rest.scale).count();
  const auto rigid = rigid_motions(context.space).fullPivLu().rank();
  if (semidefinite && flat > rigid)
    context.find(
        Severity::note, context.space.rest(),
        "at rest, {} independent strains besides rigid motions meet no resistance at first; alone, this energy does "
        "not hold a body together",
        flat - rigid);
}

void check_linearisation(Context& context, const Rest& rest) {
  if (context.is(edge)) {
    if (rest.moduli)
      context.fact("stiffness", "stiffness along the edge", rest.moduli->youngs_modulus, context.stiffness_unit);
    return;
  }
  context.fact("linear_isotropic", "isotropic at first order", rest.moduli.has_value());
  if (!rest.moduli) return;
  context.fact("lambda", "Lame's first parameter lambda", rest.moduli->lambda, context.stiffness_unit);
  context.fact("mu", "shear modulus mu", rest.moduli->mu, context.stiffness_unit);
  context.fact("youngs_modulus", "Young's modulus E", rest.moduli->youngs_modulus, context.stiffness_unit);
  context.fact("poissons_ratio", "Poisson's ratio nu", rest.moduli->poissons_ratio);

  // Parameters that bear these names promise these values.
  const auto promised = [&](std::string_view name, const std::string& unit, double value) {
    for (std::size_t k = 0; k < context.parameters.size(); ++k) {
      const ir::Parameter& parameter = context.energy.parameters[k];
      if (parameter.name != name || parameter.unit != unit) continue;
      if (std::fabs(context.parameters[k] - value) <= 1e-6 * std::fabs(value)) continue;
      context.find(Severity::warning, context.space.rest(),
                   "parameter {} is {:g}, but for small strains the material behaves as if {} were {:.6g}", name,
                   context.parameters[k], name, value);
    }
  };
  promised("E", context.stiffness_unit, rest.moduli->youngs_modulus);
  promised("nu", "", rest.moduli->poissons_ratio);
}

// Values on both sides of the chosen one and well inside the bounds.
std::vector<double> other_values(const ir::Parameter& parameter, double value) {
  std::vector<double> others;
  for (const double factor : {0.5, 2.0}) {
    const double moved = value != 0 ? value * factor : factor - 1;
    const double bound = moved < value ? parameter.lower : parameter.upper;
    others.push_back(std::isfinite(bound) ? value + 0.8 * (bound - value) : moved);
  }
  return others;
}

void check_other_parameters(Context& context) {
  for (std::size_t k = 0; k < context.parameters.size(); ++k) {
    const ir::Parameter& parameter = context.energy.parameters[k];
    for (const double value : other_values(parameter, context.parameters[k])) {
      Fields fields = context.fields;
      fields[derive::field_name(parameter)] = {value};
      const Rest other = rest_of(context.space, Response(context.energy, other_inputs(context.energy, fields)));
      if (other.not_finite) {
        context.find(Severity::warning, context.space.rest(), "with {} = {:g}, which is allowed, at rest {}",
                     parameter.name, value, *other.not_finite);
      } else if (!other.free_of_stress()) {
        context.find(Severity::note, context.space.rest(), "with {} = {:g} there is a stress at rest, {:.4g} {}",
                     parameter.name, value, other.stress.cwiseAbs().maxCoeff(), context.stress_unit);
        break;
      }
    }
  }
}

// In the energy or in what its histories become: a yield stress may be in the return mapping alone.
bool matters(const ir::Energy& energy, std::size_t parameter) {
  const std::vector<bool> live = ir::live_nodes(energy.graph, ir::roots_of(energy));
  const auto slot = energy.parameter_slot(parameter);
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (const ir::Node& node = energy.graph.node({i}); live[i] && node.op == ir::Op::input && node.payload == slot)
      return true;
  return false;
}

}  // namespace

void check_parameters(Context& context) {
  const bool updates = context.energy.find(ir::InputKind::history) != nullptr;
  Table& table = context.table("parameters", {"name", "unit", "value", "default", "above", "below", "signal"});
  for (std::size_t k = 0; k < context.parameters.size(); ++k) {
    const ir::Parameter& parameter = context.energy.parameters[k];
    table.rows.push_back({parameter.name, unit_or_one(parameter.unit), context.parameters[k], parameter.default_value,
                          parameter.lower, parameter.upper, parameter.varies_in_time});
    if (!matters(context.energy, k))
      context.find(Severity::warning, {}, "parameter {} has no influence: the energy does not contain it{}",
                   parameter.name, updates ? ", nor does the update rule of a history" : "");
  }
  if (context.energy.inputs.empty()) return;
  Table& inputs = context.table("inputs", {"input", "numbers", "value"});
  for (const ir::Input& input : context.energy.inputs)
    inputs.rows.push_back({derive::field_name(input), static_cast<double>(input.components),
                           context.fields.at(derive::field_name(input))});
}

void check_rest(Context& context) {
  const Rest& rest = context.rest;
  if (rest.not_finite) {
    context.find(Severity::error, context.space.rest(), "at rest {}", *rest.not_finite);
    return;
  }
  context.fact("energy", "energy density", rest.energy, context.density_unit);
  if (std::fabs(rest.energy) > tolerance * rest.scale)
    context.find(Severity::note, context.space.rest(),
                 "the energy at rest is {:.4g} {}, not zero; it moves nothing, but energies are reported with it",
                 rest.energy, context.density_unit);
  check_shape(context);
  check_stress(context, rest);
  check_hessian(context, rest);
  if (!context.is(stencil) && !context.energy.dissipation) check_linearisation(context, rest);
  context.fact("weight", "weight in the matrix of projective dynamics", context.weight, context.stiffness_unit);
  if (rest.free_of_stress()) check_other_parameters(context);
}

}  // namespace proxima::check
