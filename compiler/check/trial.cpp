#include "compiler/check/trial.hpp"

#include <algorithm>

#include "compiler/derive/derive.hpp"

namespace proxima::check {

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

std::vector<Move> moves_of(const Context& context, const Function& pull_back, const Values& fields) {
  std::vector<Move> moves;
  const Numbers results = pull_back(fields);
  std::size_t next = 0;
  const auto size_of = [](const Numbers& values) {
    Number size = 0;
    for (const Number value : values) size = std::max(size, std::fabs(value));
    return size > 0 ? size : 1;
  };
  for (const ir::Field& output : pull_back.outputs()) {
    const std::span<const Number> slopes(&results[next], output.components);
    next += output.components;
    if (output.name == "parameters") {
      for (std::size_t k = 0; k < slopes.size(); ++k) {
        const std::string field = derive::field_name(context.energy.parameters[k]);
        const Number unit = size_of(fields.at(field));
        moves.push_back({field, {unit}, slopes[k] * unit, 1e-2L});
      }
      continue;
    }
    Numbers way = some_direction(output.components, 77);
    for (Number& entry : way) entry *= size_of(fields.at(output.name));
    moves.push_back({output.name, way, dot(slopes, way)});
  }
  return moves;
}

void Trial::operator()(const std::function<Number(const Values&)>& f, const Values& at, const Move& move, Number size,
                       const Vector& x, const std::string& name) {
  const auto moved = [&](Number t) {
    Values values = at;
    for (std::size_t k = 0; k < move.way.size(); ++k) values.at(move.field)[k] += t * move.way[k];
    return f(values);
  };
  const Number start = moved(0);
  const auto remainder = [&](Number t) { return std::fabs(moved(t) - start - t * move.slope); };
  const auto falls = [&](Number coarse, Number fine) { return static_cast<double>(std::log10(coarse / fine) / 2); };
  const auto one_sided = [&](Number t) -> double {
    const Number coarse = remainder(t), fine = remainder(t / 100);
    if (coarse <= 1e3L * rounding * size || fine <= rounding * size) return 2;
    return falls(coarse, fine);
  };
  // Where f is not finite on one side, as beyond the end of a domain, the other side tells; fmax leaves NaN out.
  double found = std::fmax(one_sided(move.distance), one_sided(-move.distance));
  // A function that bends within less, as one made smooth by a small number does, is looked at more closely. There a
  // remainder within rounding shows nothing.
  const auto closer = [&](Number t) {
    const Number fine = remainder(t / 100);
    return falls(remainder(t), fine < rounding * size ? rounding * size : fine);
  };
  for (const Number t : {move.distance / 100, move.distance / 10000})
    if (!(found >= least_order)) found = std::fmax(found, std::fmax(closer(t), closer(-t)));
  ++count;
  if (!(found >= least_order)) {
    // A kink: the slopes on the two sides differ, so their mean is off by the first power of the distance. Where f is a
    // power q < 2 of the distance, as the force of a Hertz contact's stiffness is, the right slope leaves that power.
    // The nearest distance at which that is more than rounding tells, since a smooth bend looks like a kink from afar.
    const auto bend = [&](Number t) { return std::fabs(moved(t) + moved(-t) - 2 * start); };
    constexpr double two_slopes = 1.5;
    for (const Number t : {move.distance / 10000, move.distance / 100, move.distance}) {
      const Number coarse = bend(t), fine = bend(t / 100);
      if (!(coarse > 1e3L * rounding * size)) continue;
      const double power = falls(coarse, fine);
      if (!(power < least_order && (power < two_slopes || found > power - 0.1))) break;
      ++kinks;
      return;
    }
  }
  if (std::isnan(order) || found >= order) return;  // NaN is worst
  order = found;
  strain = x;
  where = name;
}

void Trial::report(Context& context, Table& table) const {
  if (count == 0) return;
  table.rows.push_back({kernel, of, static_cast<double>(count), static_cast<double>(kinks),
                        kinks == count ? Value("-") : Value(order), where.empty() ? "-" : where});
  if (!passed())
    context.find(Severity::error, strain,
                 "the {} is not the derivative of the {}: at {} ({}) their difference falls with power {:.2f} of the "
                 "distance, not 2",
                 kernel, of, context.space.text(strain), where, order);
}

std::vector<std::string> Trial::columns() {
  return {"kernel", "derivative_of", "points", "kinks", "lowest_order", "where"};
}

}  // namespace proxima::check
