#include "runtime/model/expression.hpp"

#include <muParser.h>

#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

// The library's sentence, which may end in a full stop.
std::string reason(const mu::ParserError& error) {
  std::string text = error.GetMsg();
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

std::vector<double> evaluate(const Expression& expression, std::span<const mesh::Vector3> points,
                             const std::string& where) {
  std::vector<double> result;
  mesh::Vector3 at{};
  try {
    mu::Parser parser;
    for (std::size_t i = 0; i < 3; ++i) parser.DefineVar(std::string(1, "xyz"[i]), &at[i]);
    parser.SetExpr(expression.text);
    for (const auto& point : points) {
      at = point;
      int values = 0;
      const double value = parser.Eval(values)[0];
      if (values != 1) fail("{}: the expression '{}' gives {} values, needed is one", where, expression.text, values);
      if (at != point) fail("{}: the expression '{}' assigns to a coordinate; == compares", where, expression.text);
      if (!std::isfinite(value))
        fail("{}: the expression '{}' is {} at [{:g}, {:g}, {:g}]", where, expression.text, value, point[0], point[1],
             point[2]);
      result.push_back(value);
    }
  } catch (const mu::ParserError& error) {
    fail("{}: the expression '{}' cannot be read at position {}: {}; needed is a formula in x, y and z, in metres",
         where, expression.text, error.GetPos(), reason(error));
  }
  return result;
}

}  // namespace proxima::model
