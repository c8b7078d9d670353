#include "compiler/emit/text/function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compiler/emit/lower.hpp"
#include "compiler/emit/schedule.hpp"
#include "compiler/emit/text/graph_text.hpp"

namespace proxima::emit {
namespace {

using ir::Access;
using ir::NodeId;
using ir::Op;

// What the author calls a field: "mu" for "parameter:mu".
std::string short_name(const std::string& name) { return identifier(name.substr(name.rfind(':') + 1)); }

class KernelText : public GraphText {
 public:
  KernelText(Writer& writer, const ScheduledKernel& scheduled)
      : GraphText(writer, scheduled.kernel->graph, scheduled.loops, {scheduled.once, scheduled.each_tile}, {}),
        writer_(writer),
        scheduled_(scheduled),
        kernel_(*scheduled.kernel),
        names_(field_names(kernel_)) {
    for (const std::string& name : names_) writer.reserve(name);
  }

  // The comment and the head of the function.
  std::string signature(const std::string& function) const {
    std::string comment = fmt::format("// {}, for one element.\n", kernel_.name), arguments;
    const auto add = [&](const ir::Field& field, const std::string& name, bool output) {
      const std::uint32_t scalars = kernel_.scalars(field);
      std::string shape = output                            ? "result"
                          : field.access == Access::uniform ? "the same for all elements"
                          : field.access == Access::nodal   ? fmt::format("at {} nodes", kernel_.corners)
                                                            : "of the element";
      comment += fmt::format("//   {}: {} number{}, {}\n", name, scalars, scalars == 1 ? "" : "s", shape);
      arguments += arguments.empty() ? "" : ", ";
      arguments += output         ? fmt::format("{} *{}", writer_.number, name)
                   : scalars == 1 ? fmt::format("{} {}", writer_.number, name)
                                  : fmt::format("const {} *{}", writer_.number, name);
    };
    std::size_t k = 0;
    for (const ir::Field& field : kernel_.inputs) add(field, names_[k++], false);
    for (const ir::Field& field : kernel_.outputs) add(field, names_[k++], true);
    return fmt::format("{}void {}({}) {{\n", comment, function, arguments);
  }

 protected:
  Spelling input(std::uint32_t slot) override {
    const Source& source = scheduled_.sources.at(slot);
    const bool single = kernel_.scalars(kernel_.inputs[source.field]) == 1;
    return atom(single ? names_[source.field] : fmt::format("{}[{}]", names_[source.field], source.scalar));
  }
  void store(std::uint32_t result, const Spelling& value) override {
    std::size_t field = 0;
    while (result >= kernel_.outputs[field].components) result -= kernel_.outputs[field++].components;
    writer_.line(fmt::format("{}[{}] = {};", names_[kernel_.inputs.size() + field], result, value.words));
  }

 private:
  Writer& writer_;
  const ScheduledKernel& scheduled_;
  const ir::Kernel& kernel_;
  const std::vector<std::string> names_;
};

bool uses(const ir::Graph& graph, Op op) {
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const ir::Node& node = graph.node({i});
    if (node.op == op || (node.op == Op::loop && uses(*graph.loop_of({i}).body, op))) return true;
  }
  return false;
}

// A decomposition as a function of the entries of a matrix.
std::string decomposition(Op op, Precision precision, const std::string& qualifiers) {
  const ir::Operator& row = ir::describe(op);
  ir::Kernel kernel;
  kernel.name = fmt::format("The operator {}", row.name);
  kernel.inputs = {{"x", Access::element, row.arity}};
  kernel.outputs = {{"parts", Access::element, row.parts}};
  std::vector<NodeId> operands;
  operands.reserve(row.arity);
  for (std::uint32_t k = 0; k < row.arity; ++k) operands.push_back(kernel.graph.input(k));
  const NodeId bundle = kernel.graph.apply(op, operands);
  for (std::uint32_t k = 0; k < row.parts; ++k) kernel.results.push_back(kernel.graph.part(bundle, k));
  std::string text = function_text(lower(kernel, precision), decomposition_name(op), precision);
  return text.insert(text.find("void "), qualifiers + " ") + "\n";
}

}  // namespace

std::vector<std::string> field_names(const ir::Kernel& kernel, std::vector<std::string> taken) {
  std::vector<std::string> names;
  for (const ir::Operator& row : ir::operators()) {
    const std::string words(row.c.substr(0, row.c.find('(')));
    taken.insert(taken.end(), {words, words + "f"});
  }
  for (const auto* fields : {&kernel.inputs, &kernel.outputs})
    for (const ir::Field& field : *fields) {
      std::string name = short_name(field.name);
      if (std::ranges::find(taken, name) != taken.end()) name = identifier(field.name);
      while (std::ranges::find(taken, name) != taken.end()) name += "_";
      taken.push_back(name);
      names.push_back(name);
    }
  return names;
}

std::string function_name(const ir::Kernel& kernel) { return identifier(kernel.name); }

std::string function_text(const ir::Kernel& kernel, const std::string& name, Precision precision) {
  constexpr int registers = 16;
  const ScheduledKernel scheduled = schedule(kernel, registers);
  Writer writer(precision);
  KernelText text(writer, scheduled);
  text.take(0);
  text.take(1);
  return text.signature(name) + writer.text() + "}\n";
}

std::string decomposition_functions(const ir::Graph& graph, Precision precision, const std::string& qualifiers) {
  std::string text;
  for (const Op op : {Op::svd, Op::polar, Op::eigen})
    if (uses(graph, op)) text += decomposition(op, precision, qualifiers);
  return text;
}

}  // namespace proxima::emit
