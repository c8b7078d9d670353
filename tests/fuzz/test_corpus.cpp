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

std::vector<std::string> corpus_of(std::string_view target) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(PROXIMA_SOURCE_DIR "/tests/fuzz/corpus") / target))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const auto& file : files) contents.push_back(read_file(file));
  return contents;
}

// What numbers in files go wrong by.
constexpr std::string_view kTokens[] = {"-1", "0", "4294967295", "9223372036854775807", "1e308", "nan", "\n", "\""};

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string next() {
    auto bytes = corpus_[below(corpus_.size())];
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

  const std::vector<std::string>& corpus_;
  std::mt19937 engine_;  // the same numbers in every run
};

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, EndsInAResultOrAnError) {
  constexpr int kMutations = 1500;
  const auto corpus = corpus_of(GetParam().name);
  ASSERT_FALSE(corpus.empty());
  for (const auto& bytes : corpus) EXPECT_NO_THROW(GetParam().feed(bytes)) << bytes;
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
