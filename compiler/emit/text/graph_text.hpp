// The statements that compute one graph: a kernel's own or a loop's body. They are C, and C++ for the printer of CUDA.
// Internal to this room.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/schedule.hpp"
#include "compiler/emit/text/spelling.hpp"

namespace proxima::emit {

// A function that is being written.
class Writer {
 public:
  // `loop_mark`: a line before every loop, "" for none.
  explicit Writer(Precision p, std::string mark = "")
      : precision(p), number(p == Precision::fp64 ? "double" : "float"), loop_mark(std::move(mark)) {}
  void line(const std::string& words, const std::string& comment = "");
  void indent(int levels) { depth_ += levels; }
  std::string fresh(const std::string& stem);  // a name not used before: the stem and a number
  std::string unused(std::string name);        // the name, with underscores if it was used before
  void reserve(const std::string& name) { names_.insert(name); }
  const std::string& text() const { return text_; }

  const Precision precision;
  const std::string number;  // the type of a number
  const std::string loop_mark;

 private:
  std::string text_;
  int depth_ = 1;
  std::set<std::string> names_;
};

// Values are inlined where they are used once and nearby, and get a name of their own otherwise.
class GraphText {
 public:
  // `sections`: all lists of steps that will be taken, in order. `last_uses`: nodes that are used after a section.
  GraphText(Writer& writer, const ir::Graph& graph, const ScheduledLoops& loops,
            std::vector<std::span<const Step>> sections, const std::vector<std::vector<ir::NodeId>>& last_uses);
  virtual ~GraphText() = default;

  void take(std::size_t section);
  Spelling value(ir::NodeId id) const { return values_[id.index]; }
  // The value under a name, declared now unless it has one or is a constant.
  Spelling named(ir::NodeId id);

 protected:
  virtual Spelling input(std::uint32_t slot) = 0;
  virtual void store(std::uint32_t result, const Spelling& value);

 private:
  bool may_be_inlined(ir::NodeId id) const;
  void evaluate(ir::NodeId id);
  void decompose(ir::NodeId id);
  void repeat(ir::NodeId id);
  std::string where(ir::NodeId id) const;

  Writer& writer_;
  const ir::Graph& graph_;
  const ScheduledLoops& loops_;
  const std::vector<std::span<const Step>> sections_;
  std::vector<int> uses_;                       // by node
  std::vector<std::size_t> made_in_, used_in_;  // by node: sections
  std::vector<Spelling> values_;                // by node
  std::vector<std::string> parts_;              // of the bundle computed last
};

// The function that stands for svd, polar or eigen: of the operands, a constant array, and the parts, an array.
std::string decomposition_name(ir::Op op);

}  // namespace proxima::emit
