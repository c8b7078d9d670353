// Graphs, kernels, energies and functions as bytes and back. The bytes are canonical: they depend on what is computed,
// not on the order in which nodes were made or on nodes that nothing needs, so they serve as cache keys. Little-endian.
// Bytes from another version of the format or of the operator table are not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/function.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::ir {

// A kernel's name and its source locations are not part of what it computes: they are left out.
std::string key_bytes(const Kernel& kernel);

// Everything, names and source locations too, to be read back.
std::string to_bytes(const Kernel& kernel);
std::string to_bytes(const Energy& energy);
std::string to_bytes(const Function& function);

// What to_bytes wrote, or nothing when the bytes are cut short, altered or of another version.
std::optional<Kernel> kernel_from_bytes(std::string_view bytes);
std::optional<Energy> energy_from_bytes(std::string_view bytes);
std::optional<Function> function_from_bytes(std::string_view bytes);

}  // namespace proxima::ir
