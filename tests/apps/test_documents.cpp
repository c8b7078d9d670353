// What the documents show works: every file and command of the tutorial, and every material printed anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

struct Block {
  std::string language;  // behind the fence
  std::string file;      // when the last line before the fence is `NAME`
  std::string text;
};

std::vector<Block> blocks(const std::string& document) {
  std::istringstream lines(read_file(std::filesystem::path(PROXIMA_SOURCE_DIR) / document));
  std::vector<Block> found;
  std::string last;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      const bool named = last.size() > 2 && last.front() == '`' && last.back() == '`';
      if (inside) found.push_back({line.substr(3), named ? last.substr(1, last.size() - 2) : "", ""});
    } else if (inside) {
      found.back().text += line + "\n";
    } else if (!line.empty()) {
      last = line;
    }
  }
  return found;
}

using Documents = SceneFolder;

TEST_F(Documents, TutorialDoesWhatItSays) {
  int commands = 0;
  for (const Block& block : blocks("docs/tutorial.md")) {
    if (!block.file.empty() && block.language != "sh") write_file(folder / block.file, block.text);
    if (block.language != "sh") continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line); ++commands) {
      std::istringstream words(line);
      std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
      ASSERT_EQ(arguments.at(0), "proxima");
      arguments.erase(arguments.begin());
      const Result result = proxima(arguments);
      EXPECT_EQ(result.status, 0) << line << "\n" << result.out << result.err;
    }
  }
  EXPECT_EQ(commands, 4);
  const Json result = Json::parse(read_file(folder / "found" / "result.json"));
  for (const auto& variable : result.at("variables")) {
    const double truth = variable.at("truth"), value = variable.at("found");
    EXPECT_NEAR(value / truth, 1, 1e-3) << variable;
  }
}

TEST_F(Documents, TutorialsErrorIsTheOneShown) {
  for (const Block& block : blocks("docs/tutorial.md"))
    if (block.file == "rubber.cpp") {
      std::string wrong = block.text;
      wrong.replace(wrong.find("log(J)"), 6, "log(K)");
      write_file(folder / block.file, wrong);
    }
  const Result result = proxima({"explain", "rubber.cpp"});
  EXPECT_EQ(result.status, 2);
  const std::string shown = "rubber.cpp:13:72: error: use of undeclared identifier 'K'";
  EXPECT_THAT(result.err, testing::HasSubstr(shown));
  EXPECT_THAT(read_file(PROXIMA_SOURCE_DIR "/docs/tutorial.md"), testing::HasSubstr(shown));
}

TEST_F(Documents, MaterialsCompile) {
  int materials = 0;
  for (const char* document : {"README.md", "docs/language.md", "docs/tutorial.md"})
    for (const Block& block : blocks(document)) {
      if (block.language != "cpp" || block.text.find("PROXIMA_ENERGY") == std::string::npos) continue;
      write_file(folder / "material.cpp", block.text);
      const Result result = proxima({"explain", "material.cpp"});
      EXPECT_EQ(result.status, 0) << document << "\n" << block.text << result.err;
      ++materials;
    }
  EXPECT_GE(materials, 3);
}

}  // namespace
}  // namespace proxima::test
