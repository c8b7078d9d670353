// Which energies and functions exist. In an ordinary program all of them are known from its start; a file that is
// loaded at run time registers its own while its static initialisers run, inside a Registration.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace proxima::dsl {

enum class Definition : std::uint8_t { energy, dissipation, function };
// "energy", "dissipation", "function": for messages.
const char* noun(Definition definition);

struct Registered {
  std::string name;
  std::string file;
  unsigned line = 0;
  // Writes it down in the current trace (see trace.hpp); returns the handle of an energy, 0 of a function.
  unsigned (*body)() = nullptr;
  Definition definition = Definition::energy;
};

// What came in while author code was being loaded.
struct Collection {
  std::vector<Registered> energies;  // and dissipations
  std::vector<Registered> functions;
  std::string mistake;  // the first use of the language outside an energy or function, or ""
};

// Collects what this thread registers while it lives, instead of adding it to the program's own energies. Scopes
// do not nest. The bodies stay callable as long as the loaded code does.
class Registration {
 public:
  Registration();
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  // Throws Error, naming the lines, when the language was used outside an energy meanwhile (a Scalar in namespace
  // scope), or when two definitions have one name.
  const Collection& definitions() const;

 private:
  Collection collection_;
};

// The energies and functions linked into this program. Throw Error when the language was used outside one.
const std::vector<Registered>& registered_energies();
const std::vector<Registered>& registered_functions();

// What a loaded material has to be linked with: the names of proxima/dsl/abi.h and where they are in this program.
struct AbiSymbol {
  const char* name;
  void* address;
};
std::span<const AbiSymbol> abi_symbols();

}  // namespace proxima::dsl
