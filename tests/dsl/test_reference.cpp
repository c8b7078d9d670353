// The tables of operators in docs/language.md are those of the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler/derive/divided_difference.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/support/file.hpp"

namespace proxima::ir {
namespace {

// A cell and the bar after it; a bar in its text would end it.
std::string cell(std::string_view text) {
  std::string result = " ";
  for (char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result + " |";
}
std::string code(std::string_view text) { return text.empty() ? cell("") : cell(fmt::format("`{}`", text)); }

std::string simple_table() {
  std::string text =
      "| operator | where its value is finite | derivative by its operands | at the edge, and at kinks | divided "
      "difference | LLVM | C | cost |\n|---|---|---|---|---|---|---|---|\n";
  for (const Operator& row : operators()) {
    if (row.form == Form::leaf) continue;
    text += fmt::format("|{}{}{}{}{}{}{}{}\n", code(row.name), cell(row.domain), cell(row.derivative),
                        cell(row.singular), cell(derive::divided_difference_in_words(row.op)), code(row.llvm),
                        code(row.c), cell(std::to_string(row.cost)));
  }
  return text;
}

std::string composite_table() {
  const auto count = [](std::uint8_t n) { return n == varying ? std::string("any") : std::to_string(n); };
  std::string text =
      "| operator | operands | values | where finite | derivative | at the edge | cost "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const Operator& row : composite_operators())
    text += fmt::format("|{}{}{}{}{}{}{}\n", code(row.name), cell(count(row.arity)),
                        cell(row.parts == 0 ? "1" : count(row.parts)), cell(row.domain), cell(row.derivative),
                        cell(row.singular), cell(std::to_string(row.cost)));
  return text;
}

TEST(LanguageReference, HasTheOperatorTablesOfTheProgram) {
  const std::string page = read_file(PROXIMA_SOURCE_DIR "/docs/language.md");
  for (const std::string& table : {simple_table(), composite_table()})
    EXPECT_NE(page.find(table), std::string::npos) << "docs/language.md must contain:\n" << table;
}

}  // namespace
}  // namespace proxima::ir
