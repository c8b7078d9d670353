// steps.csv as it is read back: columns by name, whatever version of the program wrote them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::app {

struct StepTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  // each as long as `names`
  int damaged = 0;                        // lines that are no rows

  bool has(std::string_view name) const;
  std::vector<double> column(std::string_view name) const;  // empty where there is none of that name
};

// Nothing where there is no such file.
StepTable read_steps(const std::filesystem::path& file);

}  // namespace proxima::app
