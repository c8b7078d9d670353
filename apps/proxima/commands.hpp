// The commands of the program, one .cpp each. They print for people on stdout, progress on stderr, and return the exit
// status; a proxima::Error that leaves them is printed by main, which exits with 2.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace proxima::app {

// Exit statuses besides 0, and 1 for a check that failed.
inline constexpr int defect = 1, mendable = 2;

// What to do with an output folder that has files in it.
enum class Existing { refuse, resume, overwrite };

struct RunOptions {
  std::filesystem::path scene;
  std::filesystem::path output;
  Existing existing = Existing::refuse;
  std::optional<int> threads;                   // in place of the scene's
  std::string solver;                           // in place of the scene's solver.method; "" for that
  std::string device;                           // in place of the scene's solver.device; "" for that
  bool states_only = false;                     // nothing will be solved: no GPU is needed
  std::vector<std::filesystem::path> worlds{};  // other scenes of the same mesh, to be run beside this one
};

// Runs the scene with every method and prints what each takes; writes nothing.
int compare_solvers(const RunOptions& options);

int run(const RunOptions& options);
int run_worlds(const RunOptions& options);

struct OptimizeOptions {
  std::vector<std::filesystem::path> scenes;  // one or several, fitted together
  std::filesystem::path output;
  Existing existing = Existing::refuse;
  std::optional<int> threads;
  std::string device;
  std::vector<std::filesystem::path> worlds{};  // of the same mesh and variables, fitted side by side with the scene
  bool side_by_side() const { return !worlds.empty(); }
};
int optimize(const OptimizeOptions& options);

// Without an output folder (empty) it only prints.
int gradcheck(const RunOptions& options);

int schema(bool markdown);

struct ReportOptions {
  std::filesystem::path folder;  // of a run
  std::filesystem::path output;  // "" for report.html in the folder
  int frames = 200;              // at most
};
int report(const ReportOptions& options);

struct MarkersOptions {
  std::filesystem::path folder;  // of a run
  std::filesystem::path attach;  // table of where markers sit at the start
  std::filesystem::path output;  // table of sightings
  std::optional<double> rate;    // 1/s; none: each state of the run
  double noise = 0;              // standard deviation of each coordinate, m
  double hidden = 0;             // share of the sightings after time 0 that are left out
  std::uint64_t seed = 1;
  std::optional<double> attach_within;  // m
};
int markers(const MarkersOptions& options);

struct ExplainOptions {
  std::filesystem::path material;
  std::string energy;  // "" for all that the file defines
  std::string target = "cpu";
  std::vector<std::string> architectures = {"sm_90"};  // of target "cuda"
};
int explain(const ExplainOptions& options);

struct EmitOptions {
  std::filesystem::path material;
  std::string energy;  // "" when the file defines one
  std::string kernel;
  std::string target = "c";        // or "llvm"
  std::string precision = "fp64";  // or "fp32"
  std::filesystem::path output;    // "" for the terminal
};
int emit(const EmitOptions& options);

struct CompileOptions {
  std::filesystem::path material;
  std::string energy;  // "" for all that the file defines
  std::string target = "cuda";
  std::vector<std::string> architectures;
  std::string precision = "fp64";
  std::filesystem::path output;  // folder, "" for none: the table alone
};
int compile(const CompileOptions& options);

struct CheckOptions {
  std::filesystem::path material;
  std::string energy;            // "" for all that the file defines
  std::vector<std::string> set;  // "E=2e5": values of parameters, in the place of the defaults
  std::string json;              // file, "-" for stdout in place of the text, "" for none
  std::filesystem::path html;    // "" for none
  std::filesystem::path curves;  // folder, "" for none
};
int check(const CheckOptions& options);

std::string version_text();

}  // namespace proxima::app
