// Several starts, several parts, several processes, and going on after any evaluation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <barrier>
#include <cmath>
#include <thread>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/optimize/evaluation_log.hpp"
#include "runtime/optimize/search.hpp"

namespace proxima {
namespace {

namespace fs = std::filesystem;
using optimize::MinimiseSettings;
using optimize::Record;
using optimize::SearchProblem;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Two wells in x, the lower one at x = -1, a bowl in y; no value where x > 1.6.
SearchProblem wells() {
  SearchProblem problem;
  problem.parts = {[](std::span<const double> u) {
                     const double x = u[0], a = x * x - 1;
                     if (x > 1.6) fail("too far");
                     return optimize::PartValue{{a * a + 0.2 * x, {4 * a * x + 0.2, 0}}, {}};
                   },
                   [](std::span<const double> u) {
                     const double y = std::sin(u[1] - 0.3) + 0.1 * u[0];
                     return optimize::PartValue{{y * y, {0.2 * y, 2 * y * std::cos(u[1] - 0.3)}}, {}};
                   }};
  problem.starts = {{1.2, 1}, {0.4, -0.8}, {-0.3, 0.9}, {1.7, 0}};
  problem.lower = {-2, -1};
  problem.upper = {2, 1};
  return problem;
}

struct Outcome {
  optimize::SearchResult result;
  std::string records;  // all, as bytes
  int repeated = 0;
};

Outcome run(const SearchProblem& problem, const MinimiseSettings& settings, std::span<const Record> done,
            ranks::Ranks& ranks) {
  Outcome outcome;
  std::vector<Record> records;
  outcome.result = optimize::search(problem, settings, done, ranks, [&](const optimize::SearchProgress& progress) {
    records.push_back(progress.record);
    outcome.repeated += progress.repeated;
  });
  outcome.records = optimize::pack(records);
  return outcome;
}

Outcome run(const SearchProblem& problem, const MinimiseSettings& settings, std::span<const Record> done = {}) {
  return run(problem, settings, done, *ranks::make_ranks());
}

std::vector<double> bits(const optimize::SearchResult& result) {
  std::vector<double> all;
  for (const auto& minimum : result.minima) {
    all.insert(all.end(), minimum.point.begin(), minimum.point.end());
    all.push_back(minimum.value);
  }
  return all;
}

// Processes that are threads.
struct Meeting {
  explicit Meeting(int size) : barrier(size), slots(static_cast<std::size_t>(size)) {}
  std::barrier<> barrier;
  std::vector<std::string> slots;
};
class ThreadRanks final : public ranks::Ranks {
 public:
  ThreadRanks(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.slots.size()); }
  std::string broadcast(std::string_view bytes) override { return gather(bytes)[0]; }
  std::vector<std::string> gather(std::string_view bytes) override {
    meeting_.slots[static_cast<std::size_t>(rank_)] = bytes;
    meeting_.barrier.arrive_and_wait();
    auto all = meeting_.slots;
    meeting_.barrier.arrive_and_wait();
    return all;
  }
  void end_all(int) override { std::abort(); }

