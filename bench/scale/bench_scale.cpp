// One beam as its mesh gets finer, from 1e4 to 1e6 degrees of freedom: where time and memory of a run go as it grows.
// 0.4 x 0.1 x 0.1 m of tetrahedra, held at one end, let go under gravity. Usage: bench_scale [plot.svg [steps [cells
// ...]]], cells along the short edges. Sizes ascend, so that the peak memory of the process is that of the last one.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "apps/plot/plot.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/model/build.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace {

using namespace proxima;

constexpr double tolerance = 1e-3;

// The beam as an author would write it.
std::string scene_text(int cells) {
  return fmt::format(R"({{
    "mesh": {{ "box": {{ "cells": [{}, {}, {}], "lower": [0, 0, 0], "upper": [0.4, 0.1, 0.1] }} }},
    "materials": [
      {{ "name": "beam", "energy": "stable_neo_hookean.cpp", "density": 1000, "parameters": {{ "E": 1e5, "nu": 0.3 }} }}
    ],
    "dirichlet": [{{ "select": {{ "box": {{ "lower": [0, 0, 0], "upper": [0, 1, 1] }} }} }}],
    "gravity": [0, 0, -9.81],
    "time": {{ "step": 0.01, "steps": 1 }}
  }})",
                     4 * cells, cells, cells);
}

template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

struct Row {
  double unknowns = 0, set_up = 0, step = 0, memory = 0;
};

class Bench {
 public:
  Bench() {
    const auto seconds = seconds_of([&] { measure(1, 1); });
    fmt::print("kernels: {} compiled in {:.2f} s, {} from the cache; {:.2f} s with the smallest mesh; {} threads\n",
               engine_.statistics().compiled, engine_.statistics().compile_seconds, engine_.statistics().loaded,
               seconds, device::threads());
    fmt::print(
        "nodes, tets, unknowns | factor's entries | model, order, analyse, factor, rest of the objective, s | a step: "
        "median s, Newton iterations, A-solves | peak GB\n");
  }

  Row measure(int cells, int steps) {
    model::Model model;
    std::unique_ptr<solve::Objective> objective;
    const double build = seconds_of([&] { model = make_model(cells); });
    const double objective_seconds =
        seconds_of([&] { objective = std::make_unique<solve::Objective>(model, engine_); });
    auto state = solve::initial_state(model);
    std::vector<double> seconds;
    int iterations = 0, a_solves = 0;
    for (int step = 0; step < steps; ++step) {
      const auto report = solve::advance(*objective, model, step, {.tolerance = tolerance}, state);
      seconds.push_back(report.seconds);
      iterations += report.iterations;
      a_solves += report.a_solves;
    }
    std::sort(seconds.begin(), seconds.end());
    const auto free = std::count_if(model.mesh.nodes.begin(), model.mesh.nodes.end(),
                                    [](const model::Vector3& node) { return node[0] > 0; });
    const Row row{3.0 * static_cast<double>(free), build + objective_seconds, seconds[seconds.size() / 2],
                  peak_gigabytes()};
    const auto& factor = objective->factor_statistics();
    const double factor_seconds = factor.order_seconds + factor.symbolic_seconds + factor.numeric_seconds;
    if (cells > 1)
      fmt::print(
          "{:7} {:8} {:8} | {:10} | {:6.2f} {:6.2f} {:6.2f} {:6.2f} {:6.2f} | {:7.3f} {:5.1f} {:6.1f} | {:.2f}\n",
          model.mesh.nodes.size(), mesh::element_count(model.mesh), row.unknowns, factor.entries, build,
          factor.order_seconds, factor.symbolic_seconds, factor.numeric_seconds, objective_seconds - factor_seconds,
          row.step, 1.0 * iterations / steps, 1.0 * a_solves / steps, row.memory);
    std::fflush(stdout);
    return row;
  }

 private:
  model::Model make_model(int cells) {
    const auto scene = model::parse_scene(scene_text(cells), PROXIMA_SOURCE_DIR "/dsl_examples/scale.json");
    return model::build_model(scene,
                              [&](const std::filesystem::path& file, const std::string& name) {
                                return std::make_shared<const ir::Energy>(engine_.load_energy(file, name));
                              })
        .model;
  }

  jit::Engine engine_;
};

plot::Plot plot_of(const std::vector<Row>& rows) {
  plot::Plot plot{"A beam of tetrahedra from 1e4 to 1e6 unknowns",
                  "unknowns",
                  "seconds, gigabytes",
                  true,
                  {{"a step, s", {}, {}}, {"to set up, s", {}, {}}, {"peak memory, GB", {}, {}}},
                  true};
  for (const auto& row : rows) {
    const double values[] = {row.step, row.set_up, row.memory};
    for (std::size_t k = 0; k < plot.series.size(); ++k) {
      plot.series[k].xs.push_back(row.unknowns);
      plot.series[k].ys.push_back(values[k]);
    }
  }
  return plot;
}

void run(const std::vector<std::string>& arguments) {
  const int steps = arguments.size() > 1 ? std::atoi(arguments[1].c_str()) : 5;
  std::vector<int> sizes;
  for (std::size_t k = 2; k < arguments.size(); ++k) sizes.push_back(std::atoi(arguments[k].c_str()));
  if (sizes.empty()) sizes = {9, 13, 20, 29, 43};
  if (steps < 1 || *std::min_element(sizes.begin(), sizes.end()) < 2) fail("needed are steps >= 1 and cells >= 2");
  std::sort(sizes.begin(), sizes.end());
  Bench bench;
  std::vector<Row> rows;
  rows.reserve(sizes.size());
  for (const int cells : sizes) rows.push_back(bench.measure(cells, steps));
  if (!arguments.empty()) write_file(arguments[0], plot::to_svg(plot_of(rows)));
}

}  // namespace

int main(int count, char** values) {
  try {
    run({values + 1, values + count});
    return 0;
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_scale: {}\n", error.what());
    return 2;
  }
}
