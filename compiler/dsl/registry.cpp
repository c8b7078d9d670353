#include "compiler/dsl/registry.hpp"

#include "compiler/dsl/current.hpp"
#include "compiler/dsl/include/proxima/dsl/abi.h"
#include "compiler/support/error.hpp"

namespace proxima::dsl {
namespace {

thread_local Collection* active = nullptr;

// The program's own energies, which register before main, in any order of translation units.
Collection& program_collection() {
  static Collection collection;
  return collection;
}

const std::vector<RegisteredEnergy>& energies_or_throw(const Collection& collection) {
  if (!collection.mistake.empty()) throw Error(collection.mistake);
  return collection.energies;
}

template <class Function>
AbiSymbol symbol(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

Registration::Registration() { active = &collection_; }
Registration::~Registration() { active = nullptr; }

const std::vector<RegisteredEnergy>& Registration::energies() const { return energies_or_throw(collection_); }

const std::vector<RegisteredEnergy>& registered_energies() { return energies_or_throw(program_collection()); }

Collection& current_collection() { return active != nullptr ? *active : program_collection(); }

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
  proxima::dsl::current_collection().energies.push_back({name, file, line, body});
}
