#include "runtime/optimize/search.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "compiler/support/error.hpp"

namespace proxima::optimize {
namespace {

class Search {
 public:
  Search(const SearchProblem& problem, const MinimiseSettings& settings, ranks::Ranks& ranks,
         const SearchCallback& each)
      : problem_(problem), ranks_(ranks), each_(each) {
    minimisers_.reserve(problem.starts.size());
    for (const auto& start : problem.starts) minimisers_.emplace_back(start, problem.lower, problem.upper, settings);
  }

  void repeat(const Record& record) {
    const auto start = static_cast<std::size_t>(record.start);
    // The rules that stop may be stricter now.
    if (start < minimisers_.size() && minimisers_[start].finished()) return;
    const auto wanted = start < minimisers_.size() ? minimisers_[start].point() : std::span<const double>();
    if (wanted.size() != record.point.size() ||
        std::memcmp(wanted.data(), record.point.data(), wanted.size_bytes()) != 0)
      fail(
          "resuming: the evaluations so far were made at other points than are asked for now, as by another build of "
          "the program; to start again use --overwrite");
    tell(record, true);
  }

  // The starts whose turn it is.
  std::vector<std::size_t> next_round() const {
    int least = std::numeric_limits<int>::max();
    for (const auto& minimiser : minimisers_)
      if (!minimiser.finished()) least = std::min(least, minimiser.minimum().evaluations);
    std::vector<std::size_t> result;
    for (std::size_t s = 0; s < minimisers_.size(); ++s)
      if (!minimisers_[s].finished() && minimisers_[s].minimum().evaluations == least) result.push_back(s);
    return result;
  }

  // As many evaluations at a time as there are processes, one each; a start is told as soon as it has all its parts.
  void evaluate(const std::vector<std::size_t>& starts) {
    const std::size_t parts = problem_.parts.size(), jobs = starts.size() * parts;
    const auto size = static_cast<std::size_t>(ranks_.size()), rank = static_cast<std::size_t>(ranks_.rank());
    std::vector<Record> answers;
    for (std::size_t begin = 0; begin < jobs; begin += size) {
      const std::size_t mine = begin + rank;
      const auto all = ranks_.gather(mine < jobs ? pack(evaluate(starts[mine / parts], mine % parts)) : std::string());
      for (std::size_t job = begin; job < std::min(begin + size, jobs); ++job) {
        answers.push_back(unpack(all[job - begin]));
        if (answers.size() < parts) continue;
        tell(sum(answers), false);
        answers.clear();
      }
    }
  }

  SearchResult result() const {
    SearchResult result;
    for (const auto& minimiser : minimisers_) {
      result.minima.push_back(minimiser.minimum());
      if (result.minima.back().value < result.minima[result.best].value) result.best = result.minima.size() - 1;
    }
    result.cost = cost_;
    return result;
  }

 private:
  Record evaluate(std::size_t start, std::size_t part) const {
    const auto point = minimisers_[start].point();
    Record record{static_cast<int>(start), {point.begin(), point.end()}, {}, {}, {}};
    try {
      auto value = problem_.parts[part](point);
      record.found = std::move(value.found);
      record.cost = value.cost;
    } catch (const Error& error) {
      record.failure = error.what();
    }
    return record;
  }

  static Record sum(const std::vector<Record>& answers) {
    Record result = answers[0];
    for (std::size_t part = 1; part < answers.size(); ++part) {
      const auto& answer = answers[part];
      result.cost += answer.cost;
      if (!result.failure.empty()) continue;
      result.failure = answer.failure;
      if (!result.failure.empty()) continue;
      add(answer.found, result.found);
    }
    return result;
  }

  void tell(const Record& record, bool repeated) {
    Minimiser& minimiser = minimisers_[static_cast<std::size_t>(record.start)];
    cost_ += record.cost;
    if (record.failure.empty()) {
      minimiser.tell(record.found);
    } else {
      minimiser.tell_failure(record.failure);
    }
    if (record.start == 0 && minimiser.minimum().stop == Stop::start_failed) fail("{}", minimiser.progress().failure);
    each_({record, minimiser, repeated});
  }

  const SearchProblem& problem_;
  ranks::Ranks& ranks_;
  const SearchCallback& each_;
  std::vector<Minimiser> minimisers_;
  Cost cost_;
};

}  // namespace

void add(const Evaluation& part, Evaluation& sum) {
  sum.value += part.value;
  for (std::size_t i = 0; i < sum.gradient.size(); ++i) sum.gradient[i] += part.gradient[i];
}

SearchResult search(const SearchProblem& problem, const MinimiseSettings& settings, std::span<const Record> done,
                    ranks::Ranks& ranks, const SearchCallback& each) {
  Search state(problem, settings, ranks, each);
  for (const auto& record : done) state.repeat(record);
  for (auto round = state.next_round(); !round.empty(); round = state.next_round()) state.evaluate(round);
  return state.result();
}

std::vector<std::vector<double>> draw_starts(std::span<const double> start, std::span<const double> lower,
                                             std::span<const double> upper, std::span<const std::size_t> variables,
                                             int count, std::uint64_t seed) {
  std::vector<std::vector<double>> result = {{start.begin(), start.end()}};
  std::mt19937_64 random(seed);
  while (result.size() < static_cast<std::size_t>(count)) {
    auto& drawn = result.emplace_back(start.size());
    std::size_t i = 0;
    for (const std::size_t entries : variables) {
      const double share = static_cast<double>(random() >> 11) * 0x1p-53;  // the same with every standard library
      for (const std::size_t end = i + entries; i < end; ++i)
        drawn[i] = std::clamp(lower[i] + share * (upper[i] - lower[i]), lower[i], upper[i]);
    }
  }
  return result;
}

}  // namespace proxima::optimize
