#include "compiler/emit/text/graph_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace proxima::emit {

using ir::Form;
using ir::NodeId;
using ir::Op;

namespace {

constexpr std::size_t longest_inlined = 70;  // letters
constexpr std::size_t several = SIZE_MAX;

bool is_name(const Spelling& spelling) { return spelling.words.find_first_of(" (") == std::string::npos; }

class BodyText : public GraphText {
 public:
  BodyText(Writer& writer, const ScheduledLoop& scheduled, std::vector<Spelling> inputs)
      : GraphText(writer, *scheduled.loop->body, scheduled.loops, {scheduled.before, scheduled.test, scheduled.advance},
                  {{}, {scheduled.loop->again}, scheduled.loop->next}),
        inputs_(std::move(inputs)) {}

 protected:
  Spelling input(std::uint32_t slot) override { return inputs_.at(slot); }

 private:
  const std::vector<Spelling> inputs_;
};

}  // namespace

void Writer::line(const std::string& words, const std::string& comment) {
  text_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + words;
  if (!comment.empty()) text_ += "  // " + comment;
  text_ += '\n';
}

std::string Writer::fresh(const std::string& stem) {
  for (int k = 1;; ++k)
    if (std::string name = stem + std::to_string(k); names_.insert(name).second) return name;
}

std::string Writer::unused(std::string name) {
  while (!names_.insert(name).second) name += "_";
  return name;
}

std::string decomposition_name(Op op) { return std::string(ir::describe(op).name) + "_3x3"; }

GraphText::GraphText(Writer& writer, const ir::Graph& graph, const ScheduledLoops& loops,
                     std::vector<std::span<const Step>> sections, const std::vector<std::vector<NodeId>>& last_uses)
    : writer_(writer),
      graph_(graph),
      loops_(loops),
      sections_(std::move(sections)),
      uses_(graph.size()),
      made_in_(graph.size()),
      used_in_(graph.size()),
      values_(graph.size()) {
  for (std::size_t section = 0; section < sections_.size(); ++section) {
    const auto use = [&](NodeId id) {
      used_in_[id.index] = uses_[id.index]++ == 0 || used_in_[id.index] == section ? section : several;
    };
    for (const Step& step : sections_[section]) {
      if (step.kind == Step::Kind::store) {
        use(step.node);
        continue;
      }
      made_in_[step.node.index] = section;
      for (const NodeId operand : graph.operands(step.node)) use(operand);
    }
    if (section < last_uses.size())
      for (const NodeId id : last_uses[section]) use(id);
  }
}

void GraphText::take(std::size_t section) {
  for (const Step& step : sections_[section]) {
    if (step.kind == Step::Kind::store)
      store(step.result, value(step.node));
    else
      evaluate(step.node);
  }
}

void GraphText::evaluate(NodeId id) {
  const ir::Node& node = graph_.node(id);
  const ir::Operator& row = ir::describe(node.op);
  switch (row.form) {
    case Form::leaf:
      values_[id.index] = node.op == Op::constant ? literal(graph_.constant_value(id), writer_.precision)
                                                  : input(static_cast<std::uint32_t>(node.payload));
      return;
    case Form::part:
      values_[id.index] = atom(parts_.at(node.payload));
      return;
    case Form::loop:
      return repeat(id);
    case Form::composite:
      return decompose(id);
    default:
      break;
  }
  std::vector<Spelling> operands;
  for (const NodeId operand : graph_.operands(id))
    operands.push_back(repeats_operands(row) ? named(operand) : value(operand));
  values_[id.index] = spell(row, operands, writer_.precision);
  if (!may_be_inlined(id)) named(id);
}

bool GraphText::may_be_inlined(NodeId id) const {
  return uses_[id.index] == 1 && used_in_[id.index] == made_in_[id.index] &&
         values_[id.index].words.size() <= longest_inlined;
}

Spelling GraphText::named(NodeId id) {
  Spelling& known = values_[id.index];
  if (is_name(known)) return known;
  const bool truth = graph_.type(id) == ir::Type::truth;
  const std::string name = writer_.fresh(truth ? "is" : "t");
  writer_.line(fmt::format("const {} {} = {};", truth ? "int" : writer_.number, name, known.words), where(id));
  return known = atom(name);
}

// The source line of a node, without the folder.
std::string GraphText::where(NodeId id) const {
  const ir::SourceLocation at = graph_.node(id).where;
  if (at.line == 0) return "";
  const std::string& file = graph_.files()[at.file];
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at.line);
}

void GraphText::decompose(NodeId id) {
  const Op op = graph_.node(id).op;
  std::string operands;
  for (const NodeId operand : graph_.operands(id)) operands += (operands.empty() ? "" : ", ") + value(operand).words;
  const std::string name = writer_.fresh(std::string(ir::describe(op).name));
  const std::string of = writer_.fresh("of");
  writer_.line(fmt::format("const {} {}[] = {{{}}};", writer_.number, of, operands));
  writer_.line(fmt::format("{} {}[{}];", writer_.number, name, graph_.parts(id)));
  writer_.line(fmt::format("{}({}, {});", decomposition_name(op), of, name), where(id));
  parts_.clear();
  for (std::uint32_t k = 0; k < graph_.parts(id); ++k) parts_.push_back(fmt::format("{}[{}]", name, k));
}

void GraphText::repeat(NodeId id) {
  const ScheduledLoop& scheduled = loops_.at(graph_.node(id).payload);
  const ir::Loop& loop = *scheduled.loop;
  const std::size_t carried = loop.next.size();
  std::vector<Spelling> inputs;
  parts_.clear();
  for (const NodeId operand : graph_.operands(id)) {
    if (inputs.size() >= carried) {
      inputs.push_back(named(operand));
      continue;
    }
    parts_.push_back(writer_.fresh("x"));
    writer_.line(fmt::format("{} {} = {};", writer_.number, parts_.back(), value(operand).words), where(id));
    inputs.push_back(atom(parts_.back()));
  }
  BodyText body(writer_, scheduled, inputs);
  body.take(0);
  const std::string trip = writer_.fresh("trip");
  if (!writer_.loop_mark.empty()) writer_.line(writer_.loop_mark);
  writer_.line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {{", trip, loop.max_trips));
  writer_.indent(1);
  body.take(1);
  writer_.line(fmt::format("if (!({})) break;", body.value(loop.again).words));
  body.take(2);
  std::vector<std::string> next;
  for (std::size_t k = 0; k < carried; ++k) {
    next.push_back(body.named(loop.next[k]).words);
    const bool of_another = next[k] != parts_[k] && std::ranges::find(parts_, next[k]) != parts_.end();
    if (!of_another) continue;
    const std::string name = writer_.fresh("t");  // before that one changes
    writer_.line(fmt::format("const {} {} = {};", writer_.number, name, next[k]));
    next[k] = name;
  }
  for (std::size_t k = 0; k < carried; ++k)
    if (next[k] != parts_[k]) writer_.line(fmt::format("{} = {};", parts_[k], next[k]));
  writer_.indent(-1);
  writer_.line("}");
}

void GraphText::store(std::uint32_t, const Spelling&) { throw std::logic_error("emit: this graph stores nothing"); }

}  // namespace proxima::emit
