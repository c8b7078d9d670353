// Element kernels as machine code: the same numbers as the interpreter's, and what they cost.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/check/checks.hpp"
#include "compiler/check/elements.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/check/passes.hpp"

namespace proxima::check {
namespace {

using jit::Precision;

// What a loop says about itself, which depends on roundings.
bool tells_of_iteration(const std::string& output) {
  return output == "iterations" || output == "residual" || output == "pivot";
}

using Outputs = std::vector<std::vector<double>>;  // by field, element after element

// Elements whose local step, by iteration, found no minimum to compare with; empty for a kernel without iterations.
std::vector<bool> without_minimum(const ir::Kernel& kernel, const Outputs& outputs) {
  constexpr double solved = 1e-7;
  std::vector<bool> elements;
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const bool residual = kernel.outputs[f].name == "residual", pivot = kernel.outputs[f].name == "pivot";
    if (!residual && !pivot) continue;
    elements.resize(outputs[f].size(), false);
    for (std::size_t e = 0; e < elements.size(); ++e)
      if (!(residual ? outputs[f][e] <= solved : outputs[f][e] > 0)) elements[e] = true;
  }
  return elements;
}

// The proximal step, or its adjoint, which takes the point it found.
bool follows_iteration(const ir::Kernel& kernel) {
  const auto named = [](const char* name) { return [=](const ir::Field& field) { return field.name == name; }; };
  return std::ranges::any_of(kernel.outputs, named("residual")) || std::ranges::any_of(kernel.inputs, named("p"));
}

// How far results move when inputs move by a few roundings, of the kernel's precision and of the interpreter's: what is
// 0 by cancellation is so to a rounding of its terms, and at a tie, as of a history that begins at the least value of
// what it is the maximum of, rounding decides which side counts.
Outputs spread_of_rounding(const ir::Kernel& kernel, const Batch& batch, const Outputs& at, Precision precision) {
  constexpr int tries = 16;
  constexpr double roundings[] = {
      8 * std::numeric_limits<double>::epsilon(),
      8 * std::numeric_limits<float>::epsilon(),
  };
  Outputs spread;
  for (const auto& field : at) spread.emplace_back(field.size());
  for (int k = 0; k < tries; ++k) {
    Batch moved = batch;
    double phase = 1 + k;
    const double distance = roundings[precision == Precision::fp64 ? 0 : k % 2];
    for (auto& field : moved.fields)
      for (double& value : field) value *= 1 + distance * std::sin(phase += 1.7);
    const Outputs near = interpret(kernel, moved, Precision::fp64);
    for (std::size_t f = 0; f < at.size(); ++f)
      for (std::size_t i = 0; i < at[f].size(); ++i)
        spread[f][i] = std::fmax(spread[f][i], std::fabs(near[f][i] - at[f][i]));
  }
  return spread;
}

// The greatest difference between two outputs beyond what is allowed, relative to the largest entry of the field;
// infinite where only one of them is finite, or where fp32 has no such number. `allowed` may be empty, and so may
// `either`: elements where one result is as right as another.
struct Difference {
  double error = 0;
  std::size_t element = 0;
};
Difference difference(const ir::Kernel& kernel, const Outputs& a, const Outputs& b, std::size_t elements,
                      const Outputs& allowed = {}, const std::vector<bool>& either = {}) {
  Difference worst;
  for (std::size_t f = 0; f < a.size(); ++f) {
    if (tells_of_iteration(kernel.outputs[f].name)) continue;
    double largest = 0;
    for (const double value : b[f])
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    for (std::size_t k = 0; k < a[f].size(); ++k) {
      const std::size_t element = k / (a[f].size() / elements);
      if (a[f][k] == b[f][k] || (!either.empty() && either[element])) continue;
      const double apart = std::fabs(a[f][k] - b[f][k]);
      if (!allowed.empty() && apart <= 8 * allowed[f][k]) continue;
      const double error = std::isfinite(apart) ? apart / largest : INFINITY;
      if (error > worst.error) worst = {error, element};
    }
  }
  return worst;
}

}  // namespace

void check_compiled(Context& context) {
  struct Limit {
    Precision precision;
    const char* name;
    double error;
    Severity severity;
  };
  // What terms that cancel to a ten-thousandth lose; more in fp32 is the energy's own doing.
  constexpr Limit limits[] = {{Precision::fp64, "fp64", 1e-10, Severity::error},
                              {Precision::fp32, "fp32", 1e-3, Severity::warning}};
  const Elements elements(context);
  if (elements.size() == 0) return;
  // At a kink of a derivative, where a fibre at rest is just taut or just slack, either side is right.
  std::vector<bool> kinks;
  kinks.reserve(elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) kinks.push_back(context.response.kink(elements.strain(e)));
  std::vector<bool> unsolved;  // by the proximal step, whose adjoint comes next
  Table& table = context.table("compiled", {"kernel", "fp64_error", "fp32_error"});
  for (const NamedKernel& named : run_kernels(context.energy)) {
    std::vector<Value> row{named.title};
    const Batch batch = elements.batch(named.kernel, elements.size());
    for (const Limit& limit : limits) {
      const auto compiled = context.engine.compile(named.kernel, limit.precision);
      const Outputs found = run(*compiled, batch), expected = interpret(named.kernel, batch, limit.precision);
      if (auto now = without_minimum(named.kernel, expected); !now.empty()) unsolved = std::move(now);
      auto worst = difference(named.kernel, found, expected, elements.size());
      if (worst.error > limit.error) {
        std::vector<bool> either = kinks;
        if (follows_iteration(named.kernel))
          for (std::size_t e = 0; e < either.size(); ++e) either[e] = either[e] || unsolved[e];
        worst = difference(named.kernel, found, expected, elements.size(),
                           spread_of_rounding(named.kernel, batch, expected, limit.precision), either);
      }
      row.emplace_back(worst.error);
      if (worst.error > limit.error)
        context.find(
            limit.severity, elements.strain(worst.element),
            "the compiled kernel '{}' in {} differs from the interpreter by {:.2g} of its largest result, at {}",
            named.title, limit.name, worst.error, context.space.text(elements.strain(worst.element)));
    }
    table.rows.push_back(std::move(row));
  }
}

void check_cost(Context& context) {
  const Elements elements(context);
  constexpr std::size_t in_cache = 256;
  const jit::Target& target = context.engine.target();
  context.fact("target", "instructions", fmt::format("{}, vector registers of {} bit", target.cpu, target.vector_bits));
  Table& table = context.table(
      "cost", {"kernel", "operations", "cost", "loops", "values_alive", "registers", "ns_fp64", "ns_fp32"});
  for (const NamedKernel& named : run_kernels(context.energy)) {
    const Passes passes = passes_of(named.kernel, Precision::fp64, target);
    std::vector<Value> row{named.title};
    for (const int number : {passes.each, passes.cost, passes.loops, passes.alive, passes.registers})
      row.emplace_back(static_cast<double>(number));
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      if (context.options.timing && elements.size() > 0)
        row.emplace_back(
            nanoseconds(*context.engine.compile(named.kernel, precision), elements.batch(named.kernel, in_cache)));
      else
        row.emplace_back("-");
    table.rows.push_back(std::move(row));
  }
}

}  // namespace proxima::check
