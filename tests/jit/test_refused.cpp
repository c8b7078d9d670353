// The wrong programs of tests/dsl/wrong, as material files: refused by Clang in this process with the same words at the
// same lines as by a compiler of its own. A missing return would otherwise be executed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

TEST(WrongMaterials, AreRefusedAtTheLineOfTheMistake) {
  const testing::TemporaryFolder cache;
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PROXIMA_SOURCE_DIR "/tests/dsl/wrong")) {
    if (entry.path().extension() != ".cpp") continue;
    SCOPED_TRACE(entry.path().filename());
    ++tried;
    const std::string text = read_file(entry.path());
    const std::string words = text.substr(3, text.find('\n') - 3);
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("// wrong")), '\n');
    try {
      Engine(cache.path()).load_energy(entry.path());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
      EXPECT_THAT(error.what(), ::testing::HasSubstr(entry.path().string() + ":" + std::to_string(line) + ":"));
    }
  }
  EXPECT_GE(tried, 12);
}

}  // namespace
}  // namespace proxima::jit
