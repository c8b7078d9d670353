// What each pass of the compiler makes of a kernel, in numbers: for `proxima explain`, and for the costs of a report.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::check {

// A choice between two values. Those that differentiation adds keep the derivative of a branch that is not taken, which
// may be infinite, from reaching what is taken.
struct Guards {
  int written = 0;                  // selects that come from the author's lines
  int added = 0;                    // by differentiation and by lowering
  std::vector<std::string> causes;  // of those added, "less at rubber.cpp:14": the conditions, each once
};

struct Passes {
  int derived = 0;    // operations after differentiation
  int lowered = 0;    // after composite operators have become arithmetic and loops; of loops one trip
  int once = 0;       // of these, computed once a launch
  int each = 0;       // and for each element
  int cost = 0;       // of those for each element, in additions
  int loops = 0;      // that run until an element is done
  int alive = 0;      // values alive at the worst point
  int registers = 0;  // vector registers of the target
  Guards guards;

  bool spills() const { return alive > registers; }
};

Passes passes_of(const ir::Kernel& kernel, emit::Precision precision, const emit::Target& target);

}  // namespace proxima::check
