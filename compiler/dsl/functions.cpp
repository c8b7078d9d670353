// What the author of a function declares: inputs, weights, outputs.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "compiler/dsl/tracing.hpp"
#include "compiler/support/hash.hpp"

namespace proxima::dsl {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// The standard library's distributions are not the same everywhere; its engines are.
std::vector<double> drawn(const std::string& name, unsigned count, double half_width, unsigned seed) {
  std::mt19937_64 random(hash_bytes(fmt::format("{} {}", seed, name)).low);
  std::vector<double> values(count);
  if (half_width != 0)
    for (double& value : values) value = half_width * (std::ldexp(static_cast<double>(random() >> 11), -52) - 1);
  return values;
}

}  // namespace

bool Trace::belongs_to_function(const std::string& what, Place place) {
  if (registered.definition == Definition::function) return true;
  note_mistake(place,
               fmt::format("{} belongs into a PROXIMA_FUNCTION; '{}' is an energy, which has parameters, signals "
                           "and what else depends on its strain measure",
                           what, registered.name));
  return false;
}

bool Trace::belongs_to_energy(const std::string& what, Place place) {
  if (registered.definition != Definition::function) return true;
  note_mistake(place, fmt::format("{} belongs into an energy; '{}' is a function, which has inputs, parameters and "
                                  "weights",
                                  what, registered.name));
  return false;
}

unsigned Trace::function_input(const std::string& name, unsigned components, unsigned k, Place place) {
  if (!belongs_to_function("input(...)", place)) return of_type(ir::Type::number);
  if (k == 0) {
    check_name("input", name, place);
    function_inputs.push_back({{name, components, location(place)}, new_slots(components)});
  }
  return handle_of(function_inputs.back().nodes.at(k));
}

unsigned Trace::weights(const std::string& name, unsigned count, double half_width, unsigned seed, Place place) {
  belongs_to_function("weights(...)", place);
  check_name("weights", name, place);
  if (!std::isfinite(half_width))
    note_mistake(place, fmt::format("the half width of weights '{}' is {}, which is not finite", name, half_width));
  weight_arrays.push_back(
      {{name, "", drawn(name, count, half_width, seed), -inf, inf, location(place)}, new_slots(count)});
  return static_cast<unsigned>(weight_arrays.size() - 1);
}

unsigned Trace::weight(unsigned array, unsigned k, Place place) {
  if (array < weight_arrays.size() && k < weight_arrays[array].nodes.size())
    return handle_of(weight_arrays[array].nodes[k]);
  node_of(0, place);  // weights of another trace
  return of_type(ir::Type::number);
}

void Trace::output(const std::string& name, std::span<const unsigned> values, Place place) {
  if (!belongs_to_function("output(...)", place)) return;
  if (name.empty()) note_mistake(place, "an output needs a name");
  for (const ir::FunctionOutput& other : outputs)
    if (other.name == name)
      note_mistake(place, fmt::format("output '{}' is given twice; the first time at {}", name, text_of(other.where)));
  outputs.push_back({name, nodes_of(values, place), location(place)});
}

}  // namespace proxima::dsl
