// What steps of DiffPhD's cantilever and twisted Armadillo (tests/solve/contrast.hpp) cost by Newton's method at
// contrasts 1 to 1e4, corotated and Neo-Hookean (dsl_examples), with A^-1 and with M as the preconditioner, every step
// to a relative residual of 1e-6. Usage: bench_contrast [steps of the cantilever] [of the Armadillo] [contrast ...]
// [corotated] [neo_hookean] [A^-1] [M]; without, 30 steps, DiffPhD's, all contrasts, both energies, both
// preconditioners; 0 steps leave a body out. One thread. Status 1 where a step is not solved.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/contrast.hpp"

namespace {

using namespace proxima;

constexpr double tolerance = 1e-6;

struct Cost {
  int steps = 0, a_solves = 0, worst_a_solves = 0, iterations = 0, worst_iterations = 0, substeps = 0;
  double residual = 0;

  void add(const solve::StepReport& report) {
    ++steps;
    a_solves += report.a_solves;
    worst_a_solves = std::max(worst_a_solves, report.a_solves);
    iterations += report.iterations;
    worst_iterations = std::max(worst_iterations, report.iterations);
    substeps += report.substeps;
    residual = std::max(residual, report.residual);
  }
};

// Whether all steps were solved.
bool measure(jit::Engine& engine, const char* name, const model::Model& model, double contrast, int slow_modes) {
  const solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
  const solve::StepSettings settings{.tolerance = tolerance};
  Cost cost;
  std::string fault;
  const std::clock_t begin = std::clock();
  try {
    solve::simulate(objective, model, settings, solve::initial_state(model),
                    [&](int, const solve::State&, const solve::StepReport& report) { cost.add(report); });
  } catch (const Error& error) {
    fault = error.what();
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const bool solved = cost.steps == model.steps && cost.residual <= tolerance;
  fmt::print("{:10} {:12} {:6g} {:5} | {:2} of {:2} {:.1e} | {:6} {:5} | {:5} {:4} | {:4} | {:8.2f} {}\n", name,
             model.regions[0].energy->name, contrast, slow_modes > 0 ? "M" : "A^-1", cost.steps, model.steps,
             cost.residual, cost.a_solves, cost.worst_a_solves, cost.iterations, cost.worst_iterations, cost.substeps,
             seconds, solved ? "" : fmt::format("NOT SOLVED: {}", fault));
  std::fflush(stdout);
  return solved;
}

int run(const std::vector<std::string>& given) {
  std::vector<std::string> arguments = given;
  const auto words = std::stable_partition(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return std::isdigit(static_cast<unsigned char>(argument.front())) != 0;
  });
  const std::vector<std::string> chosen(words, arguments.end());
  arguments.erase(words, arguments.end());
  // Whether one of the words is chosen, or none of its kind.
  const auto wanted = [&](const char* word, const char* other) {
    const auto has = [&](const char* name) { return std::find(chosen.begin(), chosen.end(), name) != chosen.end(); };
    return has(word) || !has(other);
  };
  const auto steps = [&](std::size_t k) { return k < arguments.size() ? std::atoi(arguments[k].c_str()) : 30; };
  std::vector<double> contrasts;
  for (std::size_t k = 2; k < arguments.size(); ++k) contrasts.push_back(std::atof(arguments[k].c_str()));
  if (contrasts.empty()) contrasts = {1, 10, 100, 1e3, 1e4};
  const auto file = bodies::armadillo_file();
  if (!file && steps(1) > 0) fail("armadillo_10k.node is absent; set PROXIMA_SHARED_DATA to the folder it is in");
  device::set_threads(1);
  jit::Engine engine;
  fmt::print(
      "body, energy, contrast, preconditioner | steps solved, largest residual | A-solves, those of the worst step | "
      "iterations, of the worst step | sub-steps | processor s\n");
  bool solved = true;
  for (const auto& [name, other] : {std::pair{"corotated", "neo_hookean"}, {"neo_hookean", "corotated"}}) {
    if (!wanted(name, other)) continue;
    const auto energy =
        std::make_shared<ir::Energy>(engine.load_energy(fmt::format(PROXIMA_SOURCE_DIR "/dsl_examples/{}.cpp", name)));
    for (const double contrast : contrasts)
      for (const int slow_modes : {0, 12}) {
        if (slow_modes > 0 ? !wanted("M", "A^-1") : !wanted("A^-1", "M")) continue;
        const auto one = [&](const char* body, model::Model model, int count) {
          model.steps = count;
          solved &= measure(engine, body, model, contrast, slow_modes);
        };
        if (steps(0) > 0) one("cantilever", bodies::make_contrast_cantilever(energy, contrast), steps(0));
        if (steps(1) > 0) one("armadillo", bodies::make_contrast_armadillo(*file, energy, contrast), steps(1));
      }
  }
  return solved ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run({values + 1, values + count});
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_contrast: {}\n", error.what());
    return 2;
  }
}
