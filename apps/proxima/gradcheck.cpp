// The gradient of the scene's loss, or of the sum of those of several worlds, against differences of the loss itself:
// one Taylor test for each kind of input, in a random direction. Where a scene has an optimize section, at the values
// the optimization starts from.
#include "runtime/optimize/gradcheck.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/design_choice.hpp"
#include "apps/proxima/gradient_inputs.hpp"
#include "apps/proxima/loss_terms.hpp"
#include "apps/proxima/output_folder.hpp"
#include "apps/proxima/progress.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

constexpr double least_order = 1.9, largest_central = 1e-6;

const optimize::TaylorSettings settings{.stop_when_passed = true};

int taylor_evaluations() {
  const double decades = std::log10(settings.largest / settings.smallest);
  return 1 + 2 * (1 + static_cast<int>(std::lround(decades * settings.per_decade)));
}

struct Outcome {
  std::string name;
  bool passed = false;
  std::string sentence;
  optimize::TaylorReport report;
};

double slope(const GradientInput& input) {
  double sum = 0;
  for (std::size_t i = 0; i < input.gradient.size(); ++i) sum += input.gradient[i] * input.direction[i];
  return sum;
}

// A gradient that predicts less than a rounding of the loss, as one of zero, is right only when the loss doesn't move
// by more than the tolerance of its steps; the Taylor test can't say. It can't either of one that predicts less than
// that tolerance while the loss moves by roundings alone, of which a rollout has some hundred. Nothing in other cases.
std::optional<Outcome> check_zero(const GradientInput& input, double tolerance) {
  constexpr double distance = 1e-2, rounding = std::numeric_limits<double>::epsilon(), roundings = 100;
  const double here = std::abs(input.loss(input.point)), predicted = std::abs(slope(input)) * distance;
  if (predicted > tolerance * here) return std::nullopt;
  auto moved = input.point;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += distance * input.direction[i];
  const double change = input.loss(moved) - input.loss(input.point);
  if (predicted > rounding * here) {
    if (std::abs(change) > roundings * rounding * here || predicted <= std::abs(change)) return std::nullopt;
    return Outcome{
        input.name, true, "the loss does not depend on it, and the gradient is zero as far as steps are solved", {}};
  }
  if (std::abs(change) <= tolerance * here)
    return Outcome{input.name, true, "the loss does not depend on it, and the gradient is zero", {}};
  return Outcome{input.name, false, fmt::format("the gradient is zero, but the loss changes by {:.3e}", change), {}};
}

// A direction that hardly moves the loss is made longer first.
optimize::TaylorReport test(const GradientInput& input, Progress& progress) {
  auto direction = input.direction;
  const double factor = optimize::telling_distance(input.loss, input.point, input.gradient, direction, settings);
  for (auto& entry : direction) entry *= factor;
  int evaluations = 0;
  const auto counted = [&](std::span<const double> point) {
    progress.update(++evaluations, "rollouts");
    return input.loss(point);
  };
  return optimize::taylor_test(counted, input.point, input.gradient, direction, settings);
}

Outcome check(const GradientInput& input, double tolerance, Progress& progress) {
  Outcome outcome{input.name, false, "", {}};
  try {
    if (auto zero = check_zero(input, tolerance)) return *zero;
    outcome.report = test(input, progress);
  } catch (const Error& error) {
    outcome.sentence = fmt::format("could not be tested: {}", error.what());
    return outcome;
  }
  outcome.passed = outcome.report.passed(least_order, largest_central);
  if (outcome.passed && outcome.report.central_doubt > 10 * largest_central) {
    outcome.sentence = fmt::format(
        "the loss hardly depends on it: its roundings leave central differences good to {:.0e}, and that far they "
        "agree with the gradient",
        outcome.report.central_doubt);
  } else if (outcome.passed && outcome.report.order < least_order && !outcome.report.order_shows) {
    outcome.sentence =
        "the loss hardly depends on it, and its second-order part is within rounding; central differences agree: the "
        "gradient is that of this loss";
  } else if (outcome.passed && !std::isfinite(outcome.report.order)) {
    outcome.sentence =
        "central differences agree a hundred times better than they need to, before the remainder could be followed "
        "over two decades: the gradient is that of this loss";
  } else if (outcome.passed && outcome.report.order < least_order) {
    outcome.sentence =
        "the loss is so nearly linear that its second-order part is not seen; central differences agree a hundred "
        "times better than they need to: the gradient is that of this loss";
  } else if (outcome.passed) {
    outcome.sentence = "the remainder falls with the square of the distance: the gradient is that of this loss";
  } else if (outcome.report.order < least_order) {
    outcome.sentence = fmt::format(
        "the remainder falls with order {:.2f}, below {}: the gradient is wrong, or the loss is too rough for it",
        outcome.report.order, least_order);
  } else {
    outcome.sentence = fmt::format(
        "central differences agree to {:.1e} only, {:.0e} is needed, and are good to {:.0e} themselves: a small error, "
        "or a step solved too coarsely",
        outcome.report.central, largest_central, outcome.report.central_doubt);
  }
  return outcome;
}

