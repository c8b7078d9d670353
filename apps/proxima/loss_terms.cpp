#include "apps/proxima/loss_terms.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "apps/proxima/attached_markers.hpp"
#include "compiler/support/error.hpp"
#include "runtime/adjoint/function_loss.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/adjoint/marker_loss.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/function_inputs.hpp"
#include "runtime/model/recording.hpp"
#include "runtime/model/select.hpp"

namespace proxima::app {
namespace {

// See loss[].noise in the schema. Each coordinate gets a third of the variance. `squares`: of the ways of so many
// points.
class Noise {
 public:
  Noise(double share, std::uint64_t seed, double squares, double points)
      : normal_(0, share * std::sqrt(squares / points / 3)), random_(seed) {}
  double operator()() { return normal_(random_); }

 private:
  std::normal_distribution<double> normal_;
  std::mt19937_64 random_;
};

void add_noise(std::map<int, std::vector<double>>& frames, std::span<const double> initial,
               const model::TrajectoryTerm& chosen) {
  double squares = 0;
  for (const auto& [step, positions] : frames)
    for (std::size_t i = 0; i < positions.size(); ++i) squares += std::pow(positions[i] - initial[i], 2);
  Noise noise(chosen.noise, chosen.seed, squares, static_cast<double>(frames.size() * initial.size()) / 3);
  for (auto& [step, positions] : frames)
    for (double& coordinate : positions) coordinate += noise();
}

void add_noise(model::Sightings& seen, std::span<const model::MarkerPlace> places, const model::MarkersTerm& chosen) {
  double squares = 0;
  for (const auto& sighting : seen.all) {
    const auto way = mesh::minus(sighting.position, places[sighting.marker].position);
    squares += mesh::dot(way, way);
  }
  Noise noise(chosen.noise, chosen.seed, squares, static_cast<double>(seen.all.size()));
  for (auto& sighting : seen.all)
    for (double& coordinate : sighting.position) coordinate += noise();
}

using LossPointer = std::shared_ptr<const adjoint::Loss>;

class Maker {
 public:
  // Adds its markers, if it has some.
  Maker(Problem& problem, std::size_t number, std::vector<TermMarkers>& markers)
      : problem_(problem),
        number_(number),
        markers_(markers),
        frames_(frames(problem.scene.loss[number], problem.scene.steps)),
        where_(fmt::format("{}: loss[{}]", problem.scene.file.string(), number)) {}

  LossPointer operator()(const model::TrajectoryTerm& chosen) const {
    const auto& model = problem_.model();
    std::error_code ignored;
    if (!std::filesystem::exists(chosen.recording, ignored)) {
      fail("{}.trajectory: {}: no such file; proxima run makes one", where_, chosen.recording.string());
    }
    const model::Recording recording(chosen.recording);
    if (recording.states().header().nodes != model.mesh.nodes.size()) {
      fail("{}.trajectory: {} has {} nodes, the scene's mesh has {}", where_, chosen.recording.string(),
           recording.states().header().nodes, model.mesh.nodes.size());
    }
    if (!recording.reaches(frames_.back() * model.time_step)) refuse_end(chosen, recording.states());
    std::map<int, std::vector<double>> frames;
    for (const int frame : frames_) frames[frame] = recording.positions(frame * model.time_step);
    if (chosen.noise > 0) add_noise(frames, model.initial_positions, chosen);
    return std::make_shared<adjoint::RecordedMotion>(std::move(frames), weights(chosen));
  }

  LossPointer operator()(const model::MarkersTerm& chosen) const {
    auto markers = load_markers(problem_.model(), chosen);
    markers_.push_back({number_, markers});
    problem_.built.notes.push_back(fmt::format("loss[{}]: {}", number_, describe(markers)));
    if (auto why = implausible_start(problem_.model(), markers); !why.empty())
      problem_.built.warnings.push_back(fmt::format("{}: {}", where_, why));
    if (chosen.noise > 0) add_noise(markers.seen, markers.places, chosen);
    std::vector<adjoint::SeenMarker> sightings;
    sightings.reserve(markers.seen.all.size());
    for (const auto& [time, marker, position, where] : markers.seen.all) sightings.push_back({time, marker, position});
    return std::make_shared<adjoint::MarkerLoss>(std::move(markers.attached), sightings, problem_.model().time_step);
  }

