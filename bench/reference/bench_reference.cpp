// DiffPD's cantilever (tests/solve/diffpd_cantilever.hpp), 25 steps and their gradient, beside the seconds that
// DiffPD's own program took (from its file, not measured here). Usage: bench_reference [repetitions] [threads ...]
// [method]. Wall seconds are medians with the least and the largest; processor seconds, of all threads, tell what the
// work costs where other programs share the machine. Fails where a result is further from DiffPD's than DiffPD's
// projective method at a tolerance of 1e-4 is, or at 1e-6 than 1e-6 m.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "tests/adjoint/diffpd_loss.hpp"

namespace {

using namespace proxima;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Times {
  std::vector<double> wall, processor;

  template <class Work>
  void add(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    work();
    processor.push_back(processor_seconds() - before);
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::string text() {
    std::sort(wall.begin(), wall.end());
    std::sort(processor.begin(), processor.end());
    return fmt::format("{:6.2f} ({:.2f} {:.2f}) {:6.2f}", wall[wall.size() / 2], wall.front(), wall.back(),
                       processor[processor.size() / 2]);
  }
};

struct Settings {
  int repetitions = 5;
  std::vector<int> threads;
  solve::Method method = solve::Method::newton;
};

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const int number = std::atoi(arguments[k].c_str());
    if (number <= 0)
      settings.method = solve::method_named(arguments[k]);
    else if (k == 0)
      settings.repetitions = number;
    else
      settings.threads.push_back(number);
  }
  if (settings.threads.empty()) settings.threads = {1, 2};
  return settings;
}

void measure(const bodies::DiffpdCantilever& scene, jit::Engine& engine, const Settings& settings, double tolerance) {
  const solve::Objective objective(scene.model, engine);
  const auto loss = test::diffpd_loss(scene);
  solve::StepSettings steps{.tolerance = tolerance};
  steps.solver.method = settings.method;
  Times forward, backward;
  std::vector<solve::State> states;
  adjoint::Gradient gradient;
  int a_solves = 0, iterations = 0;
  for (int k = 0; k <= settings.repetitions; ++k) {
    if (k == 1) forward = backward = {};  // the first one compiles kernels
    a_solves = iterations = 0;
    const auto count = [&](int, const solve::State&, const solve::StepReport& report) {
      a_solves += report.a_solves;
      iterations += report.iterations;
    };
    const auto start = solve::initial_state(scene.model);
    forward.add([&] { states = solve::simulate(objective, scene.model, steps, start, count); });
    backward.add([&] { gradient = adjoint::backward(objective, scene.model, {.tolerance = tolerance}, loss, states); });
  }
  const double error = test::largest_distance(states.back().positions, scene.positions);
  const double gradient_error = test::relative_distance(gradient.positions, scene.position_gradient);
  fmt::print("proxima {:8} {:7} {:7g} | {:29} {:6} {:6} | {:29} {:6} | {:.1e} {:.1e}\n",
             solve::method_entry(settings.method).name, device::threads(), tolerance, forward.text(), a_solves,
             iterations, backward.text(), gradient.a_solves, error, gradient_error);
  const double allowed = tolerance > 1e-5 ? scene.max_position_error : 1e-6;
  if (error > allowed) fail("positions are {:.2g} m from DiffPD's, {:.2g} is allowed", error, allowed);
}

int run(const Settings& settings) {
  const auto folder = bodies::reference_folder();
  if (!folder) fail("the folder reference is absent; set PROXIMA_SHARED_DATA to the one it is in");
  const auto scene = bodies::read_diffpd_cantilever(*folder);
  for (const auto& row : scene.seconds)
    fmt::print("DiffPD (from its file): {:16} threads {} tolerance {:g}: forward {:6.1f} s, backward {:6.1f} s\n",
               row.method, row.threads, row.tolerance, row.forward, row.backward);
  fmt::print(
      "who, method, threads, tolerance | forward: wall s, processor s, A-solves, iterations | backward: the same | "
      "error of positions, m, and of the gradient by them\n");
  jit::Engine engine;
  for (const int threads : settings.threads) {
    device::set_threads(threads);
    for (const double tolerance : {1e-4, 1e-6}) measure(scene, engine, settings, tolerance);
  }
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(settings_of({values + 1, values + count}));
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_reference: {}\n", error.what());
    return 2;
  }
}
