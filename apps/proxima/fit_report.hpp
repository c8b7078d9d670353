// What an optimization shows and leaves behind: a line an evaluation, loss.csv and result.json as it goes, loss.svg and
// a table at the end.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/proxima/design_choice.hpp"
#include "runtime/optimize/fit.hpp"

namespace proxima::app {

class FitReport {
 public:
  FitReport(const NamedDesign& named, std::filesystem::path folder);

  // Prints a line and brings the files up to date. The folder must exist.
  void add(const optimize::FitProgress& progress);
  void finish(const optimize::FitResult& result);

 private:
  struct Evaluation {
    double loss, gradient, seconds_forward, seconds_backward;
    std::vector<std::vector<double>> values;
    bool failed;
  };
  void write(const char* state) const;
  void write_plot() const;
  const Evaluation* best() const;

  const NamedDesign& named_;
  std::filesystem::path folder_;
  std::vector<Evaluation> evaluations_;
};

}  // namespace proxima::app
