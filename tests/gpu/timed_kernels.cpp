#include "tests/gpu/timed_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "compiler/check/kernel_list.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/jit/energy_batches.hpp"

namespace proxima::gpu {
namespace {

using emit::Precision;
using jit::testing::Batch;
using Numbers = std::vector<double>;

struct Row {
  const char* energy;
  const char* kernel;
  bool single = false;  // timed in single precision, too
  bool rival = false;   // hand_written_ENERGY_KERNEL
  double at_most = 0;
};
constexpr Row rows[] = {
    {"neo_hookean", "forces", true, true, 1.15},
    {"neo_hookean", "hessian_vector", true, true, 1.15},
    {"neo_hookean", "hessian_vector_clamped"},
    {"neo_hookean", "pull_back"},
    {"neo_hookean", "rest_pull_back"},
    {"neo_hookean", "proximal_step", true, false, 4},
    {"neo_hookean", "proximal_step_adjoint"},
    {"stable_neo_hookean", "forces", true, true, 1.15},
    {"stable_neo_hookean", "hessian_vector", true, true, 1.15},
    {"stable_neo_hookean", "hessian_vector_clamped"},
    {"stable_neo_hookean", "pull_back"},
    {"stable_neo_hookean", "proximal_step", false, false, 4},
    {"stable_neo_hookean", "proximal_step_adjoint"},
    {"corotated", "forces", true},
    {"corotated", "hessian_vector"},
    {"corotated", "pull_back"},
    {"corotated", "proximal_step", false, false, 4},
    {"corotated", "proximal_step_adjoint"},
    {"diffpd_corotated", "projective_step"},
    {"diffpd_corotated", "projective_step_adjoint"},
    {"hencky", "forces"},
    {"hencky", "hessian_vector"},
    {"holzapfel_gasser_ogden", "forces"},
    {"holzapfel_gasser_ogden", "hessian_vector"},
    {"holzapfel_gasser_ogden", "hessian_vector_clamped"},
};

// F of each element, from nodal vectors.
Numbers strains(const bench::Grid& grid, const Numbers& x) {
  Numbers result;
  result.reserve(9 * grid.elements());
  for (std::size_t e = 0; e < grid.elements(); ++e) {
    const auto at = [&](std::size_t corner, std::size_t i) {
      return x[3 * static_cast<std::size_t>(grid.nodes[4 * e + corner]) + i];
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double sum = 0;
        for (std::size_t s = 0; s < 3; ++s) sum += (at(s + 1, i) - at(0, i)) * grid.gradients[9 * e + 3 * s + j];
        result.push_back(sum);
      }
  }
  return result;
}

double rest_weight_of(const ir::Energy& energy) {
  const ir::Kernel kernel = derive::rest_weight(energy);
  Numbers inputs;
  for (const ir::Parameter& parameter : energy.parameters) inputs.push_back(parameter.default_value);
  return ir::evaluate<double>(kernel, inputs)[0];
}

// The values of one field for all elements. Points p of a local step are those of the strains themselves, whose cost is
// that of any others.
Numbers values_of(const ir::Field& field, const ir::Energy& energy, const bench::Grid& grid) {
  const auto repeated = [&](const Numbers& values) {
    Numbers all;
    for (std::size_t e = 0; e < grid.elements(); ++e) all.insert(all.end(), values.begin(), values.end());
    return all;
  };
  if (field.name == "positions") return grid.positions;
  if (field.name == "rest") return grid.rest;
  if (field.name == "direction") return grid.direction;
  if (field.name == "gradients") return grid.gradients;
  if (field.name == "volume") return grid.volume;
  if (field.name == "strain" || field.name == "p") return strains(grid, grid.positions);
  if (field.name == "p_bar") return strains(grid, grid.direction);
  if (field.name == "weight") return repeated({rest_weight_of(energy)});
  for (const ir::Parameter& parameter : energy.parameters)
    if (field.name == derive::field_name(parameter)) return {parameter.default_value};
  for (const ir::Input& input : energy.inputs)
    if (field.name == derive::field_name(input)) return repeated(input.initial);
  throw std::logic_error("no values for field " + field.name);
}

Batch batch_of(const ir::Kernel& kernel, const ir::Energy& energy, const bench::Grid& grid) {
  Batch batch;
  batch.elements = grid.elements();
  if (kernel.corners > 0) batch.nodes = grid.nodes;
  for (const ir::Field& field : kernel.inputs) batch.fields.push_back(values_of(field, energy, grid));
  return batch;
}

// mu and lambda of the hand-written kernels.
Numbers model_parameters(const ir::Energy& energy) {
  const double E = energy.parameters.at(0).default_value, nu = energy.parameters.at(1).default_value;
  const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  return {mu, energy.name == "stable_neo_hookean" ? lambda + mu : lambda};
}

// The rotation of each element's strain.
ir::Kernel polar_kernel() {
  ir::Kernel kernel;
  kernel.name = "polar.rotation";
  kernel.corners = 4;
  kernel.inputs = {{"positions", ir::Access::nodal, 3}, {"gradients", ir::Access::element, 9}};
  kernel.outputs = {{"rotation", ir::Access::element, 9}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  std::array<ir::NodeId, 9> F{};
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < 3; ++j) {
      ir::Expression sum = (in(3 + i) - in(i)) * in(12 + j);
      for (std::uint32_t s = 1; s < 3; ++s) sum = sum + (in(3 * (s + 1) + i) - in(i)) * in(12 + 3 * s + j);
      F[3 * i + j] = sum.node;
    }
  const ir::NodeId bundle = kernel.graph.apply(ir::Op::polar, F);
  for (std::uint32_t k = 0; k < 9; ++k) kernel.results.push_back(kernel.graph.part(bundle, k));
  return kernel;
}

}  // namespace

void for_each_timed(const std::vector<ir::Energy>& energies, const bench::Grid& grid,
                    const std::function<void(const TimedKernel&)>& visit) {
  for (const Row& row : rows) {
    const auto energy = std::ranges::find(energies, row.energy, &ir::Energy::name);
    if (energy == energies.end()) continue;
    auto kernels = check::run_kernels(*energy);
    const auto named = std::ranges::find(kernels, row.kernel, &check::NamedKernel::name);
    if (named == kernels.end()) throw std::logic_error(fmt::format("{} has no kernel {}", row.energy, row.kernel));
    TimedKernel timed{.title = fmt::format("{}, {}", row.energy, row.kernel),
                      .precision = Precision::fp64,
                      .kernel = named->kernel,
                      .batch = batch_of(named->kernel, *energy, grid),
                      .rival = row.rival ? fmt::format("hand_written_{}_{}", row.energy, row.kernel) : "",
                      .parameters = row.rival ? model_parameters(*energy) : Numbers{},
                      .at_most = row.at_most};
    visit(timed);
    if (!row.single) continue;
    timed.precision = Precision::fp32;
    timed.at_most = 0;  // targets are those in double precision
    visit(timed);
  }
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    TimedKernel polar{.title = "polar rotation",
                      .precision = precision,
                      .kernel = polar_kernel(),
                      .batch = {.elements = grid.elements(), .nodes = grid.nodes, .fields = {}},
                      .rival = "hand_written_polar",
                      .parameters = {},
                      .at_most = precision == Precision::fp64 ? 1.3 : 0};
    polar.batch.fields = {grid.positions, grid.gradients};
    visit(polar);
  }
}

double bytes_of(const TimedKernel& timed) {
  const ir::Kernel& kernel = timed.kernel;
  const std::vector<bool> live = ir::live_nodes(kernel.graph, kernel.results);
  std::set<std::uint64_t> slots;
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (live[i] && kernel.graph.node({i}).op == ir::Op::input) slots.insert(kernel.graph.node({i}).payload);
  const double number = timed.precision == Precision::fp64 ? 8 : 4,
               elements = static_cast<double>(timed.batch.elements);
  double bytes = 4.0 * kernel.corners;
  std::uint64_t slot = 0;
  for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
    const ir::Field& field = kernel.inputs[f];
    const std::uint64_t end = slot + kernel.scalars(field);
    const auto used = std::distance(slots.lower_bound(slot), slots.lower_bound(end));
    slot = end;
    if (field.access == ir::Access::element) bytes += number * static_cast<double>(used);
    if (field.access == ir::Access::nodal && used > 0)
      bytes += number * static_cast<double>(timed.batch.fields[f].size()) / elements;
  }
  for (const ir::Field& field : kernel.outputs) bytes += number * field.components;
  return bytes;
}

}  // namespace proxima::gpu