void print(const Outcome& outcome) {
  fmt::print("\n{}: {}\n", outcome.name, outcome.passed ? "passed" : "FAILED");
  if (!outcome.report.rows.empty()) fmt::print("{}", optimize::table(outcome.report));
  fmt::print("{}\n", outcome.sentence);
  std::fflush(stdout);
}

void write(const std::filesystem::path& folder, const std::vector<Outcome>& outcomes) {
  auto result = nlohmann::ordered_json::array();
  for (const auto& outcome : outcomes) {
    nlohmann::ordered_json entry = {{"input", outcome.name}, {"passed", outcome.passed}, {"meaning", outcome.sentence}};
    if (!outcome.report.rows.empty()) {
      entry["slope"] = outcome.report.slope;
      entry["order"] = outcome.report.order;
      entry["central_difference_error"] = outcome.report.central;
      for (const auto& row : outcome.report.rows) {
        entry["rows"].push_back({{"distance", row.epsilon}, {"change", row.zeroth}, {"remainder", row.first}});
      }
    }
    result.push_back(std::move(entry));
  }
  write_file(folder / "gradcheck.json", result.dump(2) + "\n");
}

// Where the optimization would start: the scene's own values may be the minimum, where every gradient is zero.
void move_to_start(Problem& problem) {
  const auto named = make_design(problem);
  put_values(problem, named.design, named.design.start());
}

std::vector<CheckedScene> load(const RunOptions& options) {
  std::vector<std::filesystem::path> files = {options.scene};
  files.insert(files.end(), options.worlds.begin(), options.worlds.end());
  std::vector<CheckedScene> scenes;
  scenes.reserve(files.size());
  for (const auto& file : files) {
    RunOptions of_one = options;
    of_one.scene = file;
    CheckedScene scene{load_problem(of_one, scenes.empty() ? nullptr : &scenes.front().problem), {}};
    if (files.size() > 1) fmt::print("{}:\n", file.stem().string());
    scene.loss = make_loss(scene.problem).loss;
    print_problem(scene.problem);
    if (scene.problem.scene.optimize) move_to_start(scene.problem);
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

}  // namespace

int gradcheck(const RunOptions& options) {
  if (!options.output.empty()) check_folder(options.output, options.existing, Resumable::no);
  std::vector<CheckedScene> scenes = load(options);
  solve::SharedWork work;
  const auto inputs = gradient_inputs(scenes, work);
  std::vector<Outcome> outcomes;
  for (const auto& input : inputs) {
    Progress progress("gradcheck " + input.name, taylor_evaluations());
    outcomes.push_back(check(input, scenes.front().problem.scene.gradcheck.tolerance, progress));
    print(outcomes.back());
  }
  const auto failed =
      std::count_if(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return !outcome.passed; });
  fmt::print("\n");
  if (scenes.size() > 1)
    print_shared(scenes.size(), work);
  else
    print_kernels(scenes.front().problem);
  fmt::print("{} of {} gradients passed\n", outcomes.size() - static_cast<std::size_t>(failed), outcomes.size());
  if (!options.output.empty()) {
    open_folder(options.output, options.existing);
    write(options.output, outcomes);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace proxima::app
