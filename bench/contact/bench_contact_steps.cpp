// Steps with contact, forward and backward, against the number of contacts: a plate of some layers of cubes, cut into
// tetrahedra, lands on a plane and slides, or sticks, with the matrix between contacts stored, without, and as it is by
// default. Prints the
// median of some runs and their spread, in processor time, so that others at work on the machine count little. Usage:
// bench_contact_steps [runs] [layers] [cells along a side ...]; (cells + 1)^2 nodes touch.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace {

using namespace proxima;

constexpr int steps = 10;
constexpr double tolerance = 1e-6;

model::Model make_plate(int cells, int layers, bool slides) {
  const double thickness = 0.1 / cells * layers;
  model::Model model = bodies::make_block({.friction = slides ? 0.3 : 0.9, .young = 1e5});
  model.mesh = mesh::make_box({cells, cells, layers}, {0, 0, 5e-4}, {0.1, 0.1, 5e-4 + thickness});
  model::set_elements(model.regions[0], model.mesh, mesh::Shape::tetrahedron);
  model.initial_positions.clear();
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.assign(model.initial_positions.size(), 0);
  for (std::size_t i = 0; slides && i < model.initial_velocities.size(); i += 3) model.initial_velocities[i] = 0.3;
  model.steps = steps;
  return model;
}

struct Storage {
  contact::CondensedStorage storage;
  const char* name;
};
constexpr Storage storages[] = {{contact::CondensedStorage::stored, "stored"},
                                {contact::CondensedStorage::matrix_free, "free"},
                                {contact::CondensedStorage::by_size, "by size"}};

struct Spread {
  double median, least, most;
};
Spread spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(int cells, int layers, bool slides, const Storage& matrix, int runs, jit::Engine& engine) {
  const auto& [storage, name] = matrix;
  const auto model = make_plate(cells, layers, slides);
  solve::StepSettings step{.tolerance = tolerance};
  step.contact.matrix = storage;
  adjoint::AdjointSettings back{.tolerance = tolerance};
  back.contact_matrix = storage;
  const solve::Objective objective(model, engine);
  const auto start = solve::initial_state(model);
  solve::StepReport last;
  double slipping = 0;
  solve::simulate(objective, model, step, start, [&](int, const solve::State&, const solve::StepReport& report) {
    last = report;
    slipping += report.contact.slip;
  });
  const adjoint::CentreTarget loss(steps, {0.2, 0, 0}, adjoint::mass_weights(model::lumped_mass(model)));
  std::vector<double> forward, backward;
  adjoint::Gradient gradient;
  for (int run = 0; run < runs; ++run) {
    const double begin = processor_ms();
    solve::simulate(objective, model, step, start);
    const double middle = processor_ms();
    gradient = adjoint::rollout_gradient(objective, model, step, back, loss, start);
    forward.push_back((middle - begin) / steps);
    backward.push_back((processor_ms() - middle) / steps - forward.back());
  }
  const auto [f, f_least, f_most] = spread(forward);
  const auto [b, b_least, b_most] = spread(backward);
  fmt::print("{:9} {:8} {:8} {:8.0f} {:10.2f} ({:.2f}..{:.2f}) {:8.1f} {:10.2f} ({:.2f}..{:.2f}) {:8.1f}\n",
             last.contact.stick + last.contact.slip, objective.nodes(), name, slipping / steps, f, f_least, f_most,
             static_cast<double>(gradient.a_solves_forward) / steps, b, b_least, b_most,
             static_cast<double>(gradient.a_solves) / steps);
}

}  // namespace

int main(int count, char** values) {
  const int runs = count > 1 ? std::max(1, std::atoi(values[1])) : 3;
  const int layers = count > 2 ? std::max(1, std::atoi(values[2])) : 1;
  std::vector<int> cells;
  for (int k = 3; k < count; ++k) cells.push_back(std::atoi(values[k]));
  if (cells.empty()) cells = {2, 4, 9, 16, 24, 31, 44};
  device::set_threads(1);
  jit::Engine engine;
  fmt::print(
      "tolerance {:g}, {} steps, {} layers, one thread; a step, processor ms: median of {} (least..most), A-solves\n",
      tolerance, steps, layers, runs);
  for (const bool slides : {true, false}) {
    fmt::print("{}\n{:>9} {:>8} {:>8} {:>8} {:>10} {:>25} {:>10} {:>25}\n", slides ? "slides" : "sticks", "contacts",
               "nodes", "matrix", "slipping", "forward", "A-solves", "backward", "A-solves");
    for (const int side : cells)
      for (const auto& matrix : storages) measure(side, layers, slides, matrix, runs, engine);
  }
}
