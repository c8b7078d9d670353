// What is known about the energies of a material file: on the terminal, as JSON, and as a page with curves.
#include "compiler/check/check.hpp"

#include <fmt/format.h>

#include "apps/proxima/check_page.hpp"
#include "apps/proxima/commands.hpp"
#include "compiler/check/text.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {

int check(const CheckOptions& options) {
  jit::Engine engine;
  std::vector<ir::Energy> energies;
  if (options.energy.empty())
    energies = engine.load_energies(options.material);
  else
    energies.push_back(engine.load_energy(options.material, options.energy));

  std::vector<check::Report> reports;
  reports.reserve(energies.size());
  for (const ir::Energy& energy : energies) reports.push_back(check::check(energy, engine));
  bool wrong = false;
  const bool json_only = options.json == "-";
  for (const check::Report& report : reports) {
    wrong |= report.has(check::Severity::error);
    if (!json_only) fmt::print("{}{}", &report == reports.data() ? "" : "\n\n", check::to_text(report));
  }
  if (json_only)
    fmt::print("{}", check::to_json(reports));
  else if (!options.json.empty())
    write_file(options.json, check::to_json(reports));
  if (!options.html.empty()) write_file(options.html, check_page(reports));
  if (!options.curves.empty()) write_curves(reports, options.curves);
  return wrong ? 1 : 0;
}

}  // namespace proxima::app
