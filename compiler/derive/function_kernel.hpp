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

enum class FunctionItems {
  one,   // all fields are uniform: a kernel of one item
  many,  // inputs and bars are those of each item; parameters are uniform, the derivatives by them are of each item
};

// Input fields in this order: "input:NAME" for each input; "parameter:NAME" for each parameter, as many components as
// it has; of pull_back "bar:NAME" for each output.
ir::Kernel function_kernel(const ir::Function& function, FunctionQuantity quantity,
                           FunctionItems items = FunctionItems::one);

}  // namespace proxima::derive
