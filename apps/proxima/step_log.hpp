// steps.csv: one row a step, how it was solved. Rows are appended as the run goes; a resumed run keeps those of the
// steps it has states for.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "runtime/solve/step.hpp"

namespace proxima::app {

class StepLog {
 public:
  static constexpr std::array<std::string_view, 11> columns = {
      "step",   "time_s",   "newton",    "a_solves",  "line_search_halvings",
      "parts",  "residual", "elastic_J", "kinetic_J", "negative_curvature",
      "seconds"};
  using Row = std::array<double, columns.size()>;

  // Keeps the rows of steps up to `steps` that are in the file, if there is one.
  StepLog(std::filesystem::path file, int steps);

  void add(int step, double time, const solve::StepReport& report);

  double total(std::string_view column) const;
  double largest(std::string_view column) const;

 private:
  std::filesystem::path file_;
  std::vector<Row> rows_;
};

}  // namespace proxima::app
