// steps.csv: one row a step, how it was solved. Rows are appended as the run goes; a resumed run keeps those of the
// steps it has states for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/solve/step/step.hpp"

namespace proxima::app {

class StepLog {
 public:
  // Keeps the rows of steps up to `steps` that are in the file, if there is one.
  StepLog(std::filesystem::path file, int steps);

  void add(int step, double time, const solve::StepReport& report);

  // Over all rows; 0 where there are none. The name is that of a column of the table in step_log.cpp.
  double total(std::string_view column) const;
  double largest(std::string_view column) const;
  // The last row, by the names of the columns; nothing where there is none.
  std::vector<std::pair<std::string, double>> last() const;

 private:
  using Row = std::vector<double>;  // a number for each column
  std::filesystem::path file_;
  std::vector<Row> rows_;
};

}  // namespace proxima::app
