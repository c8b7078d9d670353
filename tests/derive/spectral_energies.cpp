#include "tests/derive/spectral_energies.hpp"

#include <cmath>

namespace proxima::test {

using ir::NodeId;
using ir::Op;
using E = ir::Expression;

namespace {

E log(E x) { return x.apply(Op::log); }
E sqrt(E x) { return x.apply(Op::sqrt); }
E pow(E x, double p) { return x.apply(Op::pow, {x.constant(p)}); }
E square(E x) { return x * x; }

template <std::size_t n>
std::array<NodeId, n> nodes_of(const std::array<E, n>& expressions) {
  std::array<NodeId, n> nodes;
  for (std::size_t k = 0; k < n; ++k) nodes[k] = expressions[k].node;
  return nodes;
}

E part(ir::Graph* graph, NodeId bundle, std::uint32_t k) { return {graph, graph->part(bundle, k)}; }

E arap(const F9& F) {
  const auto s = singular_values(F);
  return 0.5 * (square(s[0] - 1) + square(s[1] - 1) + square(s[2] - 1));
}

E arap_polar(const F9& F) {
  const auto R = polar_of(F);
  E sum = 0.5 * square(F[0] - R[0]);
  for (std::size_t k = 1; k < 9; ++k) sum = sum + 0.5 * square(F[k] - R[k]);
  return sum;
}

E corotated(const F9& F) {
  const auto s = singular_values(F);
  return 3 * (square(s[0] - 1) + square(s[1] - 1) + square(s[2] - 1)) + 2.5 * square(s[0] + s[1] + s[2] - 3);
}

E corotated_polar(const F9& F) {  // of tr(R^T F)
  const auto R = polar_of(F);
  E trace = R[0] * F[0];
  for (std::size_t k = 1; k < 9; ++k) trace = trace + R[k] * F[k];
  return 3 * (squared_norm(F) - 2 * trace + 3) + 2.5 * square(trace - 3);
}

E hencky(const F9& F) {
  const auto s = singular_values(F);
  const E a = log(s[0]), b = log(s[1]), c = log(s[2]);
  return 3 * (a * a + b * b + c * c) + 2.5 * square(a + b + c);
}

E hencky_eigen(const F9& F) {
  const auto l = eigenvalues_of_right_cauchy_green(F);
  const E a = 0.5 * log(l[0]), b = 0.5 * log(l[1]), c = 0.5 * log(l[2]);
  return 3 * (a * a + b * b + c * c) + 2.5 * square(a + b + c);
}

E ogden(const F9& F) {
  const auto s = singular_values(F);
  const E J = s[0] * s[1] * s[2];
  E sum = 4 * square(J - 1);
  for (auto [mu, alpha] : {std::pair(2.0, 1.3), {0.5, 5.0}, {-0.3, -2.0}}) {
    const E scale = pow(J, -alpha / 3);
    sum = sum + mu / alpha * (scale * (pow(s[0], alpha) + pow(s[1], alpha) + pow(s[2], alpha)) - 3);
  }
  return sum;
}

// The material of Smith, de Goes and Kim, Stable Neo-Hookean flesh simulation, 2018, without its origin barrier.
E stable_neo_hookean(const F9& F) {
  const auto s = singular_values(F);
  return 1.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) + 2.5 * square(s[0] * s[1] * s[2] - 1.6);
}

E st_venant_kirchhoff(const F9& F) {
  const auto s = singular_values(F);
  const E a = 0.5 * (s[0] * s[0] - 1), b = 0.5 * (s[1] * s[1] - 1), c = 0.5 * (s[2] * s[2] - 1);
  return 3 * (a * a + b * b + c * c) + 2.5 * square(a + b + c);
}

E mixed(const F9& F) {  // stretches with det F and the squared norm from the entries
  const auto s = singular_values(F);
  const E J = determinant(F);
  return squared_norm(F) * (s[0] + s[1] + s[2]) + J * (log(s[0]) + log(s[1]) + log(s[2])) +
         (0.1 * J).apply(Op::exp) * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) +
         (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]).apply(Op::tanh);
}

E with_select(const F9& F) {  // resists stretch beyond 1.05 only, and has a singular branch that is never taken there
  const auto s = singular_values(F);
  E sum = 0.3 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  for (E x : s)
    sum = sum + select(less(1.05, x), square(x - 1.05) * log(x - 1.05), square(square(1.05 - x)) * (1.05 - x));
  return sum;
}

// Gent, A new constitutive relation for rubber, 1996: defined for stretches near 1 only.
E limited(const F9& F) {
  const auto s = singular_values(F);
  const E I1 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], J = s[0] * s[1] * s[2];
  return -0.35 * log(1 - (I1 - 3) / 2.5) - log(J) + 4 * square(J - 1);
}

E fibre(const F9& F) {  // not isotropic
  const E a = 0.6 * F[0] + 0.8 * F[1], b = 0.6 * F[3] + 0.8 * F[4], c = 0.6 * F[6] + 0.8 * F[7];
  return arap(F) + square(a * a + b * b + c * c - 1);
}

