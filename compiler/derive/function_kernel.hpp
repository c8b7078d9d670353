// Kernels of a user's function.
#pragma once

#include <vector>

#include "compiler/ir/function.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::derive {

enum class FunctionQuantity {
  value,      // -> "output:NAME" for each output
  pull_back,  // -> "input:NAME" for each input, "parameter:NAME" for each parameter: the derivatives by them of the sum
              //    of outputs times the input fields "bar:NAME"
};

// Input fields, all uniform, in this order: "input:NAME" for each input; "parameter:NAME" for each parameter, as many
// components as it has; of pull_back "bar:NAME" for each output. A kernel of one item.
ir::Kernel function_kernel(const ir::Function& function, FunctionQuantity quantity);

}  // namespace proxima::derive
