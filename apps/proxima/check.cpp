// What is known about the energies of a material file: on the terminal, as JSON, and as a page with curves.
#include "compiler/check/check.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "apps/proxima/check_page.hpp"
#include "apps/proxima/commands.hpp"
#include "compiler/check/text.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::app {
namespace {

struct Setting {
  std::string name;
  double value;
};

Setting setting_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) fail("--set: found \"{}\"; write NAME=VALUE, such as E=2e5", text);
  const char *begin = text.data() + sign + 1, *end = text.data() + text.size();
  double value = 0;
  if (const auto [after, error] = std::from_chars(begin, end, value); error != std::errc() || after != end)
    fail("--set {}: \"{}\" is no number", text.substr(0, sign), text.substr(sign + 1));
  return {text.substr(0, sign), value};
}

// Of each energy, in its order: the defaults, but for what is set, in all energies that have a parameter of that name.
std::vector<std::vector<double>> parameters_of(const std::vector<ir::Energy>& energies,
                                               const std::vector<std::string>& texts) {
  std::vector<std::vector<double>> values;
  std::vector<std::string> names;
  for (const ir::Energy& energy : energies) {
    values.emplace_back();
    for (const ir::Parameter& parameter : energy.parameters) {
      values.back().push_back(parameter.default_value);
      names.push_back(parameter.name);
    }
  }
  for (const std::string& text : texts) {
    const auto [name, value] = setting_of(text);
    if (std::ranges::find(names, name) == names.end()) {
      const std::string nearest = nearest_name(name, names);
      fail("--set {}: no parameter of that name; there is {}{}", name,
           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
           nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest));
    }
    for (std::size_t e = 0; e < energies.size(); ++e)
      for (std::size_t k = 0; k < values[e].size(); ++k)
        if (energies[e].parameters[k].name == name) values[e][k] = value;
  }
  return values;
}

}  // namespace

int check(const CheckOptions& options) {
  jit::Engine engine;
  std::vector<ir::Energy> energies;
  if (options.energy.empty())
    energies = engine.load_energies(options.material);
  else
    energies.push_back(engine.load_energy(options.material, options.energy));

  std::vector<check::Report> reports;
  reports.reserve(energies.size());
  const auto values = parameters_of(energies, options.set);
  for (std::size_t e = 0; e < energies.size(); ++e)
    reports.push_back(check::check(energies[e], engine, {.parameters = values[e]}));
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
