// What an optimization shows and leaves behind: a line an evaluation, loss.csv, loss.svg and result.json, which are
// rewritten at each, and tables at the end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/proxima/joint_design.hpp"
#include "runtime/optimize/search.hpp"

namespace proxima::app {

class FitReport {
 public:
  FitReport(const JointDesign& design, std::filesystem::path folder, const std::vector<std::vector<double>>& starts);

  // Prints a line and brings the files up to date, which needs the folder; not for what an earlier run has shown.
  void add(const optimize::SearchProgress& progress);
  void finish(const optimize::SearchResult& result);

 private:
  struct Row {
    int start, evaluation;  // from 0, from 1
    double loss, gradient;
    optimize::Cost cost;
    bool failed;
  };
  struct Start {
    std::vector<std::vector<double>> from, found;  // values of each variable; found: of the best point
    double loss = 0;                               // there
    int evaluations = 0;
    std::string state = "running";  // then what stopped it
    bool has_value() const { return !found.empty(); }
  };
  const Start* best() const;  // null while there is none
  void print(const Row& row, const std::vector<std::vector<double>>& values, const std::string& failure) const;
  void print_starts() const;
  // Of variables that the loss has not depended on, or that ended at a bound, where more might be found.
  void print_warnings(const optimize::Minimum& minimum) const;
  void write(bool finished) const;
  void write_plot() const;

  const JointDesign& design_;
  std::filesystem::path folder_;
  std::vector<Start> starts_;
  std::vector<Row> rows_;
  std::vector<bool> matters_;  // whether the loss has had a slope by a variable, anywhere
  bool titled_ = false;
};

}  // namespace proxima::app
