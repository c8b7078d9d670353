// What a check of an energy yields, as plain data: facts, tables, curves and findings. Printing it is somebody else's
// business (text.hpp, and apps/proxima for HTML).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace proxima::check {

using Value = std::variant<bool, double, std::string, std::vector<double>>;

struct Fact {
  std::string key;    // for machines: "youngs_modulus"
  std::string label;  // for people: "Young's modulus"
  Value value;
  std::string unit;  // SI, "" for none
};

// column_title("lowest_order") is "lowest order".
std::string column_title(std::string column);

struct Table {
  std::string key;
  std::vector<std::string> columns;      // "lowest_order"; for people with spaces
  std::vector<std::vector<Value>> rows;  // each as long as `columns`
};

// The outcome of one check of the table in checks.cpp.
struct Section {
  std::string key, title;
  std::vector<Fact> facts;
  std::vector<Table> tables;
};

// note: worth knowing, and right for many materials. warning: will hurt in some uses. error: the energy, or a kernel
// made from it, is wrong.
enum class Severity : std::uint8_t { note, warning, error };
const char* name_of(Severity severity);

struct Finding {
  Severity severity;
  std::string check;           // key of the section
  std::string sentence;        // for people; names numbers, deformation and the author's line where there is one
  std::vector<double> strain;  // the deformation that shows it, in the order of the energy's strain; may be empty
};

struct Series {
  std::string name;
  std::vector<double> xs, ys;
};

// Stress against stretch, the energy's beside that of linear elasticity with the same moduli.
struct Curve {
  std::string key, title, x_label, y_label;
  std::vector<Series> series;
};

struct Report {
  std::string name, file;
  std::string describes;  // "density of the deformation gradient, J/m^3"
  std::vector<Section> sections;
  std::vector<Finding> findings;  // the worst first
  std::vector<Curve> curves;

  bool has(Severity severity) const;  // any such finding
};

}  // namespace proxima::check
