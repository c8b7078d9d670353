// C expressions with no more parentheses than they need. Internal to this room.
#pragma once

#include <span>
#include <string>

#include "compiler/emit/target.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit {

struct Spelling {
  std::string words;
  int precedence = 0;  // how tightly the outermost operator binds, see spelling.cpp
};

// A name, an element of an array.
Spelling atom(std::string words);

// A number that reads back as the same double, or as the float nearest to it.
Spelling literal(double value, Precision precision);

// The operator's column `c` with the operands in place; in single precision sqrt is sqrtf.
Spelling spell(const ir::Operator& row, std::span<const Spelling> operands, Precision precision);

// Whether the spelling has an operand more than once, so that it should be a name.
bool repeats_operands(const ir::Operator& row);

// A name that C and C++ accept: letters, digits and underscores, no keyword.
std::string identifier(const std::string& name);

}  // namespace proxima::emit
