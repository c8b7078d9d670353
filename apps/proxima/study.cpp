#include "apps/proxima/study.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "apps/proxima/loss_terms.hpp"
#include "apps/proxima/rollout_record.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

// Each file or folder of the loss of a scene, under its key.
template <class Visit>
void visit_recordings(const model::Scene& scene, const Visit& visit) {
  for (std::size_t i = 0; i < scene.loss.size(); ++i) {
    if (const auto* recorded = std::get_if<model::TrajectoryTerm>(&scene.loss[i].what))
      visit(i, "trajectory", recorded->recording);
    if (const auto* markers = std::get_if<model::MarkersTerm>(&scene.loss[i].what)) {
      visit(i, "markers", markers->table);
      if (markers->attach) visit(i, "attach", *markers->attach);
    }
  }
}

// --overwrite would remove the very motion that is to be matched.
void keep_recordings(const Study& study, const fs::path& output) {
  const auto& scene = study.problem.scene;
  visit_recordings(scene, [&](std::size_t i, const char* key, const fs::path& recording) {
    std::error_code ignored;
    const auto folder = fs::is_directory(recording, ignored) ? recording : recording.parent_path();
    for (const auto& written : {output, study.folder})
      if (fs::equivalent(folder, written, ignored))
        fail("{}: loss[{}].{} lies in the output folder {}; choose another folder", scene.file.string(), i, key,
             written.string());
  });
}

// A recording by what it was made from, a table by what is in it, wherever they lie.
std::string loss_text(const model::Scene& scene) {
  auto terms = nlohmann::ordered_json::parse(scene.resolved)["loss"];
  visit_recordings(scene, [&](std::size_t i, const std::string& key, const fs::path& recording) {
    if (key != "trajectory") {
      terms[i][key] = hash_bytes(read_file(recording)).hex();
      return;
    }
    const model::TrajectoryReader states(recording);
    terms[i][key] = fmt::format("{} {}", states.header().fingerprint.hex(), states.frames());
  });
  return terms.dump();
}

std::string variables_text(const model::Scene& scene) {
  auto section = nlohmann::ordered_json::parse(scene.resolved)["optimize"];
  for (const char* rule : {"max_evaluations", "gradient_tolerance", "decrease_tolerance", "loss_tolerance", "patience"})
    section.erase(rule);
  for (auto& variable : section["variables"]) variable.erase("truth");
  return section.dump();
}

}  // namespace

std::vector<Study> load_studies(const OptimizeOptions& options) {
  std::vector<fs::path> scenes = options.scenes;
  scenes.insert(scenes.end(), options.worlds.begin(), options.worlds.end());
  std::vector<Study> studies;
  std::set<std::string> names;
  for (const auto& scene : scenes) {
    const std::string name = scene.stem().string();
    if (!names.insert(name).second)
      fail("{}: another scene is called '{}', too; their results would have the same name", scene.string(), name);
    const Problem* first = options.side_by_side() && !studies.empty() ? &studies.front().problem : nullptr;
    auto problem = load_problem({scene, options.output, options.existing, options.threads, {}, options.device}, first);
    auto [loss, markers] = make_loss(problem);
    Study study{std::move(problem), std::move(loss), MarkerDistances(std::move(markers)), options.output};
    if (scenes.size() > 1) study.folder /= name;
    keep_recordings(study, options.output);
    studies.push_back(std::move(study));
  }
  return studies;
}

JointDesign joint_design(const std::vector<Study>& studies) {
  std::vector<NamedDesign> designs;
  std::vector<std::string> scenes;
  for (const auto& study : studies) {
    designs.push_back(make_design(study.problem));
    scenes.push_back(study.problem.scene.file.string());
  }
  return {std::move(designs), scenes};
}

optimize::FitSettings fit_settings(const model::Scene& scene) {
  optimize::FitSettings settings;
  settings.step = step_settings(scene);
  settings.adjoint = adjoint_settings(scene);
  const auto& chosen = *scene.optimize;
  auto& minimiser = settings.optimiser;
  minimiser.method = chosen.method;
  minimiser.of_method.learning_rate = chosen.learning_rate;
  minimiser.of_method.learning_decay = chosen.learning_decay;
  minimiser.max_evaluations = chosen.max_evaluations;
  minimiser.projected_gradient = chosen.gradient_tolerance;
  minimiser.relative_decrease = chosen.decrease_tolerance;
  minimiser.patience = chosen.patience;
  minimiser.value = chosen.loss_tolerance;
  return settings;
}

std::vector<optimize::Part> search_parts(std::vector<Study>& studies, const JointDesign& design) {
  std::vector<optimize::Part> parts;
  parts.reserve(studies.size());
  for (std::size_t s = 0; s < studies.size(); ++s)
    parts.push_back([&study = studies[s], &design, s,
                     settings = fit_settings(studies[s].problem.scene)](std::span<const double> u) {
      auto value = optimize::rollout_value(*study.problem.objective, study.problem.model(), design.design(s),
                                           *study.loss, settings, design.of_scene(s, u));
      value.found.gradient = design.gradient(s, value.found.gradient);
      return value;
    });
  return parts;
}

Hash search_fingerprint(const std::vector<Study>& studies, bool side_by_side) {
  std::string text = side_by_side ? "with the A of the first\n" : "";
  for (const auto& study : studies) {
    const auto& scene = study.problem.scene;
    text += fmt::format("{} {} {} {} {}\n{}\n{}\n", trajectory_header(study.problem).fingerprint.hex(), scene.steps,
                        scene.adjoint.tolerance, scene.adjoint.max_cg, scene.adjoint.hessian, loss_text(scene),
                        variables_text(scene));
  }
  return hash_bytes(text);
}

}  // namespace proxima::app
