// Contacts between bodies by the number of triangles: finding them, their numbers, the derivatives; all threads, and
// one with the second argument 1. Two wavy sheets of half the triangles each, less than a cell apart, each against the
// other and itself, move by a fifth of a cell.
#include "runtime/contact/surface_contacts.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/element_meshes.hpp"

namespace proxima::bench {
namespace {

struct Sheets {
  explicit Sheets(std::int64_t triangles) {
    const int cells = static_cast<int>(std::lround(std::sqrt(static_cast<double>(triangles) / 4)));
    side = 1.0 / cells;
    for (int body = 0; body < 2; ++body) {
      const auto mesh = mesh::make_triangle_grid(
          {cells, cells}, {0.3 * side * body, 0.4 * side * body, 0.4 * side * body}, {1, 0, 0}, {0, 1, 0});
      const auto first = static_cast<std::int32_t>(model.mesh.nodes.size());
      model.bodies.push_back({"", first, static_cast<std::int32_t>(mesh.nodes.size()), {}, {}, {}});
      model.mesh.nodes.insert(model.mesh.nodes.end(), mesh.nodes.begin(), mesh.nodes.end());
      auto& all = mesh::make_block(model.mesh, mesh::Shape::triangle).elements;
      all.shape = mesh::Shape::triangle;
      all.corners = 3;
      for (const auto node : mesh::elements(mesh, mesh::Shape::triangle).nodes) all.nodes.push_back(node + first);
    }
    for (const auto& [body, other] : {std::pair{0, 1}, {0, 0}, {1, 1}}) {
      model::ContactPair pair;
      pair.body = body;
      pair.with_obstacle = false;
      pair.other = other;
      pair.thickness = 0.1 * side;
      model.contacts.push_back(pair);
    }
    for (const auto& node : model.mesh.nodes) {
      const double wave = 2 * side * std::sin(9 * node[0]) * std::cos(7 * node[1]);
      start.insert(start.end(), {node[0], node[1], node[2] + wave});
      x.insert(x.end(), {node[0] + 0.1 * side, node[1], node[2] + wave + 0.2 * side * std::sin(40 * node[0])});
    }
  }

  contact::StepSpan span() const { return {0, 0.01, start}; }

  double side = 0;  // m, of a cell
  model::Model model;
  std::vector<double> start, x;
};

jit::Engine& engine() {
  static jit::Engine made;
  return made;
}

void with_threads(benchmark::State& state) { device::set_threads(static_cast<int>(state.range(1))); }

void candidates(benchmark::State& state) {
  with_threads(state);
  const Sheets sheets(state.range(0));
  contact::SurfaceContacts contacts(sheets.model, engine());
  std::vector<model::ContactKey> keys;
  for (auto _ : state) {
    keys.clear();
    contacts.candidates(sheets.span(), sheets.x, 0.5 * sheets.side, keys);
  }
  state.counters["contacts"] = static_cast<double>(keys.size());
}

// Where nothing is near: what detection costs a body that touches nothing.
void candidates_none_near(benchmark::State& state) {
  with_threads(state);
  Sheets sheets(state.range(0));
  const std::size_t second = 3 * static_cast<std::size_t>(sheets.model.bodies[1].first_node);
  for (auto* positions : {&sheets.start, &sheets.x})
    for (std::size_t k = second; k < positions->size(); k += 3) (*positions)[k + 2] += 1;
  contact::SurfaceContacts contacts(sheets.model, engine());
  std::vector<model::ContactKey> keys;
  for (auto _ : state) {
    keys.clear();
    contacts.candidates(sheets.span(), sheets.x, 0.5 * sheets.side, keys);
  }
  state.counters["contacts"] = static_cast<double>(keys.size());
}

void evaluate(benchmark::State& state) {
  with_threads(state);
  const Sheets sheets(state.range(0));
  contact::SurfaceContacts contacts(sheets.model, engine());
  std::vector<model::ContactKey> keys;
  contacts.candidates(sheets.span(), sheets.x, 0.5 * sheets.side, keys);
  std::vector<contact::Geometry> geometry(keys.size());
  for (auto _ : state) contacts.evaluate(sheets.span(), keys, sheets.x, geometry);
  state.counters["contacts"] = static_cast<double>(keys.size());
}

void pull_back(benchmark::State& state) {
  with_threads(state);
  const Sheets sheets(state.range(0));
  contact::SurfaceContacts contacts(sheets.model, engine());
  std::vector<model::ContactKey> keys;
  contacts.candidates(sheets.span(), sheets.x, 0.5 * sheets.side, keys);
  const std::vector<contact::Geometry> bars(keys.size(), {1, {1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3}});
  std::vector<double> by_x(sheets.x.size()), by_start(sheets.x.size());
  for (auto _ : state) contacts.pull_back(sheets.span(), keys, sheets.x, bars, by_x, by_start);
  state.counters["contacts"] = static_cast<double>(keys.size());
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"triangles", "threads"})->Unit(benchmark::kMillisecond);
  for (const int threads : {1, 0})
    for (const int triangles : {1000, 10000, 100000}) bench->Args({triangles, threads});
}
BENCHMARK(candidates)->Apply(sizes);
BENCHMARK(candidates_none_near)->Apply(sizes);
BENCHMARK(evaluate)->Apply(sizes);
BENCHMARK(pull_back)->Apply(sizes);

}  // namespace
}  // namespace proxima::bench

BENCHMARK_MAIN();
