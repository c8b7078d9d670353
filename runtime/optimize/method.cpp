#include "runtime/optimize/method.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/optimize/adam.hpp"
#include "runtime/optimize/lbfgsb.hpp"

namespace proxima::optimize {
namespace {

constexpr MethodRow rows[] = {{"lbfgsb", 1, make_lbfgsb}, {"adam", 50, make_adam}};

}  // namespace

std::span<const MethodRow> methods() { return rows; }

const MethodRow& method_named(std::string_view name) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.name == name; });
  if (found != std::end(rows)) return *found;
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  fail("there is no method '{}'; there are {}", name, fmt::join(names, ", "));
}

}  // namespace proxima::optimize
