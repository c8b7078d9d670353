// Kernels that work for many worlds in one launch: the same text, with arguments from a table.
#pragma once

#include <string>

namespace proxima::emit {

// For how many worlds a launch of a text's kernels works.
enum class Worlds { one, many };

// A text of kernels, printed ones (print.hpp) or those of kernels/, as one of kernels of the same names and blocks for
// many worlds. Each has one argument: a table in the GPU's memory with a row for each world: how many blocks it has,
// and what the kernel's arguments are for one world, in order, each beginning at a multiple of 8 bytes. Blocks with
// blockIdx.y = w work for the world of row w, and compute just what those of the one kernel compute; those past its own
// do nothing, so that worlds of different sizes may share a launch.
// Every kernel must begin as
//   extern "C" __global__ void __launch_bounds__(N) name(arguments) {
// and have at least one, and none may ask how many blocks there are (gridDim). Throws std::logic_error for a text that
// is not so.
std::string for_worlds(const std::string& text);

}  // namespace proxima::emit
