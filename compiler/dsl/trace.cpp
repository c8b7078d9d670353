#include "compiler/dsl/trace.hpp"

#include "compiler/dsl/assemble.hpp"
#include "compiler/dsl/checks.hpp"
#include "compiler/dsl/current.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::dsl {
namespace {

const Registered& find(const char* kind, const std::vector<Registered>& all, const std::string& name) {
  const Registered* found = nullptr;
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Registered& one : all) {
    names.push_back(one.name);
    if (one.name != name) continue;
    if (found != nullptr) refuse_twins(*found, one);
    found = &one;
  }
  if (found == nullptr) {
    const std::string nearest = nearest_name(name, names);
    fail("no {} '{}' is linked into this program{}", kind, name,
         nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return *found;
}

}  // namespace

ir::Energy trace(const Registered& registered) {
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

ir::Function trace_function(const Registered& registered) {
  Trace trace(registered);
  const auto refuse_mistakes = [&] {
    if (!trace.mistake().empty()) throw Error(trace.mistake());
  };
  registered.body();
  refuse_mistakes();
  check_function(trace);
  refuse_mistakes();
  return assemble_function(trace);
}

ir::Energy find_energy(const std::string& name) { return trace(find("energy", registered_energies(), name)); }

ir::Function find_function(const std::string& name) {
  return trace_function(find("function", registered_functions(), name));
}

}  // namespace proxima::dsl
