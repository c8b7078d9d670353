#include "compiler/dsl/registry.hpp"

#include <utility>

#include "compiler/dsl/current.hpp"
#include "compiler/dsl/include/proxima/dsl/abi.h"
#include "compiler/support/error.hpp"

namespace proxima::dsl {
namespace {

thread_local Registration* active = nullptr;

// The program's own energies, which register before main, in any order of translation units.
Registration& program_energies() {
  static Registration energies(Registration::Program{});
  return energies;
}

template <class Function>
AbiSymbol symbol(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

Registration::Registration() { active = this; }
Registration::~Registration() {
  if (active == this) active = nullptr;
}

const std::vector<RegisteredEnergy>& Registration::energies() const {
  if (!mistake_.empty()) throw Error(mistake_);
  return energies_;
}

Registration& current_registration() { return active != nullptr ? *active : program_energies(); }

const std::vector<RegisteredEnergy>& registered_energies() { return program_energies().energies(); }

std::span<const AbiSymbol> abi_symbols() {
  static const AbiSymbol symbols[] = {
      symbol("proxima_dsl_constant", proxima_dsl_constant),
      symbol("proxima_dsl_deformation_gradient", proxima_dsl_deformation_gradient),
      symbol("proxima_dsl_apply", proxima_dsl_apply),
      symbol("proxima_dsl_integer_power", proxima_dsl_integer_power),
      symbol("proxima_dsl_is_zero", proxima_dsl_is_zero),
      symbol("proxima_dsl_parameter", proxima_dsl_parameter),
      symbol("proxima_dsl_parameter_bounds", proxima_dsl_parameter_bounds),
      symbol("proxima_dsl_enter", proxima_dsl_enter),
      symbol("proxima_dsl_leave", proxima_dsl_leave),
      symbol("proxima_dsl_mistake", proxima_dsl_mistake),
      symbol("proxima_dsl_register", proxima_dsl_register),
  };
  return symbols;
}

}  // namespace proxima::dsl

extern "C" void proxima_dsl_register(const char* name, unsigned (*body)(), const char* file, unsigned line) {
  proxima::dsl::current_registration().add({name, file, line, body});
}