E membrane_hencky(const F9& F) {  // of the first two columns: the third stretch is always 0
  F9 surface = F;
  for (std::size_t k : {2, 5, 8}) surface[k] = F[0].constant(0);
  const auto s = singular_values(surface);
  const E a = log(s[0]), b = log(s[1]);
  return 3 * (a * a + b * b) + 2.5 * square(a + b);
}

E largest(const F9& F) {  // of the largest stretch alone: not symmetric as a formula
  return square(singular_values(F)[0] - 1);
}

}  // namespace

ir::Energy energy_of(const std::string& name, const std::function<E(const F9&)>& density,
                     const std::vector<ir::Parameter>& parameters) {
  ir::Energy energy;
  energy.name = name;
  energy.file = "test";
  energy.parameters = parameters;
  F9 F;
  for (std::uint32_t k = 0; k < 9; ++k) F[k] = {&energy.graph, energy.graph.input(k)};
  energy.density = density(F).node;
  return energy;
}

std::array<E, 3> singular_values(const F9& F) {
  const NodeId svd = F[0].graph->apply(Op::svd, nodes_of(F));
  return {part(F[0].graph, svd, 0), part(F[0].graph, svd, 1), part(F[0].graph, svd, 2)};
}

std::array<E, 9> polar_of(const F9& F) {
  const NodeId polar = F[0].graph->apply(Op::polar, nodes_of(F));
  std::array<E, 9> R;
  for (std::uint32_t k = 0; k < 9; ++k) R[k] = part(F[0].graph, polar, k);
  return R;
}

std::array<E, 3> eigenvalues_of_right_cauchy_green(const F9& F) {
  const auto entry = [&](std::size_t i, std::size_t j) {
    return F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
  };
  const std::array C = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  const NodeId eigen = F[0].graph->apply(Op::eigen, nodes_of(C));
  return {part(F[0].graph, eigen, 0), part(F[0].graph, eigen, 1), part(F[0].graph, eigen, 2)};
}

E determinant(const F9& F) {
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

E squared_norm(const F9& F) {
  E sum = F[0] * F[0];
  for (std::size_t k = 1; k < 9; ++k) sum = sum + F[k] * F[k];
  return sum;
}

bool SpectralEnergy::is_smooth_at(const State& state) const {
  if (needs_positive && state.F.determinant() < 1e-5) return false;
  if (name == "largest") return state.name == "general";
  const bool depends_on_sign = name != "stable_neo_hookean" && name != "st_venant_kirchhoff";
  return !depends_on_sign || (state.name != "rank_one" && state.name != "opposite_stretches");
}

std::vector<SpectralEnergy> spectral_energies() {
  std::vector<SpectralEnergy> result;
  const auto add = [&](const char* name, E (*density)(const F9&), bool needs_positive, bool isotropic = true) {
    result.push_back({name, energy_of(name, density), needs_positive, isotropic});
  };
  add("arap", arap, false);
  add("arap_polar", arap_polar, false);
  add("corotated", corotated, false);
  add("corotated_polar", corotated_polar, false);
  add("hencky", hencky, true);
  add("hencky_eigen", hencky_eigen, true);
  add("ogden", ogden, true);
  add("stable_neo_hookean", stable_neo_hookean, false);
  add("st_venant_kirchhoff", st_venant_kirchhoff, false);
  add("mixed", mixed, true);
  add("with_select", with_select, false);
  add("limited", limited, true);
  add("fibre", fibre, false, false);
  add("membrane_hencky", membrane_hencky, true, false);
  add("largest", largest, false);
  return result;
}

SpectralEnergy spectral_energy(const std::string& name) {
  for (SpectralEnergy& energy : spectral_energies())
    if (energy.name == name) return energy;
  throw std::logic_error("no test energy is called " + name);
}

std::vector<State> spectral_states() {
  std::vector<State> result = states();
  const Matrix3 U = rotation(0.9, -1, 2, 1), V = rotation(-0.4, 1, 1, 3);
  const auto add = [&](const std::string& name, double a, double b, double c, double scale) {
    result.push_back({name, U * Eigen::Vector3d(a, b, c).asDiagonal() * V.transpose(), scale});
  };
  add("three_equal_stretches", 1.3, 1.3, 1.3, 1);
  add("gap_1e-3", 1.2, 0.9 + 1e-3, 0.9, 1);
  add("gap_1e-6", 1.2 + 1e-6, 1.2, 0.7, 1);
  add("gap_1e-12", 1.1, 0.9 + 1e-12, 0.9, 1);
  add("all_within_1e-9", 1.3 + 2e-9, 1.3 + 1e-9, 1.3, 1);
  add("rank_two", 1.3, 0.8, 0, 1);
  add("rank_one", 1.3, 0, 0, 1);
  add("opposite_stretches", 1.3, 0.8, -0.8, 1);
  return result;
}

}  // namespace proxima::test
