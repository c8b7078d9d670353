// The one exception type that means "the user can mend this": a clear sentence that names the file, the key or
// the element, what was found and what would be right. The program prints it and exits with status 2. Anything
// else that is thrown is a defect of ours. Libraries throw; only apps/ prints and exits.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace proxima {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws an Error with a formatted message: fail("{}: no tetrahedra", path).
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace proxima