  LossPointer operator()(const model::CentreOfMassTerm& chosen) const {
    return mean([&](int frame) {
      return std::make_shared<adjoint::CentreTarget>(frame, chosen.target,
                                                     adjoint::mass_weights(problem_.objective->mass()));
    });
  }

  LossPointer operator()(const model::NodesTerm& chosen) const {
    const auto& mesh = problem_.model().mesh;
    const auto nodes = model::select_nodes(chosen.select, problem_.model(), where_ + ".nodes.select");
    std::vector<model::Vector3> targets;
    for (const auto node : nodes) {
      targets.push_back(mesh.nodes[node]);
      for (int i = 0; i < 3; ++i) targets.back()[i] += chosen.displacement[i];
    }
    return mean([&](int frame) { return std::make_shared<adjoint::NodeTargets>(frame, nodes, targets); });
  }

  LossPointer operator()(const model::FunctionTerm& chosen) const {
    const auto& model = problem_.model();
    const auto where = where_ + ".function";
    const auto function = std::make_shared<const ir::Function>(
        problem_.engine->load_function(chosen.function.file, chosen.function.name));
    const auto mass = problem_.objective->mass();
    auto inputs = model::observations(chosen.function, *function, model, {mass.begin(), mass.end()}, where);
    auto parameters = model::function_parameters(chosen.function, *function, where);
    try {
      return std::make_shared<adjoint::FunctionLoss>(frames_, solve::UserFunction(function, *problem_.engine),
                                                     std::move(inputs), std::move(parameters), model.time_step);
    } catch (const Error& error) {
      fail("{}: {}", where, error.what());
    }
  }

 private:
  static std::vector<int> frames(const model::LossTerm& term, int steps) {
    if (term.frames) return *term.frames;
    std::vector<int> all(static_cast<std::size_t>(steps));
    std::iota(all.begin(), all.end(), 1);
    return all;
  }

  [[noreturn]] void refuse_end(const model::TrajectoryTerm& chosen, const model::TrajectoryReader& states) const {
    const auto name = chosen.recording.string();
    const char* how = states.damaged() ? "is damaged" : "ends";
    const double step = states.header().time_step, own_step = problem_.model().time_step;
    if (step == own_step)
      fail("{}.trajectory: {} {} after step {}, step {} is asked for", where_, name, how, states.frames() - 1,
           frames_.back());
    fail("{}.trajectory: {} {} after {:g} s, {} steps of {:g} s; step {} of the scene, after {:g} s, is asked for",
         where_, name, how, (states.frames() - 1) * step, states.frames() - 1, step, frames_.back(),
         frames_.back() * own_step);
  }

  std::vector<double> weights(const model::TrajectoryTerm& chosen) const {
    const auto& model = problem_.model();
    if (!chosen.select) return adjoint::uniform_weights(model.mesh.nodes.size());
    const auto nodes = model::select_nodes(*chosen.select, model, where_ + ".select");
    std::vector<double> result(model.mesh.nodes.size());
    for (const auto node : nodes) result[static_cast<std::size_t>(node)] = 1 / static_cast<double>(nodes.size());
    return result;
  }

  template <class Make>
  LossPointer mean(Make make) const {
    std::vector<adjoint::SumLoss::Term> terms;
    terms.reserve(frames_.size());
    for (const int frame : frames_) terms.emplace_back(1.0 / static_cast<double>(frames_.size()), make(frame));
    return std::make_shared<adjoint::SumLoss>(std::move(terms));
  }

  Problem& problem_;
  std::size_t number_;
  std::vector<TermMarkers>& markers_;
  std::vector<int> frames_;
  std::string where_;
};

}  // namespace

SceneLoss make_loss(Problem& problem) {
  const auto& terms = problem.scene.loss;
  if (terms.empty()) fail("{}: loss: is missing; there is nothing to differentiate", problem.scene.file.string());
  SceneLoss result;
  std::vector<adjoint::SumLoss::Term> sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Maker maker(problem, i, result.markers);
    sum.emplace_back(terms[i].weight, std::visit(maker, terms[i].what));
  }
  result.loss = std::make_shared<adjoint::SumLoss>(std::move(sum));
  return result;
}

}  // namespace proxima::app
