#include "compiler/dsl/trace.hpp"

#include "compiler/dsl/assemble.hpp"
#include "compiler/dsl/checks.hpp"
#include "compiler/dsl/current.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::dsl {

ir::Energy trace(const RegisteredEnergy& registered) {
  Trace trace(registered);
  const auto refuse_mistakes = [&] {
    if (!trace.mistake().empty()) throw Error(trace.mistake());
  };
  const auto density = trace.node_of(registered.body(), {registered.file.c_str(), registered.line});
  refuse_mistakes();
  check_dependencies(trace, *density);
  refuse_mistakes();
  probe_symmetry(trace, *density);
  probe_projections(trace);
  refuse_mistakes();
  return assemble(trace, *density);
}

ir::Energy find_energy(const std::string& name) {
  const RegisteredEnergy* found = nullptr;
  std::vector<std::string> names;
  for (const RegisteredEnergy& energy : registered_energies()) {
    names.push_back(energy.name);
    if (energy.name != name) continue;
    if (found != nullptr) refuse_twins(*found, energy);
    found = &energy;
  }
  if (found == nullptr) {
    const std::string nearest = nearest_name(name, names);
    fail("no energy '{}' is linked into this program{}", name,
         nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return trace(*found);
}

}  // namespace proxima::dsl
