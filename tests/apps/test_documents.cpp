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
  EXPECT_EQ(commands, 5);
  const Json result = Json::parse(read_file(folder / "found" / "result.json"));
  for (const auto& variable : result.at("variables")) {
    const double truth = variable.at("truth"), value = variable.at("found");
    EXPECT_NEAR(value / truth, 1, 1e-3) << variable;
  }
}

// The picture beside the text is what the command draws, but for last digits.
TEST_F(Documents, TutorialsCheckSaysWhatIsToldAboutIt) {
  for (const Block& block : blocks("docs/tutorial.md"))
    if (block.file == "rubber.cpp") write_file(folder / block.file, block.text);
  const Result result = proxima({"check", "rubber.cpp", "--curves", "pictures"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  for (const char* part : {"473333 Pa", "40000 Pa", "116883 Pa", "0.461039", "log of -0.792 at rubber.cpp:13", "none"})
    EXPECT_THAT(result.out, testing::HasSubstr(part));
  const std::string drawn = read_file(folder / "pictures" / "rubber_uniaxial.svg");
  const std::string shown = read_file(PROXIMA_SOURCE_DIR "/docs/pictures/rubber_uniaxial.svg");
  EXPECT_NEAR(static_cast<double>(drawn.size()), static_cast<double>(shown.size()), 50);
  for (const char* part :
       {"<title>rubber: Pulled along one axis, sides free</title>", "E = 1.169e+05 Pa, nu = 0.461"}) {
    EXPECT_THAT(drawn, testing::HasSubstr(part));
    EXPECT_THAT(shown, testing::HasSubstr(part));
  }
}

TEST_F(Documents, TutorialsFindingIsTheOneShown) {
  for (const Block& block : blocks("docs/tutorial.md"))
    if (block.file == "rubber.cpp") {
      std::string wrong = block.text;
      const std::string factor = " / pow(J, 2.0 / 3)";
      write_file(folder / block.file, wrong.erase(wrong.find(factor), factor.size()));
    }
  const Result result = proxima({"check", "rubber.cpp"});
  EXPECT_EQ(result.status, 1);
  const std::size_t begin = result.out.find("error    at rest the stress is not zero");
  ASSERT_NE(begin, std::string::npos) << result.out;
  const std::string shown = result.out.substr(begin, result.out.find('\n', begin) - begin);
  EXPECT_THAT(read_file(PROXIMA_SOURCE_DIR "/docs/tutorial.md"), testing::HasSubstr(shown));
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
