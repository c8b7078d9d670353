#include "compiler/emit/c/print.hpp"

#include "compiler/emit/lower.hpp"
#include "compiler/emit/text/function.hpp"

namespace proxima::emit {

std::string c_function_name(const ir::Kernel& kernel) { return function_name(kernel); }

std::string kernel_as_c(const ir::Kernel& kernel, Precision precision) {
  const ir::Kernel readable = lower(kernel, precision, Decompositions::kept);
  return "#include <math.h>\n\n" + decomposition_functions(readable.graph, precision, "static") +
         function_text(readable, function_name(kernel), precision);
}

}  // namespace proxima::emit
