// Values given by a formula in the rest position, as a scene may have them for parameters and densities.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

struct Expression {
  std::string text;  // in x, y and z, m; "1e5 * (1 + 9*(x > 0.05))"
};

// At each of the points. Operators and functions are those of muParser: arithmetic, comparisons (1 or 0), && and ||,
// ?:, sin, exp, sqrt, min and so on, _pi. Throws Error "WHERE: the expression ..." with the position in its text and
// what is wrong there, and where a value is no finite number the point.
std::vector<double> evaluate(const Expression& expression, std::span<const mesh::Vector3> points,
                             const std::string& where);

}  // namespace proxima::model
