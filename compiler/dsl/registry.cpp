#include "compiler/dsl/registry.hpp"

#include <algorithm>
#include <array>

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

void refuse_mistake(const Collection& collection) {
  if (!collection.mistake.empty()) throw Error(collection.mistake);
}

}  // namespace

void refuse_twins(const Registered& first, const Registered& second) {
  fail("{}:{}: {} '{}' is defined twice; the first time at {}:{}; give one of them another name", second.file,
       second.line, noun(second.definition), first.name, first.file, first.line);
}

const char* noun(Definition definition) {
  static constexpr std::array nouns = {"energy", "dissipation", "function"};
  return nouns.at(static_cast<std::size_t>(definition));
}

namespace {

template <class Function>
AbiSymbol symbol(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

Registration::Registration() { active = &collection_; }
Registration::~Registration() { active = nullptr; }

const Collection& Registration::definitions() const {
  refuse_mistake(collection_);
  std::vector<Registered> all = collection_.energies;
  all.insert(all.end(), collection_.functions.begin(), collection_.functions.end());
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto twin = std::find_if(all.begin(), one, [&](const auto& other) { return other.name == one->name; });
    if (twin != one) refuse_twins(*twin, *one);
  }
  return collection_;
}

const std::vector<Registered>& registered_energies() {
  refuse_mistake(program_collection());
  return program_collection().energies;
}

const std::vector<Registered>& registered_functions() {
  refuse_mistake(program_collection());
  return program_collection().functions;
}

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
      symbol("proxima_dsl_function_input", proxima_dsl_function_input),
      symbol("proxima_dsl_weights", proxima_dsl_weights),
      symbol("proxima_dsl_weight", proxima_dsl_weight),
      symbol("proxima_dsl_output", proxima_dsl_output),
      symbol("proxima_dsl_projection", proxima_dsl_projection),
      symbol("proxima_dsl_closest", proxima_dsl_closest),
      symbol("proxima_dsl_enter", proxima_dsl_enter),
      symbol("proxima_dsl_leave", proxima_dsl_leave),
      symbol("proxima_dsl_place", proxima_dsl_place),
      symbol("proxima_dsl_mistake", proxima_dsl_mistake),
      symbol("proxima_dsl_register", proxima_dsl_register),
      symbol("proxima_dsl_register_dissipation", proxima_dsl_register_dissipation),
      symbol("proxima_dsl_register_function", proxima_dsl_register_function),
  };
  return symbols;
}

}  // namespace proxima::dsl
