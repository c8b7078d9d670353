#include "compiler/check/checks.hpp"

#include <algorithm>
#include <cstdint>

#include "compiler/check/check.hpp"

namespace proxima::check {
namespace {

enum class Kind : std::uint8_t { energy, dissipation, either };

struct Check {
  const char* key;
  const char* title;
  unsigned measures;  // to which it applies
  Kind kind;
  bool needs_rest;  // says nothing where the energy is not finite at rest
  void (*run)(Context&);

  bool applies(const Context& context) const {
    if (!context.is(measures) || (needs_rest && context.rest.not_finite)) return false;
    return kind == Kind::either || (kind == Kind::dissipation) == context.energy.dissipation;
  }
};

std::vector<Curve> curves_if_any(const Context& context) {
  if (context.rest.not_finite || context.energy.dissipation) return {};
  return curves_of(context);
}

constexpr unsigned any = solid | surface | edge | stencil;
constexpr Check checks[] = {
    {"parameters", "Parameters", any, Kind::either, false, check_parameters},
    {"rest", "At rest", any, Kind::either, false, check_rest},
    {"rotations", "Rigid motions of the body", any, Kind::either, true, check_rotations},
    {"isotropy", "Rotations of the material", solid | surface, Kind::energy, true, check_isotropy},
    {"dissipation", "Dissipation", any, Kind::dissipation, true, check_dissipation},
    {"growth", "Extreme deformations", solid | surface | edge, Kind::energy, true, check_growth},
    {"softening", "Softening", solid | surface | edge, Kind::energy, true, check_softening},
    {"domain", "Where it is defined", any, Kind::either, true, check_domain},
    {"derivatives", "Derivatives, against differences", any, Kind::either, true, check_derivatives},
    {"filtered", "Hessians without negative eigenvalues", any, Kind::either, true, check_filtered},
    {"local_steps", "Local steps and their adjoints", any, Kind::either, true, check_local_steps},
    {"compiled", "Compiled kernels, against the interpreter", any, Kind::either, true, check_compiled},
    {"cost", "Cost", any, Kind::either, false, check_cost},
};

}  // namespace

const char* name_of(Severity severity) {
  static constexpr const char* names[] = {"note", "warning", "error"};
  return names[static_cast<int>(severity)];
}

bool Report::has(Severity severity) const {
  return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.severity == severity; });
}

Report check(const ir::Energy& energy, jit::Engine& engine, const Options& options) {
  Report report;
  report.name = energy.name;
  report.file = energy.file;
  Context context(energy, engine, options, report);
  report.describes = describe(energy);
  for (const Check& check : checks) {
    if (!check.applies(context)) continue;
    report.sections.push_back({check.key, check.title, {}, {}});
    context.section = &report.sections.back();
    check.run(context);
  }
  report.curves = curves_if_any(context);
  std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return report;
}

std::vector<Curve> curves(const ir::Energy& energy, jit::Engine& engine, const Options& options) {
  Report unused;  // a context belongs to a report
  return curves_if_any(Context(energy, engine, options, unused));
}

}  // namespace proxima::check
