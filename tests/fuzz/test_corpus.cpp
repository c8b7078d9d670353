// The corpus of the fuzzers, as it is and changed in some thousand ways that are the same in every run: no crash, no
// hang, nothing thrown but proxima::Error. Without libFuzzer, so that it runs with all other tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "compiler/support/file.hpp"
#include "tests/fuzz/targets.hpp"

namespace proxima::fuzz {
namespace {

namespace fs = std::filesystem;

struct Sample {
  std::string name, bytes;
};

// The scenes of dsl_examples are seeds too.
std::vector<Sample> corpus_of(std::string_view target) {
  const fs::path source = PROXIMA_SOURCE_DIR;
  std::vector<fs::path> folders = {source / "tests/fuzz/corpus" / target}, files;
  if (target == "scene") folders.push_back(source / "dsl_examples/scenes");
  for (const auto& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Sample> corpus;
  corpus.reserve(files.size());
  for (const auto& file : files) corpus.push_back({file.filename(), read_file(file)});
  return corpus;
}

// What numbers in files go wrong by.
constexpr std::string_view kTokens[] = {"-1", "0", "4294967295", "9223372036854775807", "1e308", "nan", "\n", "\""};

class Mutator {
 public:
  explicit Mutator(const std::vector<Sample>& corpus) : corpus_(corpus) {}

  std::string next() {
    auto bytes = corpus_[below(corpus_.size())].bytes;
    for (auto changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return engine_() % limit; }

  void change(std::string& bytes) {
    const auto place = below(bytes.size());
    const auto length = std::min(bytes.size() - place, 1 + below(16));
    switch (below(6)) {
      case 0:
        bytes[place] = static_cast<char>(engine_());
        break;
      case 1:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
        break;
      case 2:
        bytes.erase(place, length);
        break;
      case 3:
        bytes.insert(place, bytes.substr(below(bytes.size()), length));
        break;
      case 4:
        bytes.insert(place, kTokens[below(std::size(kTokens))]);
        break;
      default:
        bytes.replace(place, length, kTokens[below(std::size(kTokens))]);
    }
  }

  const std::vector<Sample>& corpus_;
  std::mt19937 engine_;  // the same numbers in every run
};

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, EndsInAResultOrAnError) {
  constexpr int kMutations = 1500;
  const auto corpus = corpus_of(GetParam().name);
  ASSERT_FALSE(corpus.empty());
  // Without those that once found a fault, all are good: else they would not lead far into the program.
  for (const auto& [name, bytes] : corpus) {
    std::string fault;
    EXPECT_NO_THROW(fault = GetParam().feed(bytes)) << name;
    EXPECT_TRUE(fault.empty() || name.starts_with("found_")) << name << ": " << fault;
  }
  Mutator mutator(corpus);
  for (int i = 0; i < kMutations; ++i) {
    const auto bytes = mutator.next();
    ASSERT_NO_THROW(GetParam().feed(bytes)) << "mutation " << i << ":\n" << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace proxima::fuzz
