// The command line: what the arguments are, which command they go to, and how errors end.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/mesh_commands.hpp"
#include "compiler/support/error.hpp"
#include "runtime/solve/methods/solver.hpp"

namespace {

namespace app = proxima::app;

constexpr const char* comparison = "compare";

std::vector<std::string> solver_choices() {
  std::vector<std::string> result;
  for (const auto& entry : proxima::solve::methods()) result.emplace_back(entry.name);
  result.emplace_back(comparison);
  return result;
}

void add_threads(CLI::App* command, std::optional<int>& threads) {
  command->add_option("--threads", threads, "Threads, 0 for all cores; the result does not depend on it")
      ->check(CLI::Range(0, 1024));
}

void add_device(CLI::App* command, std::string& device) {
  command
      ->add_option("--device", device,
                   "Where to solve, in place of the scene's solver.device; auto: on a GPU if it can be")
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}));
}

CLI::App* add_scene_command(CLI::App& cli, const char* name, const char* help, app::RunOptions& options) {
  auto* command = cli.add_subcommand(name, help);
  command->add_option("scene", options.scene, "The scene file (see proxima schema)")->required();
  add_threads(command, options.threads);
  add_device(command, options.device);
  return command;
}

CLI::Option* add_overwrite(CLI::App* command, app::Existing& existing) {
  return command->add_flag_callback(
      "--overwrite", [&existing] { existing = app::Existing::overwrite; },
      "Replace what proxima wrote into the folder before; other files stay");
}

void add_resume(CLI::App* command, app::Existing& existing) {
  auto* resume = command->add_flag_callback(
      "--resume", [&existing] { existing = app::Existing::resume; }, "Go on where an interrupted one ended");
  add_overwrite(command, existing)->excludes(resume);
}

CLI::App* add_markers(CLI::App& cli, app::MarkersOptions& options) {
  auto* markers = cli.add_subcommand(
      "markers", "Write where markers on a run's bodies were, as a camera sees them: a table for loss[].markers");
  markers->add_option("folder", options.folder, "The output folder of a run, finished or not")->required();
  markers
      ->add_option("--attach", options.attach,
                   "Where they sit at the start: a table of CSV with the columns marker, x, y, z (m)")
      ->required();
  markers->add_option("-o,--output", options.output, "The table")->required();
  markers->add_option("--rate", options.rate, "Pictures a second, from time 0 on; left out: each state of the run")
      ->check(CLI::PositiveNumber);
  markers->add_option("--noise", options.noise, "Standard deviation of each coordinate, m")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  markers->add_option("--hidden", options.hidden, "Share of the sightings that are left out, none of them at time 0")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  markers->add_option("--seed", options.seed, "Of both")->capture_default_str();
  markers
      ->add_option("--attach-within", options.attach_within,
                   "How far from the body a marker may be, m; left out: 5 % of the body's diagonal")
      ->check(CLI::PositiveNumber);
  return markers;
}

