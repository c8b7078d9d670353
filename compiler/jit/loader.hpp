// Puts an object file in memory into this process and links it. Knows nothing of what the code does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::jit {

// Machine code in memory; freed with the last copy of the pointer that holds it.
struct LoadedObject {
  void* entry = nullptr;               // null when symbols are undefined
  std::vector<std::string> undefined;  // names that the object needs and nobody has, demangled
  std::shared_ptr<const void> memory;
};

// Thread-safe. LoadedObjects may outlive it.
class Loader {
 public:
  // Address of a symbol that the object does not define, or null when there is none.
  using Resolver = std::function<void*(const std::string&)>;

  Loader();
  ~Loader();

  // Links `object` and finds the function `entry` in it. Throws std::runtime_error when the bytes are no object file or
  // lack the entry.
  LoadedObject load(std::string_view object, const std::string& entry, const Resolver& resolve);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace proxima::jit
