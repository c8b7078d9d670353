#include "compiler/emit/text/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

namespace proxima::emit {
namespace {

constexpr int ternary = 1, comparison = 4, prefix = 7, primary = 8;
constexpr std::pair<std::string_view, int> infix[] = {{" ? ", ternary}, {" || ", 2}, {" && ", 3}, {" == ", 4},
                                                      {" < ", 4},       {" <= ", 4}, {" + ", 5},  {" - ", 5},
                                                      {" * ", 6},       {" / ", 6}};

// The column without its outer parentheses, and how tightly its operator binds.
Spelling pattern_of(const ir::Operator& row) {
  const std::string text(row.c);
  if (!text.starts_with('(')) return {text, primary};
  const std::string inside = text.substr(1, text.size() - 2);
  for (const auto& [words, precedence] : infix)
    if (inside.find(words) != std::string::npos) return {inside, precedence};
  return {inside, prefix};
}

}  // namespace

Spelling atom(std::string words) { return {std::move(words), primary}; }

Spelling literal(double value, Precision precision) {
  std::string words = precision == Precision::fp64 ? fmt::format("{}", std::fabs(value))
                                                   : fmt::format("{}", static_cast<float>(std::fabs(value)));
  if (std::isinf(value)) words = "INFINITY";
  if (std::isnan(value)) return atom("NAN");
  if (std::isfinite(value) && words.find_first_of(".e") == std::string::npos) words += ".0";
  if (std::isfinite(value) && precision == Precision::fp32) words += "f";
  return std::signbit(value) ? Spelling{"-" + words, prefix} : atom(words);
}

Spelling spell(const ir::Operator& row, std::span<const Spelling> operands, Precision precision) {
  const Spelling pattern = pattern_of(row);
  const bool call = pattern.precedence == primary;
  std::string words;
  for (std::size_t at = 0; at < pattern.words.size(); ++at) {
    const char letter = pattern.words[at];
    if (letter == '(' && call && precision == Precision::fp32) words += 'f';
    if (letter != '$') {
      words += letter;
      continue;
    }
    const auto k = static_cast<std::size_t>(pattern.words[++at] - '0');
    const Spelling& operand = operands[k];
    // Operators of equal precedence associate to the left, and the order of roundings must stay: a + (b + c). Mixed
    // comparisons and logic are easier to read, and "- -x" to write, with parentheses.
    const bool left = k == 0 && pattern.precedence > comparison && pattern.precedence < prefix;
    const bool logic = pattern.precedence < comparison && operand.precedence < comparison;
    const bool tighter = left ? operand.precedence >= pattern.precedence : operand.precedence > pattern.precedence;
    const bool bare = call || (tighter && !logic);
    words += bare ? operand.words : "(" + operand.words + ")";
  }
  return {words, pattern.precedence};
}

bool repeats_operands(const ir::Operator& row) {
  return std::count(row.c.begin(), row.c.end(), '$') > static_cast<std::ptrdiff_t>(row.arity);
}

std::string identifier(const std::string& name) {
  static constexpr std::string_view keywords[] = {
      "alignas",   "alignof",  "and",      "asm",      "auto",         "bool",       "break",     "case",
      "catch",     "char",     "class",    "concept",  "const",        "const_cast", "consteval", "constexpr",
      "constinit", "continue", "decltype", "default",  "delete",       "do",         "double",    "else",
      "enum",      "explicit", "export",   "extern",   "false",        "float",      "for",       "friend",
      "goto",      "if",       "inline",   "int",      "long",         "mutable",    "namespace", "new",
      "noexcept",  "not",      "nullptr",  "operator", "or",           "private",    "protected", "public",
      "register",  "requires", "restrict", "return",   "short",        "signed",     "sizeof",    "static",
      "struct",    "switch",   "template", "this",     "thread_local", "throw",      "true",      "try",
      "typedef",   "typeid",   "typename", "union",    "unsigned",     "using",      "virtual",   "void",
      "volatile",  "while",    "xor"};
  std::string result;
  for (const char letter : name) result += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) result = "_" + result;
  if (std::ranges::find(keywords, std::string_view(result)) != std::end(keywords)) result += "_";
  return result;
}

}  // namespace proxima::emit
