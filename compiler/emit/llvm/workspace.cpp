#include "compiler/emit/llvm/workspace.hpp"

#include <llvm/IR/Module.h>

#include <stdexcept>

namespace proxima::emit {
namespace {

llvm::Value* address(VectorCode& code, llvm::Value* workspace, std::uint32_t slot) {
  return code.builder.CreateConstInBoundsGEP1_64(code.vector, workspace, slot);
}

}  // namespace

llvm::Value* make_workspace(VectorCode& code, std::uint32_t slots) {
  // Workspaces lie on the stack of a thread, which may be one of a pool with 4 MB; several may be there at once.
  code.workspace_slots += slots;
  const std::size_t room = (3u << 20u) / (static_cast<std::size_t>(code.target.vector_bits) / 8);
  if (code.workspace_slots > room)
    throw std::length_error(code.module.getModuleIdentifier() + ": too long to be compiled: " +
                            std::to_string(code.workspace_slots) + " intermediate values must be kept at once, and " +
                            std::to_string(room) + " can be; split the energy into a sum of shorter ones");
  auto& builder = code.builder;
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  const llvm::IRBuilder<>::InsertPointGuard back(builder);
  builder.SetInsertPoint(&entry, entry.begin());
  auto* workspace = builder.CreateAlloca(code.vector, builder.getInt32(slots));
  workspace->setAlignment(code.register_alignment());
  return workspace;
}

void keep(VectorCode& code, llvm::Value* workspace, std::uint32_t slot, llvm::Value* value) {
  if (value->getType() != code.vector) value = code.builder.CreateSExt(value, code.integers);
  code.builder.CreateAlignedStore(value, address(code, workspace, slot), code.register_alignment());
}

llvm::Value* kept(VectorCode& code, llvm::Value* workspace, std::uint32_t slot, ir::Type type) {
  auto* loaded = type == ir::Type::number ? code.vector : code.integers;
  llvm::Value* value =
      code.builder.CreateAlignedLoad(loaded, address(code, workspace, slot), code.register_alignment());
  if (type == ir::Type::number) return value;
  return code.builder.CreateICmpSLT(value, llvm::Constant::getNullValue(code.integers));
}

}  // namespace proxima::emit
