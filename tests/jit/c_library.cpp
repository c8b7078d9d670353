#include "tests/jit/c_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "compiler/emit/c/print.hpp"
#include "compiler/support/file.hpp"

namespace proxima::jit::testing {
namespace {

// A function of (const T *inputs, T *results) that calls the kernel's.
std::string caller(const ir::Kernel& kernel, const std::string& number) {
  std::string arguments;
  std::uint32_t slot = 0, result = 0;
  for (const ir::Field& field : kernel.inputs) {
    const bool single = kernel.scalars(field) == 1;
    arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ",
                             single ? fmt::format("in[{}]", slot) : fmt::format("in + {}", slot));
    slot += kernel.scalars(field);
  }
  for (const ir::Field& field : kernel.outputs) {
    arguments += fmt::format("{}out + {}", arguments.empty() ? "" : ", ", result);
    result += field.components;
  }
  return fmt::format("void call_kernel(const {0} *in, {0} *out) {{ {1}({2}); }}\n", number,
                     emit::c_function_name(kernel), arguments);
}

template <class T>
std::vector<double> call(void* function, const std::vector<double>& inputs, std::size_t count) {
  const std::vector<T> in(inputs.begin(), inputs.end());
  std::vector<T> out(count);
  reinterpret_cast<void (*)(const T*, T*)>(function)(in.data(), out.data());
  return {out.begin(), out.end()};
}

}  // namespace

CLibrary::CLibrary(const ir::Kernel& kernel, emit::Precision precision)
    : precision_(precision), results_(kernel.results.size()), text_(emit::kernel_as_c(kernel, precision)) {
  const auto source = folder_.path() / "kernel.c", object = folder_.path() / "kernel.so", log = folder_.path() / "log";
  std::ofstream(source) << text_ << caller(kernel, precision == emit::Precision::fp64 ? "double" : "float");
  // Unused are fields that an energy does not depend on, and what a loop is given for nothing. No contraction: the same
  // roundings as the interpreter's.
  const std::string command = fmt::format(
      "'{}' -std=c99 -O1 -ffp-contract=off -Wall -Wextra -pedantic -Werror -Wno-unused-parameter "
      "-Wno-unused-variable -shared -fPIC -o '{}' "
      "'{}' "
      "-lm 2> '{}'",
      PROXIMA_C_COMPILER, object.string(), source.string(), log.string());
  if (std::system(command.c_str()) != 0) throw std::runtime_error(read_file(log) + text_);
  library_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ != nullptr) function_ = dlsym(library_, "call_kernel");
  if (function_ == nullptr) throw std::runtime_error(dlerror());
}

CLibrary::~CLibrary() {
  if (library_ != nullptr) dlclose(library_);
}

std::vector<double> CLibrary::operator()(const std::vector<double>& inputs) const {
  return precision_ == emit::Precision::fp64 ? call<double>(function_, inputs, results_)
                                             : call<float>(function_, inputs, results_);
}

}  // namespace proxima::jit::testing
