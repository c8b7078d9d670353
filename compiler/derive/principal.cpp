#include "compiler/derive/principal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/derive/diagonal.hpp"
#include "compiler/derive/probe.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::NodeId;

using Rotation = std::array<long double, 9>;  // row by row

// The rotation of the unit quaternion nearest to four sampled numbers.
Rotation sample_rotation(int sample) {
  Numbers q = free_numbers(sample, 8);
  for (std::size_t k = 0; k < 4; ++k) q[k] -= q[4 + k];  // of both signs
  const long double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const long double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

// In decreasing order; every fourth sample is inverted.
Numbers sample_stretches(int sample) {
  Numbers stretches = sample_numbers(sample, 3);
  std::sort(stretches.rbegin(), stretches.rend());
  if (sample % 4 == 3) stretches[2] = -stretches[2];
  return stretches;
}

// Values for the parameters and further inputs: the defaults scaled by up to a half, inside the bounds.
Numbers sample_rest(const Energy& energy, int sample) {
  const std::size_t count = energy.slots() - energy.strain_components();
  Numbers values = free_numbers(sample + 500, count);
  for (std::size_t k = 0; k < energy.parameters.size(); ++k) {
    const ir::Parameter& parameter = energy.parameters[k];
    const auto value = static_cast<double>(values[k]);
    const double candidates[] = {parameter.default_value * value, parameter.default_value, value,
                                 (parameter.lower + parameter.upper) / 2, parameter.upper - value};
    for (double candidate : candidates) {
      values[k] = static_cast<long double>(candidate);
      if (candidate != 0 && parameter.lower < candidate && candidate < parameter.upper) break;
    }
  }
  return values;
}

Numbers joined(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Numbers deformation(const Rotation& U, const Numbers& stretches, const Rotation& V) {
  Numbers F(9);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) F[3 * i + j] += U[3 * i + k] * stretches[k] * V[3 * j + k];
  return F;
}

bool has_bundle(const ir::Graph& graph) {
  for (std::uint32_t i = 0; i < graph.size(); ++i)
    if (graph.type({i}) == ir::Type::bundle && graph.node({i}).op != ir::Op::loop) return true;
  return false;
}

}  // namespace

std::optional<PrincipalForm> principal_form(const Energy& energy) {
  if (energy.measure != ir::Measure::deformation_gradient) return {};
  constexpr std::uint32_t stretches = PrincipalForm::stretches;
  ir::Graph scratch;
  std::array<NodeId, 3> diagonal;
  for (std::uint32_t k = 0; k < stretches; ++k) diagonal[k] = scratch.input(k);
  std::vector<NodeId> rest;
  for (std::uint32_t slot = energy.strain_components(); slot < energy.slots(); ++slot)
    rest.push_back(scratch.input(slot - energy.strain_components() + stretches));
  const auto roots = at_diagonal(energy.graph, {&energy.density, 1}, scratch, diagonal, rest);
  PrincipalForm form;
  form.psi = ir::transplant(scratch, roots, form.graph).front();
  if (has_bundle(form.graph)) return {};

  ir::Interpreter<long double> full(energy.graph, {&energy.density, 1}), principal(form.graph, {&form.psi, 1});
  const auto psi = [&](const Numbers& at, int sample) {
    return Numbers{principal(joined(at, sample_rest(energy, sample)))[0]};
  };
  const auto Psi = [&](int sample) {
    const Rotation U = sample_rotation(3 * sample), V = sample_rotation(3 * sample + 1);
    return Numbers{full(joined(deformation(U, sample_stretches(sample), V), sample_rest(energy, sample)))[0]};
  };
  if (!agree(Psi, [&](int sample) { return psi(sample_stretches(sample), sample); })) return {};
  for (std::size_t k = 1; k < 3; ++k)
    if (!agree([&](int sample) { return psi(sample_numbers(sample, 3), sample); },
               [&](int sample) {
                 Numbers exchanged = sample_numbers(sample, 3);
                 std::swap(exchanged[0], exchanged[k]);
                 return psi(exchanged, sample);
               }))
      return {};
  return form;
}

}  // namespace proxima::derive
