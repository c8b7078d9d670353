// Every program in wrong/ whose first line begins with "// trace: " is part of this test. Its energy or function must
// be refused when it is written down, at the line that ends in "// wrong" and with the words of the first line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/dsl/trace.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::dsl {

void PrintTo(const Registered& energy, std::ostream* out) { *out << energy.file; }

namespace {

class Refused : public testing::TestWithParam<Registered> {};

struct Expected {
  std::string words;
  int line = 0;
};

// The folder's name and the file's.
std::filesystem::path name_of(const Registered& energy) {
  const std::filesystem::path file = energy.file;
  return file.parent_path().filename() / file.filename();
}

Expected expected_of(const Registered& energy) {
  std::istringstream text(read_file(std::filesystem::path(PROXIMA_SOURCE_DIR) / ("tests/dsl/wrong" / name_of(energy))));
  Expected expected;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (number == 1) expected.words = line.substr(std::string("// trace: ").size());
    if (line.ends_with("// wrong")) expected.line = number;
  }
  return expected;
}

TEST_P(Refused, AtItsLineAndInWordsThatHelp) {
  const Expected expected = expected_of(GetParam());
  ASSERT_GT(expected.line, 0);
  try {
    if (GetParam().definition == Definition::function)
      trace_function(GetParam());
    else
      trace(GetParam());
    FAIL() << "it is accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(GetParam().file + ":" + std::to_string(expected.line) + ": "));
    EXPECT_THAT(error.what(), testing::HasSubstr(expected.words));
  }
}

std::string case_name(const testing::TestParamInfo<Registered>& info) {
  const std::filesystem::path name = name_of(info.param);
  return name.parent_path().string() + "_" + name.stem().string();
}

std::vector<Registered> in_order() {
  std::vector<Registered> all = registered_energies();
  all.insert(all.end(), registered_functions().begin(), registered_functions().end());
  std::ranges::sort(all, {}, &Registered::file);
  return all;
}

INSTANTIATE_TEST_SUITE_P(WhenTraced, Refused, testing::ValuesIn(in_order()), case_name);

}  // namespace
}  // namespace proxima::dsl
