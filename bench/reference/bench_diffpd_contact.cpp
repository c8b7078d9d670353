// DiffPD's scenes with contact (diffpd_contact.hpp) beside the seconds that DiffPD's own program took (from its file,
// not measured here). Usage: bench_diffpd_contact [repetitions] [threads ...] [static] [word of a scene's name], where
// "static" is friction as DiffPD has it. Wall seconds are medians with the least and the largest; processor seconds, of
// all threads, tell what the work costs where other programs share the machine. Our tolerance of 1e-4 is against a
// smaller reference than DiffPD's (step.hpp), so it asks for more.
#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "bench/reference/diffpd_contact.hpp"
#include "bench/reference/times.hpp"
#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/adjoint/diffpd_loss.hpp"

namespace {

using namespace proxima;

constexpr double tolerance = 1e-4;

struct Settings {
  int repetitions = 3;
  std::vector<int> threads;
  std::string word;
  bool static_friction = false;
};

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const int number = std::atoi(arguments[k].c_str());
    if (arguments[k] == "static")
      settings.static_friction = true;
    else if (number <= 0)
      settings.word = arguments[k];
    else if (k == 0)
      settings.repetitions = number;
    else
      settings.threads.push_back(number);
  }
  if (settings.threads.empty()) settings.threads = {1, 2};
  return settings;
}

// Of a rollout: work in all its steps, and what was worst.
struct Evidence {
  long a_solves = 0, iterations = 0;
  int most_contacts = 0, most_slipping = 0, substeps = 0;
  double residual = 0, complementarity = 0, deepest = 0;

  void add(const solve::StepReport& report) {
    a_solves += report.a_solves;
    iterations += report.iterations;
    substeps = std::max(substeps, report.substeps);
    most_contacts = std::max(most_contacts, report.contact.stick + report.contact.slip);
    most_slipping = std::max(most_slipping, report.contact.slip);
    residual = std::max(residual, report.residual);
    complementarity = std::max(complementarity, report.contact.complementarity);
    deepest = std::max(deepest, report.contact.deepest);
  }
};

void measure(const bench::DiffpdContact& scene, jit::Engine& engine, int repetitions) {
  const solve::Objective objective(scene.model, engine);
  const auto loss = test::diffpd_loss(scene);
  const solve::StepSettings steps{.tolerance = tolerance};
  bench::Times forward, backward;
  std::vector<solve::State> states;
  adjoint::Gradient gradient;
  Evidence evidence;
  for (int k = 0; k <= repetitions; ++k) {
    if (k == 1) forward = backward = {};  // the first one compiles kernels
    evidence = {};
    forward.add([&] {
      states =
          solve::simulate(objective, scene.model, steps, solve::initial_state(scene.model),
                          [&](int, const solve::State&, const solve::StepReport& report) { evidence.add(report); });
    });
    backward.add([&] {
      adjoint::Tape tape(states);
      gradient = adjoint::backward(objective, scene.model, steps, {.tolerance = tolerance}, loss, tape);
    });
  }
  fmt::print("proxima threads {}: forward {} s, {} A-solves, {} iterations; backward {} s, {} A-solves\n",
             device::threads(), forward.text(), evidence.a_solves, evidence.iterations, backward.text(),
             gradient.a_solves);
  fmt::print(
      "  contacts {} at most, {} of them slipping, a step halved into {} at most, residual {:.1e}, of contacts {:.1e}, "
      "deepest {:.1e} m, "
      "loss {:.6g}, |gradient by positions| {:.6g}\n",
      evidence.most_contacts, evidence.most_slipping, evidence.substeps, evidence.residual, evidence.complementarity,
      evidence.deepest, gradient.loss, device::norm(gradient.positions));
}

int run(const Settings& settings) {
  const auto folder = bodies::reference_folder();
  if (!folder) fail("the folder reference is absent; set PROXIMA_SHARED_DATA to the one it is in");
  jit::Engine engine;
  fmt::print("tolerance {:g}, {} repetitions: wall s (least most) processor s\n", tolerance, settings.repetitions);
  for (auto& scene : bench::diffpd_contact_scenes(*folder / "reference.json", engine)) {
    if (scene.name.find(settings.word) == std::string::npos) continue;
    if (settings.static_friction) scene.model.contacts[0].friction = std::numeric_limits<double>::infinity();
    fmt::print("{}: {} hexahedra, {} nodes, {} steps of {:g} s\n", scene.name, scene.model.regions[0].elements.count(),
               scene.model.mesh.nodes.size(), scene.model.steps, scene.model.time_step);
    for (const auto& row : scene.seconds)
      fmt::print("DiffPD (from its file) threads {}: forward {:.1f} s, backward {:.1f} s, {} nodes that may touch\n",
                 row.threads, row.forward, row.backward, row.contact_nodes);
    for (const int threads : settings.threads) {
      device::set_threads(threads);
      measure(scene, engine, settings.repetitions);
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(settings_of({values + 1, values + count}));
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_diffpd_contact: {}\n", error.what());
    return 2;
  }
}
