// A .vtu file of a run, read by VTK.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace proxima::test {

struct FrameFile {
  explicit FrameFile(const std::filesystem::path& file);

  std::vector<double> points;                                  // 3 each
  std::vector<std::vector<int>> cells;                         // nodes of each
  std::vector<std::string> node_fields, element_fields;        // in the order of the file: "velocity 3"
  std::map<std::string, std::vector<double>> nodes, elements;  // values by name
};

}  // namespace proxima::test
