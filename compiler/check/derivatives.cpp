// Derived kernels against differences of what they are derived from, in extended precision: the difference must fall
// with the square of the distance. At a kink one of the two sides has to.
#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler/check/checks.hpp"
#include "compiler/check/elements.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/derive/derive.hpp"

namespace proxima::check {
namespace {

using Number = long double;
using Numbers = std::vector<Number>;
using Values = std::map<std::string, Numbers>;
using derive::Quantity;

constexpr double least_order = 1.9;
constexpr Number distance = 1e-3L;            // of strains and positions
constexpr Number parameter_distance = 1e-2L;  // of a parameter, relative

Numbers some_direction(std::size_t size, unsigned seed) {
  Numbers d;
  for (std::size_t k = 0; k < size; ++k) {
    seed = seed * 1664525u + 1013904223u;  // Numerical Recipes' generator: nothing depends on its quality
    d.push_back(static_cast<Number>(seed) / 2147483648.0L - 1);
  }
  return d;
}

Number dot(std::span<const Number> a, std::span<const Number> b) {
  Number sum = 0;
  for (std::size_t k = 0; k < b.size(); ++k) sum += a[k] * b[k];
  return sum;
}

Values extended(const Fields& fields) {
  Values values;
  for (const auto& [name, numbers] : fields) values[name] = Numbers(numbers.begin(), numbers.end());
  return values;
}

class Kernel {
 public:
  explicit Kernel(ir::Kernel kernel) : kernel_(std::move(kernel)), interpreter_(kernel_.graph, kernel_.results) {}
  Numbers operator()(const Values& fields) const {
    const auto results = interpreter_(inputs_of(kernel_, fields));
    return {results.begin(), results.end()};
  }
  const std::vector<ir::Field>& outputs() const { return kernel_.outputs; }

 private:
  ir::Kernel kernel_;
  mutable ir::Interpreter<Number> interpreter_;
};

// How |f(h) - f(0) - h slope| falls with h, over two decades below `h`. 2 where f is linear to within rounding of terms
// of `size`.
double observed_order(const std::function<Number(Number)>& f, Number slope, Number h, Number size) {
  const Number start = f(0);
  const auto remainder = [&](Number t) { return std::fabs(f(t) - start - t * slope); };
  const auto one_sided = [&](Number t) -> double {
    const Number coarse = remainder(t), fine = remainder(t / 100);
    if (coarse <= 1e-15L * size || fine <= 1e-18L * size) return 2;
    return static_cast<double>(std::log10(coarse / fine) / 2);
  };
  return std::max(one_sided(h), one_sided(-h));
}

// A field that moves along a way, and the slope that the derived kernel gives for it.
struct Move {
  std::string field;
  Numbers way;
  Number slope;
  Number distance;
};

// What the outputs of a pull-back say about the fields they are derivatives by.
std::vector<Move> moves_of(const Context& context, const Kernel& pull_back, const Values& fields) {
  std::vector<Move> moves;
  const Numbers results = pull_back(fields);
  std::size_t next = 0;
  for (const ir::Field& output : pull_back.outputs()) {
    const std::span<const Number> slopes(&results[next], output.components);
    next += output.components;
    if (output.name != "parameters") {
      const Numbers way = some_direction(output.components, 77);
      moves.push_back({output.name, way, dot(slopes, way), distance});
      continue;
    }
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      const Number value = context.parameters[k], unit = value != 0 ? std::fabs(value) : 1;
      moves.push_back({"parameter:" + context.energy.parameters[k].name, {unit}, slopes[k] * unit, parameter_distance});
    }
  }
  return moves;
}

// One row of the table: a derived kernel, all that was tried, and where it did worst.
struct Trial {
  const char* kernel;
  const char* of;
  double order = INFINITY;
  Vector strain;
  std::string where;
  int count = 0;

  using Function = std::function<Number(const Values&)>;
  void operator()(const Function& f, const Values& at, const Move& move, Number size, const Vector& x,
                  const std::string& name) {
    const double found = observed_order(
        [&](Number t) {
          Values moved = at;
          for (std::size_t k = 0; k < move.way.size(); ++k) moved.at(move.field)[k] += t * move.way[k];
          return f(moved);
        },
        move.slope, move.distance, size);
    ++count;
    if (found >= order) return;  // NaN counts as worse
    order = found;
    strain = x;
    where = name;
  }
};

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

    trials[0]([&](const Values& v) { return energy_(v)[0]; }, fields, {"strain", d, dot(P, d), distance}, size, strain,
              state.name);
    trials[1]([&](const Values& v) { return dot(stress_(v), weights); }, fields,
              {"strain", d, dot(hessian_(fields), weights), distance}, size, strain, state.name);
    const auto work = [&](const Values& v) { return dot(stress_(v), d); };
    for (const auto& [trial, kernel] : {std::pair{&trials[2], &pull_back_}, std::pair{&trials[3], &carried_}})
      for (const Move& move : moves_of(context_, *kernel, fields))
        (*trial)(work, fields, move, size, strain, fmt::format("{}, by {}", state.name, move.field));
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

  std::vector<Trial> trials{{"stress", "energy", INFINITY, {}, {}},
                            {"Hessian-vector product", "stress", INFINITY, {}, {}},
                            {"pull-back to parameters and directions", "stress", INFINITY, {}, {}},
                            {"pull-back to the previous step", "stress", INFINITY, {}, {}},
                            {"pull-back to the rest shape", "forces", INFINITY, {}, {}}};

 private:
  Number size_of(const Numbers& stress) const {
    Number size = context_.rest.scale;
    for (const Number entry : stress) size = std::max(size, std::fabs(entry));
    return size;
  }
  Kernel strain(Quantity quantity) const { return Kernel(derive::strain_kernel(context_.energy, quantity)); }
  Kernel element(Quantity quantity) const {
    const std::vector<bool> uniform(context_.parameters.size(), false);
    return Kernel(derive::element_kernel(context_.energy, quantity, shape_of(context_.energy), uniform));
  }

  const Context& context_;
  const Kernel energy_ = strain(Quantity::energy), stress_ = strain(Quantity::forces),
               hessian_ = strain(Quantity::hessian_vector), pull_back_ = strain(Quantity::pull_back),
               carried_ = strain(Quantity::carried_pull_back), forces_ = element(Quantity::forces),
               rest_ = element(Quantity::rest_pull_back);
};

}  // namespace

void check_derivatives(Context& context) {
  constexpr int random = 4;
  constexpr std::size_t elements_tried = 4;
  Tester tester(context);
  for (const State& state : states()) tester.at(state);
  for (const State& state : random_states(random)) tester.at(state);
  const Elements elements(context);
  for (std::size_t e = 0; e < std::min(elements_tried, elements.size()); ++e)
    tester.at(elements, elements.size() - 1 - e);

  Table& table = context.table("derivatives", {"kernel", "derivative_of", "points", "lowest_order", "where"});
  for (const Trial& trial : tester.trials) {
    if (trial.count == 0) continue;
    table.rows.push_back({trial.kernel, trial.of, static_cast<double>(trial.count), trial.order, trial.where});
    if (!(trial.order >= least_order))
      context.find(Severity::error, trial.strain,
                   "the {} is not the derivative of the {}: at {} ({}) their difference falls with power {:.2f} of the "
                   "distance, not 2",
                   trial.kernel, trial.of, context.space.text(trial.strain), trial.where, trial.order);
  }
}

}  // namespace proxima::check
