// Which energies exist. In an ordinary program every PROXIMA_ENERGY is known from its start; a material that is loaded
// at run time registers its energies while its static initialisers run, inside a Registration.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace proxima::dsl {

struct RegisteredEnergy {
  std::string name;
  std::string file;
  unsigned line = 0;
  unsigned (*body)() = nullptr;  // writes the energy down in the current trace, returns its handle (see trace.hpp)
  bool dissipation = false;      // it is a potential of dissipation
};

// What came in while author code was being loaded.
struct Collection {
  std::vector<RegisteredEnergy> energies;
  std::string mistake;  // the first use of the language outside an energy, or ""
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
  // scope), or when two energies have one name.
  const std::vector<RegisteredEnergy>& energies() const;

 private:
  Collection collection_;
};

// The energies linked into this program. Throws Error when the language was used outside an energy.
const std::vector<RegisteredEnergy>& registered_energies();

// What a loaded material has to be linked with: the names of proxima/dsl/abi.h and where they are in this program.
struct AbiSymbol {
  const char* name;
  void* address;
};
std::span<const AbiSymbol> abi_symbols();

}  // namespace proxima::dsl