int dispatch(int argc, char** argv) {
  CLI::App cli("Simulates soft bodies whose material is an energy written in C++, and differentiates the result.",
               "proxima");
  cli.require_subcommand(0, 1);  // none is answered below: a word that is no command should be named as such
  cli.set_version_flag("--version", app::version_text);
  cli.footer(
      "Exit status: 0 done; 1 a check failed, or a defect of the program; 2 something in the input is to be mended.");

  app::RunOptions options;
  app::OptimizeOptions optimize_options;
  app::ExplainOptions explain_options;
  app::CheckOptions check_options;
  app::EmitOptions emit_options;
  app::CompileOptions compile_options;
  app::ReportOptions report_options;
  app::MarkersOptions marker_options;
  bool markdown = false;

  auto* run = add_scene_command(cli, "run", "Simulate a scene", options);
  run->add_option("-o,--output", options.output, "Folder for the results");
  run->add_option(
      "--worlds", options.worlds,
      "Scenes of the same mesh that are simulated beside this one, which read the factor together; each into "
      "a folder of its name");
  run->add_option(
         "--solver", options.solver,
         "Solver in place of the scene's; compare: run the scene with each and print a table, without a folder")
      ->check(CLI::IsMember(solver_choices()));
  add_resume(run, options.existing);

  auto* optimize = cli.add_subcommand("optimize", "Find the variables of scenes that make their loss smallest");
  optimize
      ->add_option("scenes", optimize_options.scenes,
                   "The scene file (see proxima schema); of several, variables of the same name are one, losses add up "
                   "and the first says how to search. Under mpirun, starts and scenes are shared out")
      ->required();
  optimize->add_option("--worlds", optimize_options.worlds,
                       "Scenes of the same mesh and variables that are fitted together with this one, their steps and "
                       "gradients side by side, for which the factor is read together");
  optimize->add_option("-o,--output", optimize_options.output, "Folder for the results")->required();
  add_threads(optimize, optimize_options.threads);
  add_device(optimize, optimize_options.device);
  add_resume(optimize, optimize_options.existing);

  auto* gradcheck =
      add_scene_command(cli, "gradcheck", "Test the gradient of the scene's loss against differences", options);
  gradcheck->add_option("--worlds", options.worlds,
                        "Scenes of the same mesh whose losses are added to this one's, evaluated side by side: the "
                        "gradient of the sum is tested by the inputs of all");
  gradcheck->add_option("-o,--output", options.output, "Folder for gradcheck.json");
  add_overwrite(gradcheck, options.existing);

  auto* report = cli.add_subcommand("report", "Show a run as one HTML page: the moving body, plots, tables");
  report->add_option("folder", report_options.folder, "The output folder of a run, finished or not")->required();
  report->add_option("-o,--output", report_options.output, "The page; left out: report.html in the folder");
  report
      ->add_option("--frames", report_options.frames,
                   "Moments of the motion at most; fewer where the file would be large")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();

  auto* markers = add_markers(cli, marker_options);

  auto* schema = cli.add_subcommand("schema", "List every key of a scene file");
  schema->add_flag("--markdown", markdown, "As a Markdown table");

  auto* explain = cli.add_subcommand("explain", "Show what each pass of the compiler makes of a material");
  explain->add_option("material", explain_options.material, "The C++ file")->required();
  explain->add_option("--energy", explain_options.energy, "Only this one of the file's energies");

  explain->add_option("--target", explain_options.target, "cpu: this processor; cuda: registers and spills on a GPU")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  explain->add_option("--arch", explain_options.architectures, "Architectures for cuda, as sm_80,sm_90")
      ->delimiter(',')
      ->capture_default_str();

  auto* compile = cli.add_subcommand("compile", "Compile all kernels of a material ahead of time");
  compile->add_option("material", compile_options.material, "The C++ file")->required();
  compile->add_option("--target", compile_options.target, "cuda: for GPUs, by NVRTC; no GPU is needed")
      ->check(CLI::IsMember({"cuda"}))
      ->capture_default_str();
  compile->add_option("--arch", compile_options.architectures, "sm_80,sm_90 for machine code, compute_90 for PTX")
      ->delimiter(',')
      ->required();
  compile->add_option("--precision", compile_options.precision, "Of the numbers")
      ->check(CLI::IsMember({"fp64", "fp32"}))
      ->capture_default_str();
  compile->add_option("--energy", compile_options.energy, "Only this one of the file's energies");
  compile->add_option("-o,--output", compile_options.output,
                      "Folder for the code and kernels.csv; without it only a table is printed");

  auto* emit = cli.add_subcommand("emit", "Print one kernel of a material as code to read");
  emit->add_option("material", emit_options.material, "The C++ file")->required();
  emit->add_option("--kernel", emit_options.kernel,
                   "Which kernel, as stress or hessian_vector; another word lists them")
      ->required();
  emit->add_option("--target", emit_options.target,
                   "c: plain C for one element; cuda: CUDA C++; llvm: LLVM IR for this processor's vectors")
      ->check(CLI::IsMember({"c", "cuda", "llvm"}))
      ->capture_default_str();
  emit->add_option("--precision", emit_options.precision, "Of the numbers")
      ->check(CLI::IsMember({"fp64", "fp32"}))
      ->capture_default_str();
  emit->add_option("--energy", emit_options.energy, "Which energy, when the file defines several");
  emit->add_option("-o,--output", emit_options.output, "Write to this file instead of the terminal");

  auto* check = cli.add_subcommand(
      "check",
      "Say what a material is: at rest, turned, at extremes; whether its derivatives are right; what it costs");
  check->add_option("material", check_options.material, "The C++ file")->required();
  check->add_option("--energy", check_options.energy, "Only this one of the file's energies");
  check->add_option("--set", check_options.set, "Values of parameters in the place of the defaults: E=2e5 nu=0.45")
      ->type_name("NAME=VALUE");
  check->add_option("--json", check_options.json, "Write the report as JSON to this file, or to the terminal (-)");
  check->add_option("--html", check_options.html, "Write the report with curves of stress as one HTML page");
  check->add_option("--curves", check_options.curves, "Write the curves as SVG pictures into this folder");

  app::Action mesh_action;
  auto* mesh = app::add_mesh_command(cli, mesh_action);

  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli.exit(error) == 0 ? 0 : app::mendable;
  }
  if (cli.get_subcommands().empty()) proxima::fail("which command? {} --help lists them", argv[0]);
  if (mesh->parsed()) return mesh_action();
  if (run->parsed()) {
    if (options.solver == comparison && !options.worlds.empty())
      proxima::fail("run: --worlds does not go with --solver {}, which writes nothing", comparison);
    if (options.solver == comparison) return app::compare_solvers(options);
    if (options.output.empty()) proxima::fail("run: which folder are the results to go to? -o FOLDER says so");
    return options.worlds.empty() ? app::run(options) : app::run_worlds(options);
  }
  if (optimize->parsed()) return app::optimize(optimize_options);
  if (gradcheck->parsed()) return app::gradcheck(options);
  if (report->parsed()) return app::report(report_options);
  if (markers->parsed()) return app::markers(marker_options);
  if (compile->parsed()) return app::compile(compile_options);
  if (emit->parsed()) return app::emit(emit_options);
  if (check->parsed()) return app::check(check_options);
  if (explain->parsed()) return app::explain(explain_options);
  return app::schema(markdown);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const proxima::Error& error) {
    std::fflush(stdout);
    fmt::print(stderr, "proxima: {}\n", error.what());
    return app::mendable;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "proxima: internal error, please report it with the scene that shows it: {}\n", error.what());
    return app::defect;
  }
}
