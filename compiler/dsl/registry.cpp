#include "compiler/dsl/registry.hpp"

#include <algorithm>

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

}  // namespace

void refuse_twins(const RegisteredEnergy& first, const RegisteredEnergy& second) {
  fail("{}:{}: energy '{}' is defined twice; the first time at {}:{}; give one of them another name", second.file,
       second.line, first.name, first.file, first.line);
}

namespace {

template <class Function>
AbiSymbol symbol(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

Registration::Registration() { active = &collection_; }
Registration::~Registration() { active = nullptr; }

const std::vector<RegisteredEnergy>& Registration::energies() const {
  const std::vector<RegisteredEnergy>& energies = energies_or_throw(collection_);
  for (auto energy = energies.begin(); energy != energies.end(); ++energy) {
    const auto twin = std::find_if(energies.begin(), energy, [&](const auto& e) { return e.name == energy->name; });
    if (twin != energy) refuse_twins(*twin, *energy);
  }
  return energies;
}

const std::vector<RegisteredEnergy>& registered_energies() { return energies_or_throw(program_collection()); }

Collection& current_collection() { return active != nullptr ? *active : program_collection(); }

std::span<const AbiSymbol> abi_symbols() {
  static const AbiSymbol symbols[] = {
      symbol("proxima_dsl_constant", proxima_dsl_constant),
      symbol("proxima_dsl_apply", proxima_dsl_apply),
      symbol("proxima_dsl_part", proxima_dsl_part),
      symbol("proxima_dsl_integer_power", proxima_dsl_integer_power),
      symbol("proxima_dsl_is_zero", proxima_dsl_is_zero),
      symbol("proxima_dsl_strain", proxima_dsl_strain),
      symbol("proxima_dsl_previous", proxima_dsl_previous),
      symbol("proxima_dsl_input", proxima_dsl_input),
      symbol("proxima_dsl_parameter", proxima_dsl_parameter),
      symbol("proxima_dsl_signal", proxima_dsl_signal),
      symbol("proxima_dsl_parameter_bounds", proxima_dsl_parameter_bounds),
      symbol("proxima_dsl_direction", proxima_dsl_direction),
      symbol("proxima_dsl_history", proxima_dsl_history),
      symbol("proxima_dsl_component", proxima_dsl_component),
      symbol("proxima_dsl_update", proxima_dsl_update),
      symbol("proxima_dsl_projection", proxima_dsl_projection),
      symbol("proxima_dsl_closest", proxima_dsl_closest),
      symbol("proxima_dsl_enter", proxima_dsl_enter),
      symbol("proxima_dsl_leave", proxima_dsl_leave),
      symbol("proxima_dsl_place", proxima_dsl_place),
      symbol("proxima_dsl_mistake", proxima_dsl_mistake),
      symbol("proxima_dsl_register", proxima_dsl_register),
      symbol("proxima_dsl_register_dissipation", proxima_dsl_register_dissipation),
  };
  return symbols;
}

}  // namespace proxima::dsl
