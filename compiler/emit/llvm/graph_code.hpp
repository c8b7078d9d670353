// The values of one graph in one generated function: a kernel's own graph or the body of a loop. Internal to llvm/.
#pragma once

#include <span>
#include <vector>

#include "compiler/emit/llvm/vector_code.hpp"
#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

class GraphCode {
 public:
  GraphCode(VectorCode& code, const ir::Graph& graph, const ScheduledLoops& loops)
      : code_(code), graph_(graph), loops_(loops), values_(graph.size()) {}
  virtual ~GraphCode() = default;

  // Prints steps at the builder's place, which may be in another block afterwards.
  void take(std::span<const Step> steps);
  llvm::Value* value(ir::NodeId id);

 protected:
  // What a graph's owner decides: what an input is, what to do with a value that has been made, with one that is
  // needed though no step of this function has made it, and with a result.
  virtual llvm::Value* input(std::uint32_t slot) = 0;
  virtual void made(ir::NodeId, llvm::Value*) {}
  virtual llvm::Value* missing(ir::NodeId id);
  virtual void store(std::uint32_t result, llvm::Value* number);

 private:
  llvm::Value* evaluate(ir::NodeId id);

  VectorCode& code_;
  const ir::Graph& graph_;
  const ScheduledLoops& loops_;
  std::vector<llvm::Value*> values_;     // by node; nullptr for bundles
  std::vector<llvm::Value*> last_loop_;  // the parts of the loop printed last
};

}  // namespace proxima::emit
