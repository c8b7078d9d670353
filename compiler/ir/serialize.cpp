#include "compiler/ir/serialize.hpp"

#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "compiler/ir/operators.hpp"
#include "compiler/support/hash.hpp"

namespace proxima::ir {
namespace {

static_assert(std::endian::native == std::endian::little, "the byte format is little-endian");

constexpr std::string_view magic = "PXIR";
constexpr std::uint32_t format_version = 2;
enum class Content : std::uint8_t { kernel_key, kernel, energy };

// Changes with every change of the operator table that would make old bytes mean something else.
std::uint64_t table_fingerprint() {
  static const std::uint64_t fingerprint = [] {
    std::string names;
    for (const Operator& row : all_operators()) names += std::string(row.name) + "/" + std::to_string(row.arity) + "\n";
    return hash_bytes(names).low;
  }();
  return fingerprint;
}

class Writer {
 public:
  explicit Writer(Content content) {
    bytes = magic;
    put(format_version);
    put(table_fingerprint());
    put(content);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  std::string bytes;
};

class Malformed : public std::exception {};

class Reader {
 public:
  Reader(std::string_view bytes, Content content) : rest_(bytes) {
    if (take(magic.size()) != magic || get<std::uint32_t>() != format_version ||
        get<std::uint64_t>() != table_fingerprint() || get<Content>() != content)
      throw Malformed();
  }
  template <class T>
  T get() {
    T value;
    const std::string_view source = take(sizeof value);
    std::memcpy(&value, source.data(), source.size());
    return value;
  }
  bool truth() {  // any other byte is no bool
    const auto byte = get<std::uint8_t>();
    if (byte > 1) throw Malformed();
    return byte == 1;
  }
  std::string text() { return std::string(take(get<std::uint32_t>())); }
  // The number of entries that follow, each of at least one byte.
  std::uint32_t count() {
    const auto count = get<std::uint32_t>();
    if (count > rest_.size()) throw Malformed();
    return count;
  }
  void expect_end() const {
    if (!rest_.empty()) throw Malformed();
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw Malformed();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest_;
};

// Nodes that `roots` need, each after its operands, in the order a depth-first walk from the roots leaves them.
std::vector<NodeId> canonical_order(const Graph& graph, std::span<const NodeId> roots) {
  struct Visit {
    NodeId node;
    std::uint32_t next_operand;
  };
  std::vector<NodeId> order;
  std::vector<bool> seen(graph.size());
  std::vector<Visit> stack;
  const auto enter = [&](NodeId id) {
    if (seen[id.index]) return;
    seen[id.index] = true;
    stack.push_back({id, 0});
  };
  for (NodeId root : roots) {
    enter(root);
    while (!stack.empty()) {
      const NodeId id = stack.back().node;
      const auto operands = graph.operands(id);
      if (stack.back().next_operand < operands.size()) {
        enter(operands[stack.back().next_operand++]);
      } else {
        order.push_back(id);
        stack.pop_back();
      }
    }
  }
  return order;
}

enum class Locations : bool { omit, keep };

void put_graph(Writer& out, const Graph& graph, std::span<const NodeId> roots, Locations locations) {
  const std::vector<NodeId> order = canonical_order(graph, roots);
  std::vector<std::uint32_t> place(graph.size());
  if (locations == Locations::keep) {
    out.put(static_cast<std::uint32_t>(graph.files().size()));
    for (const std::string& file : graph.files()) out.put(file);
  }
  out.put(static_cast<std::uint32_t>(order.size()));
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const Node& node = graph.node(order[i]);
    place[order[i].index] = i;
    const Operator& row = describe(node.op);
    out.put(node.op);
    if (row.form == Form::leaf || row.form == Form::part) out.put(node.payload);
    if (row.form == Form::loop) {
      const Loop& loop = graph.loop_of(order[i]);
      std::vector<NodeId> results = loop.next;
      results.push_back(loop.again);
      out.put(loop.max_trips);
      put_graph(out, *loop.body, results, locations);
      out.put(static_cast<std::uint32_t>(node.arity));
    }
    for (NodeId operand : graph.operands(order[i])) out.put(place[operand.index]);
    if (locations == Locations::keep) {
      out.put(node.where.file);
      out.put(node.where.line);
    }
  }
  out.put(static_cast<std::uint32_t>(roots.size()));
  for (NodeId root : roots) out.put(place[root.index]);
}

std::vector<NodeId> get_graph(Reader& in, Graph& graph);

Loop get_loop(Reader& in) {
  Loop loop;
  loop.max_trips = in.get<std::uint32_t>();
  const auto body = std::make_shared<Graph>();
  loop.next = get_graph(in, *body);
  if (loop.next.empty()) throw Malformed();
  loop.again = loop.next.back();
  loop.next.pop_back();
  loop.body = body;
  return loop;
}

// Rebuilds through Graph::apply, which checks arities and types; nodes come out as they were, being canonical already.
std::vector<NodeId> get_graph(Reader& in, Graph& graph) {
  std::vector<std::uint32_t> files(in.count());
  for (std::uint32_t& file : files) file = graph.intern_file(in.text());
  std::vector<NodeId> nodes(in.count());
  std::size_t built = 0;
  const auto get_node = [&] {
    const auto index = in.get<std::uint32_t>();
    if (index >= built) throw Malformed();
    return nodes[index];
  };
  for (NodeId& node : nodes) {
    const auto op = in.get<Op>();
    if (static_cast<int>(op) >= all_op_count) throw Malformed();
    const Operator& row = describe(op);
    std::uint64_t payload = 0;
    Loop loop;
    if (row.form == Form::leaf || row.form == Form::part) payload = in.get<std::uint64_t>();
    if (row.form == Form::loop) loop = get_loop(in);
    std::vector<NodeId> operands(row.form == Form::loop ? in.count() : row.arity);
    for (NodeId& operand : operands) operand = get_node();
    const auto file = in.get<std::uint32_t>();
    const auto line = in.get<std::uint32_t>();
    if (file >= files.size()) throw Malformed();
    if (op == Op::constant)
      node = graph.constant(std::bit_cast<double>(payload));
    else if (op == Op::input)
      node = graph.input(static_cast<std::uint32_t>(payload));
    else if (op == Op::part)
      node = graph.part(operands[0], static_cast<std::uint32_t>(payload), {files[file], line});
    else if (op == Op::loop)
      node = graph.loop(loop, operands, {files[file], line});
    else
      node = graph.apply(op, operands, {files[file], line});
    ++built;
  }
  std::vector<NodeId> roots(in.count());
  for (NodeId& root : roots) root = get_node();
  return roots;
}

void put_fields(Writer& out, const std::vector<Field>& fields) {
  out.put(static_cast<std::uint32_t>(fields.size()));
  for (const Field& field : fields) {
    out.put(field.name);
    out.put(field.access);
    out.put(field.components);
  }
}

std::vector<Field> get_fields(Reader& in) {
  std::vector<Field> fields(in.count());
  for (Field& field : fields) {
    field.name = in.text();
    field.access = in.get<Access>();
    if (field.access > Access::nodal) throw Malformed();
    field.components = in.get<std::uint32_t>();
  }
  return fields;
}

void put_kernel(Writer& out, const Kernel& kernel, Locations locations) {
  out.put(kernel.corners);
  put_fields(out, kernel.inputs);
  put_fields(out, kernel.outputs);
  put_graph(out, kernel.graph, kernel.results, locations);
}

// Bytes from a file may be anything: whatever does not rebuild into a well-formed graph counts as unreadable.
template <class Read>
auto read_or_nothing(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Malformed&) {
    return std::nullopt;
  } catch (const std::logic_error&) {  // from Graph::apply
    return std::nullopt;
  }
}

}  // namespace

std::string key_bytes(const Kernel& kernel) {
  Writer out(Content::kernel_key);
  put_kernel(out, kernel, Locations::omit);
  return out.bytes;
}

std::string to_bytes(const Kernel& kernel) {
  Writer out(Content::kernel);
  out.put(kernel.name);
  put_kernel(out, kernel, Locations::keep);
  return out.bytes;
}

std::string to_bytes(const Energy& energy) {
  Writer out(Content::energy);
  const auto put_place = [&](SourceLocation where) {
    out.put(energy.graph.files()[where.file]);
    out.put(where.line);
  };
  out.put(energy.name);
  out.put(energy.file);
  out.put(energy.measure);
  out.put(energy.stencil);
  out.put(energy.dissipation);
  out.put(static_cast<std::uint32_t>(energy.parameters.size()));
  for (const Parameter& parameter : energy.parameters) {
    out.put(parameter.name);
    out.put(parameter.unit);
    for (double value : {parameter.default_value, parameter.lower, parameter.upper}) out.put(value);
    out.put(parameter.varies_in_time);
    put_place(parameter.where);
  }
  out.put(static_cast<std::uint32_t>(energy.inputs.size()));
  for (const Input& input : energy.inputs) {
    out.put(input.kind);
    out.put(input.name);
    out.put(input.components);
    out.put(static_cast<std::uint32_t>(input.initial.size()));
    for (double value : input.initial) out.put(value);
    out.put(static_cast<std::uint32_t>(input.update.size()));
    put_place(input.where);
  }
  out.put(static_cast<std::uint32_t>(energy.projection ? energy.projection->closest.size() : 0));
  put_graph(out, energy.graph, roots_of(energy), Locations::keep);
  return out.bytes;
}

std::optional<Kernel> kernel_from_bytes(std::string_view bytes) {
  return read_or_nothing([&] {
    Reader in(bytes, Content::kernel);
    Kernel kernel;
    kernel.name = in.text();
    kernel.corners = in.get<std::uint32_t>();
    kernel.inputs = get_fields(in);
    kernel.outputs = get_fields(in);
    kernel.results = get_graph(in, kernel.graph);
    in.expect_end();
    return kernel;
  });
}

std::optional<Energy> energy_from_bytes(std::string_view bytes) {
  return read_or_nothing([&] {
    Reader in(bytes, Content::energy);
    Energy energy;
    Graph graph;
    const auto get_place = [&] {
      const std::uint32_t file = graph.intern_file(in.text());
      return SourceLocation{file, in.get<std::uint32_t>()};
    };
    energy.name = in.text();
    energy.file = in.text();
    energy.measure = in.get<Measure>();
    if (energy.measure > Measure::node_positions) throw Malformed();
    energy.stencil = in.get<std::uint32_t>();
    energy.dissipation = in.truth();
    energy.parameters.resize(in.count());
    for (Parameter& parameter : energy.parameters) {
      parameter.name = in.text();
      parameter.unit = in.text();
      parameter.default_value = in.get<double>();
      parameter.lower = in.get<double>();
      parameter.upper = in.get<double>();
      parameter.varies_in_time = in.truth();
      parameter.where = get_place();
    }
    energy.inputs.resize(in.count());
    for (Input& input : energy.inputs) {
      input.kind = in.get<InputKind>();
      if (input.kind > InputKind::rest_positions) throw Malformed();
      input.name = in.text();
      input.components = in.get<std::uint32_t>();
      input.initial.resize(in.count());
      for (double& value : input.initial) value = in.get<double>();
      input.update.resize(in.count());
      input.where = get_place();
    }
    if (const std::uint32_t closest = in.count(); closest > 0)
      energy.projection = {.weight = {}, .closest = std::vector<NodeId>(closest)};
    const auto roots = get_graph(in, graph);
    if (roots.size() != roots_of(energy).size()) throw Malformed();
    in.expect_end();
    return with_roots(energy, std::move(graph), roots);
  });
}

}  // namespace proxima::ir
