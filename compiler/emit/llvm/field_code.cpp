#include "compiler/emit/llvm/field_code.hpp"

#include <stdexcept>
#include <string>

namespace proxima::emit {

using ir::Access;

FieldCode::FieldCode(VectorCode& code, const ScheduledKernel& scheduled, llvm::Function* function)
    : code_(code), kernel_(*scheduled.kernel), function_(function) {
  for (unsigned f = 0; f < kernel_.inputs.size(); ++f) inputs_.push_back(base(0, f));
  for (unsigned f = 0; f < kernel_.outputs.size(); ++f) outputs_.push_back(base(1, f));
}

llvm::Value* FieldCode::base(unsigned which, unsigned field) {
  auto& builder = code_.builder;
  llvm::Value* slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), function_->getArg(which), field);
  return code_.invariant(builder.CreateLoad(builder.getPtrTy(), slot));
}

// In the text of a kernel, that is: machine code has no names.
llvm::Value* FieldCode::load(const Source& source) {
  const ir::Field& field = kernel_.inputs[source.field];
  llvm::Value* value = load_unnamed(source);
  const std::string name = field.name.substr(field.name.find(':') + 1);  // of "parameter:E" the author's
  value->setName(kernel_.scalars(field) == 1 ? name : name + "." + std::to_string(source.scalar));
  return value;
}

llvm::Value* FieldCode::load_unnamed(const Source& source) {
  const ir::Field& field = kernel_.inputs[source.field];
  auto& builder = code_.builder;
  llvm::Value* pointer = inputs_[source.field];
  switch (field.access) {
    case Access::uniform: {
      llvm::Value* at = builder.CreateConstInBoundsGEP1_64(code_.scalar, pointer, source.scalar);
      return builder.CreateVectorSplat(code_.lanes, code_.invariant(builder.CreateLoad(code_.scalar, at)));
    }
    case Access::element:
      return code_.invariant(
          builder.CreateAlignedLoad(code_.vector, element(pointer, field, source.scalar), code_.register_alignment()));
    case Access::nodal:
      return gather(source, field);
  }
  throw std::logic_error("unknown access of field " + field.name);
}

void FieldCode::store(std::uint32_t result, llvm::Value* number) {
  std::uint32_t field = 0;
  while (result >= kernel_.outputs[field].components) result -= kernel_.outputs[field++].components;
  llvm::Value* at = element(outputs_[field], kernel_.outputs[field], result);
  code_.builder.CreateAlignedStore(number, at, code_.register_alignment());
}

// Component `component` of this tile in an element field: [tile][component][lane].
llvm::Value* FieldCode::element(llvm::Value* pointer, const ir::Field& field, std::uint32_t component) {
  auto& builder = code_.builder;
  llvm::Value* first = builder.CreateMul(tile_, builder.getInt64(field.components), "", true, true);
  llvm::Value* row = builder.CreateAdd(first, builder.getInt64(component), "", true, true);
  return builder.CreateInBoundsGEP(code_.vector, pointer, row);
}

llvm::Value* FieldCode::gather(const Source& source, const ir::Field& field) {
  auto& builder = code_.builder;
  const std::uint32_t corner = source.scalar / field.components;
  const std::uint32_t component = source.scalar % field.components;
  llvm::Value* first = builder.CreateConstInBoundsGEP1_64(code_.scalar, inputs_[source.field], component);
  llvm::Value* pointers = builder.CreateGEP(code_.scalar, first, node_offsets(corner, field.components));
  const llvm::Align alignment(code_.scalar->getPrimitiveSizeInBits() / 8);
  return builder.CreateMaskedGather(code_.vector, pointers, alignment);
}

// Where the nodes of a corner start in a nodal field, in scalars. 32 bits, since gathers by 64-bit offsets take two
// instructions where there are more than eight lanes.
llvm::Value* FieldCode::node_offsets(std::uint32_t corner, std::uint32_t components) {
  llvm::Value*& offsets = node_offsets_[{corner, components}];
  if (offsets == nullptr) {
    auto& builder = code_.builder;
    auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), code_.lanes);
    llvm::Value* first = builder.CreateMul(tile_, builder.getInt64(kernel_.corners), "", true, true);
    llvm::Value* row = builder.CreateAdd(first, builder.getInt64(corner), "", true, true);
    llvm::Value* at = builder.CreateInBoundsGEP(type, function_->getArg(2), row);
    llvm::Value* numbers = code_.invariant(builder.CreateAlignedLoad(type, at, llvm::Align(4 * code_.lanes)));
    offsets = builder.CreateMul(numbers, builder.CreateVectorSplat(code_.lanes, builder.getInt32(components)), "", true,
                                true);
  }
  return offsets;
}

}  // namespace proxima::emit
