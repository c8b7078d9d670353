// The library from C++: an energy in this very file, a beam made by hand, a loss of one's own, its gradient, and the
// modulus that makes the beam sag by a given amount. No scene file and no Clang at run time. Ends with a self-check.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/optimize/fit.hpp"

PROXIMA_ENERGY(saint_venant) {
  using namespace proxima::dsl;
  auto E = parameter("E", pascal, 1e5).positive();
  auto nu = parameter("nu", dimensionless, 0.3).between(-1, 0.5);
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  auto F = deformation_gradient();
  auto strain = 0.5 * (transpose(F) * F - identity());  // Green
  return mu * squared_norm(strain) + 0.5 * lambda * square(trace(strain));
}

int main() {
  using namespace proxima;

  // A beam of 20 x 4 x 4 cubes, one tetrahedral mesh of 1 920 elements, 20 cm long.
  model::Model beam;
  beam.mesh = mesh::make_box({20, 4, 4}, {0, 0, 0}, {0.2, 0.04, 0.04});

  // One region of one material. The energy is the one above: found by name among those linked into this program.
  model::Region soft;
  soft.name = "soft";
  soft.energy = std::make_shared<ir::Energy>(dsl::find_energy("saint_venant"));
  model::set_elements(soft, beam.mesh, mesh::Shape::tetrahedron);
  soft.parameters = {{5e5}, {0.3}};  // E, nu: one value each for the whole region
  soft.density = 1000;
  beam.regions.push_back(soft);

  // Held at x = 0, pulled down by gravity, 20 steps of 50 ms.
  model::Dirichlet clamp;
  std::vector<std::int32_t> tip;
  for (std::size_t node = 0; node < beam.mesh.nodes.size(); ++node) {
    if (beam.mesh.nodes[node][0] < 1e-9) clamp.nodes.push_back(static_cast<std::int32_t>(node));
    if (beam.mesh.nodes[node][0] > 0.2 - 1e-9) tip.push_back(static_cast<std::int32_t>(node));
  }
  beam.dirichlet.push_back(clamp);
  beam.gravity = {0, 0, -9.81};
  beam.time_step = 0.05;
  beam.steps = 20;
  for (const auto& node : beam.mesh.nodes) {
    beam.initial_positions.insert(beam.initial_positions.end(), node.begin(), node.end());
    beam.initial_velocities.insert(beam.initial_velocities.end(), {0, 0, 0});
  }

  // The loss: (mean height of the tip after the last step - wanted)^2. It adds its derivative where it is asked to.
  const double wanted = 0.01;  // m; at rest it is 0.02
  const adjoint::UserLoss loss(beam.steps, [&](int frame, std::span<const double> x, std::span<const double>,
                                               std::span<double> gradient, std::span<double>) {
    if (frame != beam.steps) return 0.0;
    const auto share = 1.0 / static_cast<double>(tip.size());
    double height = 0;
    for (const auto node : tip) height += share * x[3 * static_cast<std::size_t>(node) + 2];
    if (!gradient.empty())
      for (const auto node : tip) gradient[3 * static_cast<std::size_t>(node) + 2] += 2 * (height - wanted) * share;
    return (height - wanted) * (height - wanted);
  });

  // Kernels are compiled when first needed, then kept on disk. The objective owns the kernels, the matrix and its
  // factor.
  jit::Engine engine;
  solve::Objective objective(beam, engine);
  solve::StepSettings steps;
  steps.tolerance = 1e-9;

  const auto gradient = adjoint::rollout_gradient(objective, beam, steps, {}, loss, solve::initial_state(beam));
  const double slope = gradient.regions[0].parameters[0][0];  // parameter 0 (E), one value
  fmt::print("at E = 5e5 Pa: loss {:.6e} m^2, dL/dE {:.6e} m^2/Pa\n", gradient.loss, slope);

  // Is it right? Move E by +-0.1 % and look.
  const auto loss_at = [&](double modulus) {
    model::Model changed = beam;
    changed.regions[0].parameters[0] = {modulus};
    objective.set_values(changed);
    return adjoint::total_loss(loss, solve::simulate(objective, changed, steps, solve::initial_state(changed)));
  };
  const double difference = (loss_at(5e5 * 1.001) - loss_at(5e5 * 0.999)) / (5e5 * 0.002);
  fmt::print("central difference  {:.6e}\n", difference);

  // Which modulus sags by the wanted amount? Search in its logarithm between 10 kPa and 10 MPa.
  optimize::Variable modulus;
  modulus.name = "E";
  modulus.objects = {0};
  modulus.lower = 1e4;
  modulus.upper = 1e7;
  modulus.start = {5e5};
  const optimize::Design design(beam, {modulus});
  optimize::FitSettings settings;
  settings.step = steps;
  settings.optimiser.projected_gradient = 1e-9;
  const auto fit = optimize::fit(objective, beam, design, loss, settings);
  fmt::print("E = {:.5g} Pa, loss {:.1e} m^2 after {} evaluations: {}\n", fit.values[0][0], fit.minimum.value,
             fit.minimum.evaluations, optimize::describe(fit.minimum.stop));

  const bool right = std::abs(slope / difference - 1) < 1e-4 && fit.minimum.value < 1e-12;
  fmt::print("{}\n", right ? "as it should be" : "WRONG");
  return right ? 0 : 1;
}
