// Values kept in memory from one generated function to another. Internal to llvm/.
#pragma once

#include <string>

#include "compiler/emit/llvm/vector_code.hpp"

namespace proxima::emit {

// Room for `slots` values on the stack of the function that is being printed.
llvm::Value* make_workspace(VectorCode& code, std::uint32_t slots);

// A value goes to its slot and comes back from it. Truth values are kept as integers: vectors of single bits have no
// layout that processors like.
void keep(VectorCode& code, llvm::Value* workspace, std::uint32_t slot, llvm::Value* value);
llvm::Value* kept(VectorCode& code, llvm::Value* workspace, std::uint32_t slot, ir::Type type);

}  // namespace proxima::emit
