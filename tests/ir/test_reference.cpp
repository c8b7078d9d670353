// The operator table in docs/language.md is the one in the program.
#include <gtest/gtest.h>

#include <string>

#include "compiler/ir/operators.hpp"
#include "compiler/support/file.hpp"

namespace proxima::ir {
namespace {

std::string table() {
  std::string text =
      "| operator | where its value is finite | derivative by its operands | at the edge, and at kinks | cost |\n";
  text += "|---|---|---|---|---|\n";
  for (const Operator& row : operators()) {
    if (row.form == Form::leaf) continue;
    text += "| `" + std::string(row.name) + "` | ";
    for (std::string_view cell : {row.domain, row.derivative, row.singular}) text += std::string(cell) + " | ";
    text += std::to_string(row.cost) + " |\n";
  }
  return text;
}

TEST(LanguageReference, HasTheOperatorTableOfTheProgram) {
  const std::string page = read_file(PROXIMA_SOURCE_DIR "/docs/language.md");
  EXPECT_NE(page.find(table()), std::string::npos) << "docs/language.md must contain:\n" << table();
}

}  // namespace
}  // namespace proxima::ir