 private:
  Meeting& meeting_;
  int rank_;
};

class Search : public testing::TestWithParam<const char*> {
 protected:
  static MinimiseSettings settings() {
    MinimiseSettings result;
    result.method = GetParam();
    result.max_evaluations = 14;
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Search, testing::Values("lbfgsb", "adam"),
                         [](const auto& row) { return std::string(row.param); });

TEST_P(Search, GoesOnAfterEveryEvaluationWithTheSameBits) {
  const auto whole = run(wells(), settings());
  const auto records = optimize::unpack_all(whole.records);
  ASSERT_GT(records.size(), 20u);
  for (std::size_t k = 0; k <= records.size(); ++k) {
    const auto rest = run(wells(), settings(), std::span(records).first(k));
    EXPECT_EQ(rest.records, whole.records) << "after " << k;
    EXPECT_EQ(bits(rest.result), bits(whole.result)) << "after " << k;
    EXPECT_EQ(rest.repeated, static_cast<int>(k));
  }
}

TEST_P(Search, GoesOnToMoreEvaluationsThanWereAllowedAtFirst) {
  auto fewer = settings();
  fewer.max_evaluations = 5;
  const auto whole = run(wells(), settings());
  const auto rest = run(wells(), settings(), optimize::unpack_all(run(wells(), fewer).records));
  EXPECT_EQ(bits(rest.result), bits(whole.result));
}

TEST_P(Search, HasTheSameBitsForAnyNumberOfProcesses) {
  const auto alone = run(wells(), settings());
  for (const int size : {2, 3, 7}) {
    Meeting meeting(size);
    std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
    std::vector<std::thread> processes;
    processes.reserve(outcomes.size());
    for (int rank = 0; rank < size; ++rank)
      processes.emplace_back([&, rank] {
        ThreadRanks ranks(meeting, rank);
        outcomes[static_cast<std::size_t>(rank)] = run(wells(), settings(), {}, ranks);
      });
    for (auto& process : processes) process.join();
    for (const auto& outcome : outcomes) {
      EXPECT_EQ(outcome.records, alone.records) << size << " processes";
      EXPECT_EQ(bits(outcome.result), bits(alone.result)) << size << " processes";
    }
  }
}

TEST(Starts, FindTheLowerOfTwoWells) {
  const auto found = run(wells(), {}).result;
  EXPECT_NEAR(found.minima[0].point[0], 1, 0.1);
  EXPECT_NEAR(found.minima[found.best].point[0], -1, 0.1);
  EXPECT_LT(found.minima[found.best].value, found.minima[0].value);
  EXPECT_EQ(found.minima[3].stop, optimize::Stop::start_failed);
  EXPECT_EQ(found.minima[3].evaluations, 1);
}

TEST(Starts, TheFirstMustHaveAValue) {
  auto problem = wells();
  std::swap(problem.starts[0], problem.starts[3]);
  EXPECT_THAT([&] { run(problem, {}); }, ThrowsMessage<Error>(HasSubstr("too far")));
}

TEST(Starts, AreDrawnBetweenTheBoundsTheSameForASeed) {
  const std::vector<double> start = {0, 5, 5, 5}, lower = {-1, 2, 2, 2}, upper = {1, 6, 6, 6};
  const std::vector<std::size_t> variables = {1, 3};
  const auto drawn = optimize::draw_starts(start, lower, upper, variables, 50, 3);
  ASSERT_EQ(drawn.size(), 50u);
  EXPECT_EQ(drawn[0], start);
  double least = 1;
  for (std::size_t s = 1; s < drawn.size(); ++s) {
    EXPECT_TRUE(-1 <= drawn[s][0] && drawn[s][0] <= 1 && 2 <= drawn[s][1] && drawn[s][1] <= 6);
    EXPECT_EQ(drawn[s][1], drawn[s][3]);  // one variable
    least = std::min(least, drawn[s][0]);
  }
  EXPECT_LT(least, -0.8);
  EXPECT_EQ(optimize::draw_starts(start, lower, upper, variables, 50, 3), drawn);
  EXPECT_NE(optimize::draw_starts(start, lower, upper, variables, 50, 4), drawn);
}

TEST(Resuming, RefusesEvaluationsOfAnotherFunction) {
  auto records = optimize::unpack_all(run(wells(), {}).records);
  records[2].found.gradient[0] += 1e-9;
  EXPECT_THAT([&] { run(wells(), {}, records); }, ThrowsMessage<Error>(HasSubstr("at other points")));
}

class Log : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder = fs::temp_directory_path() / fmt::format("proxima_log_{}", ::getpid());
  fs::path file = folder / optimize::evaluation_log_name;
  Hash fingerprint = hash_bytes("a problem");
};

TEST_F(Log, KeepsEveryEvaluation) {
  const auto records = optimize::unpack_all(run(wells(), {}).records);
  for (const auto& record : records) {
    optimize::EvaluationLog(file, fingerprint).append(record);  // opened anew for each
    EXPECT_EQ(optimize::pack(optimize::EvaluationLog(file, fingerprint).records().back()), optimize::pack(record));
  }
  EXPECT_EQ(optimize::pack(optimize::EvaluationLog(file, fingerprint).records()), optimize::pack(records));
}

TEST_F(Log, RefusesWhatIsDamagedOrOfAnotherProblem) {
  Record record;
  record.point = {1, 2};
  record.found.gradient = {4, 5};
  optimize::EvaluationLog(file, fingerprint).append(record);
  const auto open = [&](const Hash& of) { return [&, of] { optimize::EvaluationLog(file, of); }; };
  EXPECT_THAT(open(hash_bytes("another")), ThrowsMessage<Error>(HasSubstr("another scene")));
  const std::string whole = read_file(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    write_file(file, damaged);
    EXPECT_THROW(open(fingerprint)(), Error) << i;
    write_file(file, whole.substr(0, i));
    EXPECT_THROW(open(fingerprint)(), Error) << i;
  }
  write_file(file, whole + "x");
  EXPECT_THAT(open(fingerprint), ThrowsMessage<Error>(HasSubstr("damaged")));
}

}  // namespace
}  // namespace proxima
