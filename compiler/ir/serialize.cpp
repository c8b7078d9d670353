#include "compiler/ir/serialize.hpp"

#include "compiler/ir/graph_bytes.hpp"

namespace proxima::ir {
namespace {

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

void put_place(Writer& out, const Graph& graph, SourceLocation where) {
  out.put(graph.files()[where.file]);
  out.put(where.line);
}

SourceLocation get_place(Reader& in, Graph& graph) {
  const std::uint32_t file = graph.intern_file(in.text());
  return {file, in.get<std::uint32_t>()};
}

void put_numbers(Writer& out, const std::vector<double>& numbers) {
  out.put(static_cast<std::uint32_t>(numbers.size()));
  for (double number : numbers) out.put(number);
}

std::vector<double> get_numbers(Reader& in) {
  std::vector<double> numbers(in.count());
  for (double& number : numbers) number = in.get<double>();
  return numbers;
}

void put_kernel(Writer& out, const Kernel& kernel, Locations locations) {
  out.put(kernel.corners);
  put_fields(out, kernel.inputs);
  put_fields(out, kernel.outputs);
  put_graph(out, kernel.graph, kernel.results, locations);
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
    put_place(out, energy.graph, parameter.where);
  }
  out.put(static_cast<std::uint32_t>(energy.inputs.size()));
  for (const Input& input : energy.inputs) {
    out.put(input.kind);
    out.put(input.name);
    out.put(input.components);
    put_numbers(out, input.initial);
    out.put(static_cast<std::uint32_t>(input.update.size()));
    put_place(out, energy.graph, input.where);
  }
  out.put(static_cast<std::uint32_t>(energy.projection ? energy.projection->closest.size() : 0));
  put_graph(out, energy.graph, roots_of(energy), Locations::keep);
  return out.bytes;
}

std::string to_bytes(const Function& function) {
  Writer out(Content::function);
  out.put(function.name);
  out.put(function.file);
  out.put(static_cast<std::uint32_t>(function.inputs.size()));
  for (const FunctionInput& input : function.inputs) {
    out.put(input.name);
    out.put(input.components);
    put_place(out, function.graph, input.where);
  }
  out.put(static_cast<std::uint32_t>(function.parameters.size()));
  for (const FunctionParameter& parameter : function.parameters) {
    out.put(parameter.name);
    out.put(parameter.unit);
    put_numbers(out, parameter.default_values);
    out.put(parameter.lower);
    out.put(parameter.upper);
    put_place(out, function.graph, parameter.where);
  }
  out.put(static_cast<std::uint32_t>(function.outputs.size()));
  for (const FunctionOutput& output : function.outputs) {
    out.put(output.name);
    out.put(static_cast<std::uint32_t>(output.roots.size()));
    put_place(out, function.graph, output.where);
  }
  put_graph(out, function.graph, roots_of(function), Locations::keep);
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
      parameter.where = get_place(in, graph);
    }
    energy.inputs.resize(in.count());
    for (Input& input : energy.inputs) {
      input.kind = in.get<InputKind>();
      if (input.kind > InputKind::rest_positions) throw Malformed();
      input.name = in.text();
      input.components = in.get<std::uint32_t>();
      input.initial = get_numbers(in);
      input.update.resize(in.count());
      input.where = get_place(in, graph);
    }
    if (const std::uint32_t closest = in.count(); closest > 0)
      energy.projection = {.weight = {}, .closest = std::vector<NodeId>(closest)};
    const auto roots = get_graph(in, graph);
    if (roots.size() != roots_of(energy).size()) throw Malformed();
    in.expect_end();
    return with_roots(energy, std::move(graph), roots);
  });
}

std::optional<Function> function_from_bytes(std::string_view bytes) {
  return read_or_nothing([&] {
    Reader in(bytes, Content::function);
    Function function;
    Graph graph;
    function.name = in.text();
    function.file = in.text();
    function.inputs.resize(in.count());
    for (FunctionInput& input : function.inputs) {
      input.name = in.text();
      input.components = in.get<std::uint32_t>();
      input.where = get_place(in, graph);
    }
    function.parameters.resize(in.count());
    for (FunctionParameter& parameter : function.parameters) {
      parameter.name = in.text();
      parameter.unit = in.text();
      parameter.default_values = get_numbers(in);
      parameter.lower = in.get<double>();
      parameter.upper = in.get<double>();
      parameter.where = get_place(in, graph);
    }
    function.outputs.resize(in.count());
    for (FunctionOutput& output : function.outputs) {
      output.name = in.text();
      output.roots.resize(in.count());
      output.where = get_place(in, graph);
    }
    const auto roots = get_graph(in, graph);
    if (roots.size() != roots_of(function).size()) throw Malformed();
    in.expect_end();
    return with_roots(function, std::move(graph), roots);
  });
}

}  // namespace proxima::ir
