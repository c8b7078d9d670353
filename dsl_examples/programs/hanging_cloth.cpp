// Elements that are not tetrahedra, from C++: a woven cloth of triangles, its folds, and a hem of springs, all on the
// nodes of one grid, each with an energy of dsl_examples. It hangs from two corners, falls open and swings. Ends with a
// self-check.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/dsl/trace.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/solve/step/rollout.hpp"

using namespace proxima;

namespace {

constexpr int cells = 12;
constexpr double side = 0.6;  // m

// A region of elements; parameters that are not named keep the defaults of their author.
model::Region region(const std::string& name, const std::string& energy, mesh::Elements elements, double density,
                     const std::map<std::string, double>& values) {
  model::Region result;
  result.name = name;
  result.energy = std::make_shared<ir::Energy>(dsl::find_energy(energy));
  result.elements = std::move(elements);
  result.density = density;
  for (const auto& parameter : result.energy->parameters) {
    const auto given = values.find(parameter.name);
    result.parameters.push_back({given == values.end() ? parameter.default_value : given->second});
  }
  return result;
}

// The edges at the border of the grid.
mesh::Elements hem_of(const mesh::Elements& edges) {
  const auto at_border = [](std::int32_t node) {
    const int i = node % (cells + 1), j = node / (cells + 1);
    return std::array{i == 0, i == cells, j == 0, j == cells};
  };
  mesh::Elements result{mesh::Shape::edge, 2, {}};
  for (std::size_t e = 0; e < edges.count(); ++e) {
    const auto a = at_border(edges.of(e)[0]), b = at_border(edges.of(e)[1]);
    bool on_one_side = false;
    for (std::size_t k = 0; k < a.size(); ++k) on_one_side |= a[k] && b[k];
    if (on_one_side) result.nodes.insert(result.nodes.end(), edges.of(e).begin(), edges.of(e).end());
  }
  return result;
}

model::Model make_cloth() {
  // A horizontal square. Triangles carry the mass of the weave (kg/m^2), the hem its own (kg/m); folds have none.
  const auto grid = mesh::make_triangle_grid({cells, cells}, {0, 0, 0}, {side, 0, 0}, {0, side, 0});
  const auto& weave = mesh::elements(grid, mesh::Shape::triangle);
  model::Model cloth;
  cloth.mesh.nodes = grid.nodes;
  cloth.regions = {
      region("weave", "orthotropic_membrane", weave, 0.2,
             {{"thickness", 1e-3}, {"E_warp", 2e5}, {"E_weft", 1e5}, {"G", 2e4}}),
      region("folds", "discrete_shell_bending", mesh::hinges_of(weave), 0, {{"k", 1e-5}}),
      region("hem", "mass_spring", hem_of(mesh::edges_of(weave)), 0.01, {{"EA", 20}}),
  };
  cloth.regions[0].directions = {{{1, 1, 0}}};  // the warp runs along the diagonal; any length will do
  cloth.dirichlet = {{{0, cells}, {}, {}}};     // two corners
  cloth.gravity = {0, 0, -9.81};
  cloth.time_step = 0.01;
  cloth.steps = 60;
  for (const auto& node : cloth.mesh.nodes)
    cloth.initial_positions.insert(cloth.initial_positions.end(), node.begin(), node.end());
  cloth.initial_velocities.resize(cloth.initial_positions.size());
  return cloth;
}

}  // namespace

int main() {
  const model::Model cloth = make_cloth();
  jit::Engine engine;
  solve::Objective objective(cloth, engine);
  solve::StepSettings settings;
  settings.tolerance = 1e-8;

  // Energy of motion, deformation and height together: implicit Euler only takes from it.
  const auto mass = objective.mass();
  double before = 0;
  bool falls = true;
  const auto states = solve::simulate(objective, cloth, settings, solve::initial_state(cloth),
                                      [&](int step, const solve::State& state, const solve::StepReport& report) {
                                        double energy = report.elastic_energy + report.kinetic_energy;
                                        for (std::size_t n = 0; n < mass.size(); ++n)
                                          energy += 9.81 * mass[n] * state.positions[3 * n + 2];
                                        falls &= step == 1 || energy <= before + 1e-9;
                                        before = energy;
                                      });

  // How far the middle of the free side has fallen, and the longest thread of the hem.
  const auto& x = states.back().positions;
  const auto middle = static_cast<std::size_t>(cells / 2 + (cells + 1) * cells);
  const auto& hem = cloth.regions[2].elements;
  double stretch = 0;
  for (std::size_t e = 0; e < hem.count(); ++e) {
    const auto a = 3 * static_cast<std::size_t>(hem.of(e)[0]), b = 3 * static_cast<std::size_t>(hem.of(e)[1]);
    stretch = std::max(stretch, std::hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]) * cells / side);
  }
  fmt::print("after {} s the free side is {:.3f} m below the held one, the hem is stretched by {:.1f} %\n",
             cloth.steps * cloth.time_step, -x[3 * middle + 2], 100 * (stretch - 1));

  // How the height of the cloth's centre after 20 steps depends on its weft: the adjoint, and moving it by +-0.1 %.
  model::Model shorter = cloth;
  shorter.steps = 20;
  const adjoint::CentreTarget loss(shorter.steps, {side / 2, side / 2, 0}, adjoint::mass_weights(mass));
  settings.tolerance = 1e-10;
  const auto gradient =
      adjoint::rollout_gradient(objective, shorter, settings, {}, loss, solve::initial_state(shorter));
  const double slope = gradient.regions[0].parameters[2][0];  // region 0 (weave), parameter 2 (E_weft)
  const auto loss_at = [&](double weft) {
    model::Model changed = shorter;
    changed.regions[0].parameters[2] = {weft};
    return adjoint::total_loss(
        loss, solve::simulate(solve::Objective(changed, engine), changed, settings, solve::initial_state(changed)));
  };
  const double difference = (loss_at(1e5 * 1.001) - loss_at(1e5 * 0.999)) / (1e5 * 0.002);
  fmt::print("d(loss)/d(E_weft): {:.6e} by the adjoint, {:.6e} by differences, in m^2/Pa\n", slope, difference);

  const bool right = falls && x[3 * middle + 2] < -0.4 * side && stretch < 1.2 && stretch > 1 &&
                     std::abs(slope / difference - 1) < 1e-4;
  fmt::print("{}\n", right ? "as it should be" : "WRONG");
  return right ? 0 : 1;
}
