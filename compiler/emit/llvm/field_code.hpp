// Loads and stores of a kernel's fields for one tile, within one generated function. Internal to llvm/.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "compiler/emit/llvm/vector_code.hpp"
#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

class FieldCode {
 public:
  // The function's arguments 0, 1 and 2 are the kernel's: base pointers of inputs and of outputs, and the node list.
  // The base pointers are read at the builder's place, which must come before all uses.
  FieldCode(VectorCode& code, const ScheduledKernel& scheduled, llvm::Function* function);

  // Element and nodal fields are those of this tile from now on.
  void at_tile(llvm::Value* tile) { tile_ = tile; }

  llvm::Value* load(const Source& source);  // named after the field: "positions.4", "E"
  void store(std::uint32_t result, llvm::Value* number);

 private:
  llvm::Value* load_unnamed(const Source& source);
  llvm::Value* base(unsigned which, unsigned field);
  llvm::Value* element(llvm::Value* pointer, const ir::Field& field, std::uint32_t component);
  llvm::Value* gather(const Source& source, const ir::Field& field);
  llvm::Value* node_offsets(std::uint32_t corner, std::uint32_t components);

  VectorCode& code_;
  const ir::Kernel& kernel_;
  llvm::Function* function_;
  std::vector<llvm::Value*> inputs_, outputs_;  // base pointers by field
  llvm::Value* tile_ = nullptr;
  std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::Value*> node_offsets_;  // by corner and components
};

}  // namespace proxima::emit
