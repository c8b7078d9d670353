// Derived kernels against differences of what they are derived from.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"
#include "compiler/check/elements.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/check/trial.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/support/error.hpp"

namespace proxima::check {
namespace {

using derive::Quantity;

class Tester {
 public:
  explicit Tester(const Context& context) : context_(context) {}

  void at(const State& state) {
    const Vector strain = context_.space.at(state.A);
    if (context_.response.not_finite(strain)) return;
    Values fields = extended(context_.fields);
    fields["strain"] = Numbers(strain.begin(), strain.end());
    const Numbers& d = fields["strain_direction"] = some_direction(fields["strain"].size(), 1);
    const Numbers weights = some_direction(d.size(), 2);
    const Numbers P = stress_(fields);
    const Number size = size_of(P);

    trials[0]([&](const Values& v) { return energy_(v)[0]; }, fields, {"strain", d, dot(P, d)}, size, strain,
              state.name);
    trials[1]([&](const Values& v) { return dot(stress_(v), weights); }, fields,
              {"strain", d, dot(hessian_(fields), weights)}, size, strain, state.name);
    const auto work = [&](const Values& v) { return dot(stress_(v), d); };
    for (const auto& [trial, kernel] : {std::pair{&trials[2], &pull_back_}, std::pair{&trials[3], &carried_}})
      for (const Move& move : moves_of(context_, *kernel, fields))
        (*trial)(work, fields, move, size, strain, fmt::format("{}, by {}", state.name, move.field));

    Numbers bars;
    for (const ir::Input& input : context_.energy.inputs)
      if (input.kind == ir::InputKind::history)
        for (const Number bar : fields.at("history_bar:" + input.name)) bars.push_back(bar);
    if (bars.empty()) return;
    const auto updated = [&](const Values& v) { return dot(histories_(v), bars); };
    for (const Move& move : moves_of(context_, histories_back_, fields))
      trials[5](updated, fields, move, 1, strain, fmt::format("{}, by {}", state.name, move.field));
  }

  // The rest shape is known to elements alone.
  void at(const Elements& elements, std::size_t number) {
    const derive::Shape shape = shape_of(context_.energy);
    const Values fields = extended(elements.fields(number));
    const Numbers& d = fields.at("direction");
    const auto work = [&](const Values& v) {
      Values moved = v;
      add_rest_geometry(moved, shape);
      return dot(forces_(moved), d);
    };
    for (const Move& move : moves_of(context_, rest_, fields))
      trials[4](work, fields, move, size_of(forces_(fields)), elements.strain(number),
                fmt::format("element {}", number + 1));
  }

  void at_rest() {
    const Function value(derive::rest_weight(context_.energy)), both(derive::rest_weight_gradient(context_.energy));
    const Values fields = extended(context_.fields);
    const Numbers slopes = both(fields);  // the weight, then its derivative by each parameter
    for (std::size_t k = 0; k < context_.parameters.size(); ++k) {
      const std::string field = derive::field_name(context_.energy.parameters[k]);
      const Number unit = context_.parameters[k] != 0 ? std::fabs(context_.parameters[k]) : 1;
      weight([&](const Values& v) { return value(v)[0]; }, fields, {field, {unit}, slopes[k + 1] * unit, 1e-2L},
             context_.rest.scale, context_.space.rest(), "by " + field);
    }
  }

  std::vector<Trial> trials{
      {.kernel = "stress", .of = "energy", .strain = {}, .where = {}},
      {.kernel = "Hessian-vector product", .of = "stress", .strain = {}, .where = {}},
      {.kernel = "pull-back to parameters and directions", .of = "stress", .strain = {}, .where = {}},
      {.kernel = "pull-back to the previous step", .of = "stress", .strain = {}, .where = {}},
      {.kernel = "pull-back to the rest shape", .of = "forces", .strain = {}, .where = {}},
      {.kernel = "pull-back of the histories", .of = "histories", .strain = {}, .where = {}}};
  Trial weight{.kernel = "gradient of the weight", .of = "weight", .strain = {}, .where = {}};

 private:
  Number size_of(const Numbers& stress) const {
    Number size = context_.rest.scale;
    for (const Number entry : stress) size = std::max(size, std::fabs(entry));
    return size;
  }
  Function strain(Quantity quantity) const { return Function(derive::strain_kernel(context_.energy, quantity)); }
  Function element(Quantity quantity) const {
    const std::vector<bool> uniform(context_.parameters.size(), false);
    return Function(derive::element_kernel(context_.energy, quantity, shape_of(context_.energy), uniform));
  }

  const Context& context_;
  const Function energy_ = strain(Quantity::energy), stress_ = strain(Quantity::forces),
                 hessian_ = strain(Quantity::hessian_vector), pull_back_ = strain(Quantity::pull_back),
                 carried_ = strain(Quantity::carried_pull_back), histories_ = strain(Quantity::history_update),
                 histories_back_ = strain(Quantity::history_pull_back), forces_ = element(Quantity::forces),
                 rest_ = element(Quantity::rest_pull_back);
};

}  // namespace

void check_derivatives(Context& context) {
  constexpr int random = 4;
  constexpr std::size_t elements_tried = 4;
  Tester tester(context);
  for (const State& state : states()) tester.at(state);
  for (const State& state : random_states(random)) tester.at(state);
  try {
    tester.at_rest();
  } catch (const Error& error) {
    context.find(Severity::note, context.space.rest(), "the weight has no gradient by the parameters: {}",
                 error.what());
  }
  const Elements elements(context);
  for (std::size_t e = 0; e < std::min(elements_tried, elements.size()); ++e)
    tester.at(elements, elements.size() - 1 - e);

  Table& table = context.table("derivatives", Trial::columns());
  for (const Trial& trial : tester.trials) trial.report(context, table);
  tester.weight.report(context, table);
}

}  // namespace proxima::check
