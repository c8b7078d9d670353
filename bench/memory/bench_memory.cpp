// The gradient of longer and longer rollouts of one beam with each way to keep states: how much memory the states take
// and what finding others again costs. 0.4 x 0.1 x 0.1 m of tetrahedra, held at one end, let go under gravity, with
// damping. Usage: bench_memory [plot.svg [steps ... [cells=N]]], N cells along the short edges in the place of 6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "apps/plot/plot.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/model/build.hpp"

namespace {

using namespace proxima;

constexpr std::size_t budget = 68;  // states of the binomial schedule: 4 MB with 6 cells

std::string scene_text(int cells) {
  return fmt::format(R"({{
    "mesh": {{ "box": {{ "cells": [{}, {}, {}], "lower": [0, 0, 0], "upper": [0.4, 0.1, 0.1] }} }},
    "materials": [
      {{ "name": "beam", "energy": "stable_neo_hookean.cpp", "density": 1000, "parameters": {{ "E": 1e5, "nu": 0.3 }},
         "damping": {{ "mass": 1 }} }}
    ],
    "dirichlet": [{{ "select": {{ "box": {{ "lower": [0, 0, 0], "upper": [0, 1, 1] }} }} }}],
    "gravity": [0, 0, -9.81],
    "time": {{ "step": 0.01, "steps": 1 }}
  }})",
                     4 * cells, cells, cells);
}

using Curves = std::map<std::string, plot::Series>;  // megabytes against steps

class Bench {
 public:
  explicit Bench(int cells) : model_(make_model(cells)), objective_(model_, engine_) {
    measure({}, 2);  // compiles the kernels
    fmt::print("{} nodes, {} tets, {} threads; a state has {} bytes\n", model_.mesh.nodes.size(),
               mesh::element_count(model_.mesh), device::threads(), 48 * model_.mesh.nodes.size());
    fmt::print("steps | states kept | MB held | steps taken | forward, s | backward, s\n");
  }

  void compare(int steps, Curves& curves) {
    const int root = static_cast<int>(std::lround(std::sqrt(steps)));
    const std::pair<std::string, adjoint::Checkpoints> ways[] = {
        {"all", {}},
        {"every", {.keep = adjoint::Keep::every, .every = root}},
        {"binomial", {.keep = adjoint::Keep::binomial, .bytes = budget * 48 * model_.mesh.nodes.size()}}};
    std::vector<double> expected;
    for (const auto& [name, checkpoints] : ways) {
      const auto gradient = measure(checkpoints, steps);
      if (expected.empty()) expected = gradient.positions;
      if (gradient.positions != expected) fail("the gradient differs with the states kept by '{}'", name);
      const double megabytes = static_cast<double>(gradient.peak_bytes) / 1e6;
      fmt::print("{:5} | {:8} | {:8.2f} | {:7} | {:7.2f} | {:7.2f}\n", steps, name, megabytes, gradient.advances,
                 gradient.seconds_forward, gradient.seconds_backward);
      std::fflush(stdout);
      auto& curve = curves[name];
      curve.name = name;
      curve.xs.push_back(steps);
      curve.ys.push_back(megabytes);
    }
  }

 private:
  model::Model make_model(int cells) {
    const auto scene = model::parse_scene(scene_text(cells), PROXIMA_SOURCE_DIR "/dsl_examples/memory.json");
    return model::build_model(scene,
                              [&](const std::filesystem::path& file, const std::string& name) {
                                return std::make_shared<const ir::Energy>(engine_.load_energy(file, name));
                              })
        .model;
  }

  adjoint::Gradient measure(const adjoint::Checkpoints& checkpoints, int steps) {
    model_.steps = steps;
    const adjoint::CentreTarget loss(steps, {0.2, 0.05, 0}, adjoint::uniform_weights(model_.mesh.nodes.size()));
    return adjoint::rollout_gradient(objective_, model_, {.tolerance = 1e-4},
                                     {.tolerance = 1e-6, .checkpoints = checkpoints}, loss,
                                     solve::initial_state(model_));
  }

  jit::Engine engine_;
  model::Model model_;
  solve::Objective objective_;
};

plot::Plot plot_of(const Curves& curves) {
  plot::Plot plot{"Memory of the states for a gradient", "steps", "megabytes", true, {}, true};
  for (const auto& [name, curve] : curves) plot.series.push_back(curve);
  return plot;
}

void run(const std::vector<std::string>& arguments) {
  std::vector<int> lengths;
  int cells = 6;
  for (std::size_t k = 1; k < arguments.size(); ++k)
    if (arguments[k].starts_with("cells="))
      cells = std::atoi(arguments[k].c_str() + 6);
    else
      lengths.push_back(std::atoi(arguments[k].c_str()));
  if (lengths.empty()) lengths = {50, 100, 200, 400, 800, 1600};
  if (cells < 1 || *std::min_element(lengths.begin(), lengths.end()) < 1) fail("needed are numbers of steps and cells");
  Bench bench(cells);
  Curves curves;
  for (const int steps : lengths) bench.compare(steps, curves);
  if (!arguments.empty()) write_file(arguments[0], plot::to_svg(plot_of(curves)));
}

}  // namespace

int main(int count, char** values) {
  try {
    run({values + 1, values + count});
    return 0;
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_memory: {}\n", error.what());
    return 2;
  }
}
