// Small models of every element shape, with the energies that the tests of derive write by hand, and their energies and
// forces by the interpreter, item by item.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// A free body at rest on distorted elements, all quantities of the order of 1: "tetrahedra", "hexahedra", "triangles",
// "edges", "hinges", "sheet" (triangles, edges and hinges at once) or "several_energies" (tets with two).
model::Model make_element_model(const std::string& name);

// An energy of derive's tests: solid_with_inputs, kelvin_voigt, membrane, spring, hinge. Its history, if any, starts at
// rest.
std::shared_ptr<ir::Energy> hand_written(const std::string& sample);

struct Interpreted {
  double energy = 0;
  std::vector<double> gradient, hessian_vector;
};
// The sum over all regions and quadrature points, each kernel evaluated by the interpreter; fields of the rest shape
// and gathering are this function's own. Histories at their initial values.
Interpreted interpret(const model::Model& model, const std::vector<double>& x, const std::vector<double>& direction,
                      const std::vector<double>& previous);

}  // namespace proxima::bodies
