#include "compiler/check/context.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/support/error.hpp"

namespace proxima::check {
namespace {

std::vector<double> chosen_parameters(const ir::Energy& energy, const Options& options) {
  std::vector<double> values = options.parameters;
  if (values.empty())
    for (const ir::Parameter& parameter : energy.parameters) values.push_back(parameter.default_value);
  if (values.size() != energy.parameters.size())
    fail("energy '{}': {} parameters are given, it has {}", energy.name, values.size(), energy.parameters.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const ir::Parameter& parameter = energy.parameters[k];
    if (!(values[k] > parameter.lower && values[k] < parameter.upper))
      fail("energy '{}': parameter '{}' is {}, it must be above {} and below {}", energy.name, parameter.name,
           values[k], parameter.lower, parameter.upper);
  }
  return values;
}

// H dF = 2 mu sym(dF) + lambda tr(dF) 1, where the Hessian has that form to within rounding; in a membrane of the part
// of dF in the plane.
std::optional<Moduli> moduli_of(const Space& space, const Matrix& hessian) {
  const auto d = space.vectors();
  const auto at = [&](Eigen::Index i, Eigen::Index k) { return space.index(k, i); };
  constexpr double tolerance = 1e-8;
  Moduli moduli;
  if (space.measure() == ir::Measure::node_positions) return std::nullopt;
  if (space.measure() == ir::Measure::edge_vector) {
    moduli.youngs_modulus = hessian(0, 0);
    if (!(moduli.youngs_modulus > 0)) return std::nullopt;
    return moduli;
  }
  moduli.lambda = hessian(at(0, 0), at(1, 1));
  moduli.mu = hessian(at(0, 1), at(0, 1));
  Matrix expected = Matrix::Zero(space.size(), space.size());
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j) {
      expected(at(i, i), at(j, j)) += moduli.lambda;
      expected(at(i, j), at(i, j)) += moduli.mu;
      expected(at(i, j), at(j, i)) += moduli.mu;
    }
  if (!((hessian - expected).norm() <= tolerance * hessian.norm()) || !(moduli.mu > tolerance * hessian.norm()))
    return std::nullopt;
  // Strain along one axis with the others free of stress, in d dimensions.
  const double others = moduli.lambda * static_cast<double>(d - 1) + 2 * moduli.mu;
  moduli.poissons_ratio = moduli.lambda / others;
  moduli.youngs_modulus = 2 * moduli.mu * (1 + moduli.poissons_ratio);
  return moduli;
}

double weight_of(const ir::Energy& energy, const Fields& fields) {
  const ir::Kernel kernel = derive::rest_weight(energy);
  return ir::evaluate<double>(kernel, inputs_of(kernel, fields))[0];
}

}  // namespace

Rest rest_of(const Space& space, const Response& response) {
  Rest rest;
  rest.energy = response.energy(space.rest());
  rest.stress = response.stress(space.rest());
  rest.hessian = response.tangent(space.rest());
  rest.not_finite = response.not_finite(space.rest());
  if (rest.not_finite) return rest;
  rest.moduli = moduli_of(space, rest.hessian);
  rest.scale = rest.hessian.cwiseAbs().maxCoeff();
  if (rest.scale > 0) return rest;
  for (const State& state : states()) {  // flat at rest, as a barrier is
    const double stress = response.stress(space.at(state.A)).cwiseAbs().maxCoeff();
    if (std::isfinite(stress)) rest.scale = std::max(rest.scale, stress);
  }
  return rest;
}

namespace {

// Of a stencil the first shape that is free of stress: bending is often written for what is flat or straight at rest.
Space space_at_rest(const ir::Energy& energy, const std::vector<double>& parameters) {
  if (energy.measure == ir::Measure::node_positions)
    for (const RestShape shape : {RestShape::general, RestShape::flat, RestShape::straight}) {
      const Space space(energy, shape);
      const Response response(energy, other_inputs(energy, fields_at_rest(energy, space, parameters)));
      if (rest_of(space, response).free_of_stress()) return space;
    }
  return Space(energy);
}

}  // namespace

Context::Context(const ir::Energy& the_energy, jit::Engine& the_engine, const Options& the_options, Report& the_report)
    : energy(the_energy),
      engine(the_engine),
      options(the_options),
      parameters(chosen_parameters(energy, options)),
      space(space_at_rest(energy, parameters)),
      fields(fields_at_rest(energy, space, parameters)),
      response(energy, other_inputs(energy, fields)),
      rest(rest_of(space, response)),
      weight(weight_of(energy, fields)),
      density_unit(check::density_unit(energy)),
      stress_unit(check::stress_unit(energy)),
      stiffness_unit(check::stiffness_unit(energy)),
      report(the_report) {}

double local_weight(const Context& context) {
  if (context.weight > 0) return context.weight;
  return context.rest.scale > 0 ? context.rest.scale : 1;
}

void Context::fact(std::string key, std::string label, Value value, std::string unit) {
  section->facts.push_back({std::move(key), std::move(label), std::move(value), std::move(unit)});
}

Table& Context::table(std::string key, std::vector<std::string> columns) {
  section->tables.push_back({std::move(key), std::move(columns), {}});
  return section->tables.back();
}

void Context::add(Severity severity, const Vector& strain, std::string sentence) {
  report.findings.push_back({severity, section->key, std::move(sentence), {strain.begin(), strain.end()}});
}

}  // namespace proxima::check
