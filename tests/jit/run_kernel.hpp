// Running a compiled kernel on plain element-major arrays, and comparing it with the interpreter.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/jit/jit.hpp"

namespace proxima::jit::testing {

// Inputs of a kernel, by field: uniform: `components` numbers; element: elements*components, element after element;
// nodal: nodes*components, node after node. `nodes`: elements*corners node numbers, element after element.
struct Batch {
  std::size_t elements = 0;
  std::vector<std::int32_t> nodes;
  std::vector<std::vector<double>> fields;
};

// Numbers drawn from [low, high] for all fields, `nodes` nodes picked at random by the elements' corners.
Batch random_batch(const ir::Kernel& kernel, std::size_t elements, std::size_t nodes, double low, double high);

// Output fields, element-major. Runs tiles [0, split) and [split, tiles) in two calls. In fp32, inputs are rounded.
std::vector<std::vector<double>> run(const CompiledKernel& kernel, const Batch& batch, std::size_t split = 0);

// The scalar inputs of one element in the order of the graph's input slots, rounded to `precision`.
std::vector<double> inputs_of(const ir::Kernel& kernel, const Batch& batch, std::size_t element, Precision precision);

// How the results of a kernel compare with the interpreter's. Every output of every element should equal it to 1e-12 of
// the largest entry of its field at that element (1e-5 in fp32), or to what the roundings of the formula itself can
// amount to where terms cancel; `slack`: the functions of the target are off by so many times the interpreter's.
// Results beyond the range of the precision are not compared.
struct Comparison {
  std::size_t numbers = 0;    // compared
  std::size_t cancelled = 0;  // of them, how many are right within the formula's roundings alone
  double largest = 0;         // difference of the others, of the largest entry of their field
  std::string difference;     // the first that is too large, in words; "" where there is none
};
Comparison compare_with_interpreter(const ir::Kernel& kernel, Precision precision,
                                    const std::vector<std::vector<double>>& computed, const Batch& batch,
                                    double slack = 1);

// The same as an expectation.
void expect_equals_interpreter(const ir::Kernel& kernel, const CompiledKernel& compiled, const Batch& batch,
                               const std::string& what);
// Of what `run` gives, from code of any kind.
void expect_equals_interpreter(const ir::Kernel& kernel, Precision precision,
                               const std::vector<std::vector<double>>& computed, const Batch& batch,
                               const std::string& what);

// The three levels, those this processor has; a line is printed for each one it lacks.
std::vector<Target> targets_here();

// A fresh folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace proxima::jit::testing
