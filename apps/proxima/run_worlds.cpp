// proxima run with several scenes of one mesh: worlds that are simulated side by side, each into a folder of its own.
#include <fmt/format.h>

#include <set>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/output_folder.hpp"
#include "apps/proxima/rollout_record.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

struct RunWorld {
  std::string name;
  std::filesystem::path folder;
  Problem problem;
  std::unique_ptr<RolloutRecord> record;
};

std::vector<RunWorld> load_worlds(const RunOptions& options) {
  std::vector<std::filesystem::path> scenes{options.scene};
  scenes.insert(scenes.end(), options.worlds.begin(), options.worlds.end());
  std::vector<RunWorld> worlds;
  worlds.reserve(scenes.size());
  std::set<std::string> names;
  for (const auto& scene : scenes) {
    RunWorld& world = worlds.emplace_back();
    world.name = scene.stem().string();
    world.folder = options.output / world.name;
    if (!names.insert(world.name).second)
      fail("run: two worlds are called '{}'; each has a folder of the name of its scene's file", world.name);
    check_folder(world.folder, options.existing);
    RunOptions of_one = options;
    of_one.scene = scene;
    world.problem = load_problem(of_one, worlds.size() > 1 ? &worlds.front().problem : nullptr);
  }
  return worlds;
}

}  // namespace

int run_worlds(const RunOptions& options) {
  std::vector<RunWorld> worlds = load_worlds(options);
  for (const RunWorld& world : worlds) {
    fmt::print("{}:\n", world.name);
    print_problem(world.problem);
  }
  std::vector<solve::World> all;
  all.reserve(worlds.size());
  for (RunWorld& world : worlds)
    all.push_back({world.name, world.problem.objective.get(),
                   [&world] { record_world(world.problem, *world.record, world.name); }});
  solve::require_alike(all);
  for (RunWorld& world : worlds) {
    open_folder(world.folder, options.existing);
    world.record = std::make_unique<RolloutRecord>(world.problem, world.folder);
    write_file(world.folder / "scene.json", world.problem.scene.resolved);
  }
  const solve::SharedWork work = solve::run_worlds(all);
  print_shared(worlds.size(), work);
  fmt::print("written to a folder of each world in {}\n", options.output.string());
  return 0;
}

}  // namespace proxima::app
