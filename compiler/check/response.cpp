#include "compiler/check/response.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/trace_value.hpp"

namespace proxima::check {
namespace {

// The direction's slots come after all that the energy has.
std::vector<ir::NodeId> input_nodes(ir::Graph& graph, std::size_t first, Eigen::Index count) {
  std::vector<ir::NodeId> nodes;
  nodes.reserve(static_cast<std::size_t>(count));
  for (Eigen::Index k = 0; k < count; ++k)
    nodes.push_back(graph.input(static_cast<std::uint32_t>(first + static_cast<std::size_t>(k))));
  return nodes;
}

std::vector<ir::NodeId> stress_of(ir::Graph& graph, ir::NodeId energy, Eigen::Index size) {
  return derive::gradient(graph, energy, input_nodes(graph, 0, size));
}

std::vector<ir::NodeId> tangent_of(ir::Graph& graph, const std::vector<ir::NodeId>& stress, std::size_t slots) {
  const auto size = static_cast<Eigen::Index>(stress.size());
  return derive::directional(graph, stress, input_nodes(graph, 0, size), input_nodes(graph, slots, size));
}

Vector as_vector(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

Response::Response(const ir::Energy& energy, std::vector<double> others)
    : size_(energy.strain_components()),
      others_(std::move(others)),
      graph_(energy.graph),
      energy_(energy.density),
      stress_(stress_of(graph_, energy_, size_)),
      tangent_(tangent_of(graph_, stress_, static_cast<std::size_t>(size_) + others_.size())),
      energy_of_(graph_, {&energy_, 1}),
      stress_of_(graph_, stress_),
      tangent_of_(graph_, tangent_) {}

Response Response::after(const ir::Energy& energy, const Vector& previous_strain) const {
  Response other = *this;
  for (std::size_t k = 0; k < energy.inputs.size(); ++k)
    if (energy.inputs[k].kind == ir::InputKind::previous_strain)
      std::ranges::copy(previous_strain, other.others_.begin() + energy.input_slot(k) - energy.strain_components());
  return other;
}

std::vector<double> Response::inputs(const Vector& strain, const Vector& direction) const {
  std::vector<double> all(strain.begin(), strain.end());
  all.insert(all.end(), others_.begin(), others_.end());
  all.insert(all.end(), direction.begin(), direction.end());
  return all;
}

double Response::energy(const Vector& strain) const { return energy_of_(inputs(strain, {}))[0]; }

Vector Response::stress(const Vector& strain) const { return as_vector(stress_of_(inputs(strain, {}))); }

Vector Response::tangent(const Vector& strain, const Vector& direction) const {
  return as_vector(tangent_of_(inputs(strain, direction)));
}

Matrix Response::tangent(const Vector& strain) const {
  Matrix result(size_, size_);
  for (Eigen::Index k = 0; k < size_; ++k) result.col(k) = tangent(strain, Vector::Unit(size_, k));
  return result;
}

std::optional<std::string> Response::energy_not_finite(const Vector& strain) const {
  if (std::isfinite(energy(strain))) return std::nullopt;
  return trace({&energy_, 1}, strain, {});
}

std::optional<std::string> Response::not_finite(const Vector& strain) const {
  if (auto why = energy_not_finite(strain)) return "the energy is not finite: " + *why;
  if (!stress(strain).allFinite()) return "the stress is not finite: " + trace(stress_, strain, {});
  for (Eigen::Index k = 0; k < size_; ++k) {
    const Vector direction = Vector::Unit(size_, k);
    if (!tangent(strain, direction).allFinite())
      return "the Hessian is not finite: " + trace(tangent_, strain, direction);
  }
  return std::nullopt;
}

bool Response::kink(const Vector& strain) const {
  constexpr int tries = 4;
  constexpr double distance = 1e-7, jump = 1e-4;
  const Matrix here = tangent(strain);
  const double size = here.cwiseAbs().maxCoeff();
  for (int k = 0; k < tries; ++k) {
    Vector moved = strain;
    for (Eigen::Index i = 0; i < size_; ++i) moved[i] += distance * std::sin(1 + k + 1.7 * static_cast<double>(i));
    if (!((tangent(moved) - here).cwiseAbs().maxCoeff() <= jump * size)) return true;
  }
  return false;
}

std::string Response::trace(std::span<const ir::NodeId> outputs, const Vector& strain, const Vector& direction) const {
  const auto found = ir::trace_nonfinite(graph_, outputs, inputs(strain, direction));
  return found ? found->text : "";
}

}  // namespace proxima::check
