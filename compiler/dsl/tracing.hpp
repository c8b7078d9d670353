// One run of an author's function: the graph it writes and what it declares. Internal to this room; the calls of
// proxima/dsl/abi.h act on the Trace that is current in their thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/dsl/registry.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/function.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::dsl {

// A line of the author's.
struct Place {
  const char* file;
  unsigned line;
};
std::string text_of(Place place);  // "file:line"

class Trace {
 public:
  explicit Trace(const Registered& registered);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  static Trace* current();  // of this thread, or null

  // The first mistake counts: later ones tend to follow from it.
  void note_mistake(Place place, const std::string& message);
  const std::string& mistake() const { return mistake_; }

  // A handle is a node number with the trace's own tag above it, so that a value kept from another trace is recognised.
  // Handle 0 belongs to no trace.
  unsigned handle_of(ir::NodeId node) const;
  std::optional<ir::NodeId> node_of(unsigned handle, Place place);  // notes the mistake
  // The nodes of numbers; empty, with the mistake noted, when one of them belongs to another trace.
  std::vector<ir::NodeId> nodes_of(std::span<const unsigned> handles, Place place);

  unsigned constant(double value, Place place);
  unsigned apply(const ir::Operator& row, std::span<const unsigned> operands, Place place);
  unsigned part(unsigned bundle, unsigned k, Place place);
  unsigned integer_power(unsigned base, int exponent, Place place);

  unsigned strain_component(ir::Measure measure, unsigned nodes, unsigned k, Place place);
  unsigned previous(unsigned handle, Place place);
  // time_step, rest_length or rest_positions: made when they are first asked for.
  unsigned plain_input(ir::InputKind kind, unsigned nodes, unsigned k, Place place);
  unsigned parameter(const std::string& name, const std::string& unit, double default_value, bool varies_in_time,
                     Place place);
  void narrow(unsigned parameter, double lower, double upper, Place place);
  // Both give the number of the input, for component and update.
  unsigned direction(const std::string& name, const double* axis, Place place);
  unsigned history(const std::string& name, std::span<const unsigned> initial, Place place);
  unsigned component(unsigned input, unsigned k, Place place);
  void update(unsigned history, std::span<const unsigned> values, Place place);
  std::vector<unsigned> closest(std::string_view set, std::span<const unsigned> entries,
                                std::span<const unsigned> operands, Place place);
  // Of functions. A component is asked for again and again: the input is declared at the first one.
  unsigned function_input(const std::string& name, unsigned components, unsigned k, Place place);
  unsigned weights(const std::string& name, unsigned count, double half_width, unsigned seed, Place place);
  unsigned weight(unsigned weights, unsigned k, Place place);
  void output(const std::string& name, std::span<const unsigned> values, Place place);
  unsigned projection(unsigned weight, std::span<const unsigned> strain, std::span<const unsigned> closest,
                      Place place);

  void enter(Place place);
  void leave() { --depth_; }
  // The line to report: the author's, when a function of the language is at work.
  Place author(Place place) const { return depth_ > 0 ? entered_ : place; }
  ir::SourceLocation location(Place place) { return {graph.intern_file(place.file), place.line}; }
  std::string text_of(ir::SourceLocation where) const;

  // What is declared. Slots of the graph are numbered as they are asked for; assemble() gives them their final numbers.
  struct Strain {
    ir::Measure measure;
    unsigned stencil;  // nodes, of node positions
    Place place;
    std::vector<ir::NodeId> nodes, previous;  // the second empty until asked for
  };
  struct DeclaredInput {
    ir::Input input;
    std::vector<ir::NodeId> nodes;
    std::optional<Place> updated;
  };
  struct DeclaredProjection {
    ir::NodeId density;
    ir::Projection projection;
    Place place;
  };

  struct DeclaredFunctionInput {
    ir::FunctionInput input;
    std::vector<ir::NodeId> nodes;
  };
  struct DeclaredWeights {
    ir::FunctionParameter parameter;
    std::vector<ir::NodeId> nodes;
  };

  const Registered& registered;
  ir::Graph graph;
  std::optional<Strain> strain;
  std::vector<ir::Parameter> parameters;
  std::vector<ir::NodeId> parameter_nodes;
  std::vector<DeclaredInput> inputs;
  std::vector<DeclaredProjection> projections;
  std::vector<DeclaredFunctionInput> function_inputs;
  std::vector<DeclaredWeights> weight_arrays;
  std::vector<ir::FunctionOutput> outputs;
  std::uint32_t slots = 0;

 private:
  std::vector<ir::NodeId> new_slots(std::size_t count);
  DeclaredInput& new_input(ir::InputKind kind, const std::string& name, std::size_t components, Place place);
  // Notes a mistake where `what`, as the author writes it, has no place in what is being defined.
  bool belongs_to_function(const std::string& what, Place place);
  bool belongs_to_energy(const std::string& what, Place place);
  void check_name(const char* kind, const std::string& name, Place place);
  unsigned result(ir::NodeId node, Place place);
  unsigned of_type(ir::Type type);  // after a mistake the trace goes on with some node of the right type

  unsigned tag_;
  Trace* outer_;
  std::string mistake_;
  Place entered_{};
  int depth_ = 0;
};

// "deformation_gradient()" and so on: what the author writes.
std::string spelled(ir::Measure measure);

}  // namespace proxima::dsl
