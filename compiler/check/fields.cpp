#include "compiler/check/fields.hpp"

#include <cmath>

#include "compiler/derive/derive.hpp"

namespace proxima::check {
namespace {

constexpr double time_step = 0.01;  // s

// The author's, else a direction along x and a history of zeros.
std::vector<double> initial_values(const ir::Input& input) {
  std::vector<double> values = input.initial;
  values.resize(input.components);
  if (input.kind == ir::InputKind::direction && input.initial.empty()) values[0] = 1;
  return values;
}

}  // namespace

Fields fields_at_rest(const ir::Energy& energy, const Space& space, const std::vector<double>& parameters) {
  const std::vector<double> rest(space.rest().begin(), space.rest().end());
  Fields fields{{"previous", rest}, {"time_step", {time_step}}, {"rest_length", {1}}, {"rest_positions", rest}};
  for (std::size_t k = 0; k < parameters.size(); ++k)
    fields[derive::field_name(energy.parameters[k])] = {parameters[k]};
  for (const ir::Input& input : energy.inputs)
    if (input.kind == ir::InputKind::direction || input.kind == ir::InputKind::history)
      fields[derive::field_name(input)] = initial_values(input);
  for (const ir::Input& input : energy.inputs)
    if (input.kind == ir::InputKind::history)
      for (std::uint32_t c = 0; c < input.components; ++c)
        fields["history_bar:" + input.name].push_back(std::cos(1.3 * c + 0.2));
  return fields;
}

std::vector<double> other_inputs(const ir::Energy& energy, const Fields& fields) {
  std::vector<double> values;
  const auto append = [&](const std::string& name) {
    const auto& field = fields.at(name);
    values.insert(values.end(), field.begin(), field.end());
  };
  for (const ir::Parameter& parameter : energy.parameters) append(derive::field_name(parameter));
  for (const ir::Input& input : energy.inputs) append(derive::field_name(input));
  return values;
}

}  // namespace proxima::check
