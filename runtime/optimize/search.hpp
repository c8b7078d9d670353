// One or several minimisations of a sum of parts, side by side: from several starts, over several scenes, by one
// process or several. All processes run all minimisers, which cost nothing beside what they ask for, and share the
// evaluations out among themselves; sums are taken in the order of the parts, so the result has the same bits for any
// number of processes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/optimize/record.hpp"
#include "runtime/ranks/ranks.hpp"

namespace proxima::optimize {

struct PartValue {
  Evaluation found;
  Cost cost;
};
void add(const Evaluation& part, Evaluation& sum);  // with gradients for the same variables
// A summand of the function, with its gradient for all variables. Throws Error where it has no value; then the sum has
// none.
using Part = std::function<PartValue(std::span<const double>)>;

struct SearchProblem {
  std::vector<Part> parts;
  std::vector<std::vector<double>> starts;
  std::vector<double> lower, upper;
};

struct SearchProgress {
  const Record& record;
  const Minimiser& minimiser;  // of the record's start, that has been told it
  bool repeated;               // from what was done before
};
// Called after each evaluation at every rank, in the same order for any number of them. What only one process may do,
// like writing files, is up to the callback.
using SearchCallback = std::function<void(const SearchProgress&)>;

struct SearchResult {
  std::vector<Minimum> minima;  // of each start
  std::size_t best = 0;
  Cost cost;
};

// Goes on after the evaluations in `done`, the same at every rank; throws Error when they do not fit: they are of
// another function or another build. Minimisers take turns: each start has had as many evaluations as the others, or
// is finished. Throws the Error of the first start when there is no value there; of other starts that is a result like
// another.
SearchResult search(const SearchProblem& problem, const MinimiseSettings& settings, std::span<const Record> done,
                    ranks::Ranks& ranks, const SearchCallback& each);

// `count` starts: `start` itself, and others drawn between the bounds, which must be finite. `variables` says how many
// entries in a row are one variable: all of them are drawn at the same share of the way between their bounds.
std::vector<std::vector<double>> draw_starts(std::span<const double> start, std::span<const double> lower,
                                             std::span<const double> upper, std::span<const std::size_t> variables,
                                             int count, std::uint64_t seed);

}  // namespace proxima::optimize
