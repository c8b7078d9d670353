// The kernels that a simulation may ask for, by name: what is compared, timed, explained and printed.
#pragma once

#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::check {

struct NamedKernel {
  std::string name;   // for a command line: "hessian_vector"
  std::string title;  // for people: "Hessian-vector product"
  ir::Kernel kernel;
};

// The simplest shape that the energy lives on: tetrahedron, triangle, edge, or its stencil.
derive::Shape shape_of(const ir::Energy& energy);
std::string name_of(const derive::Shape& shape);  // "tetrahedron"

// Kernels of one such element, with one value of each parameter for all elements; those that give nothing for this
// energy are left out.
std::vector<NamedKernel> element_kernels(const ir::Energy& energy);

// Kernels of the strain measure alone: "strain_energy", "stress", "stress_vector".
std::vector<NamedKernel> strain_kernels(const ir::Energy& energy);

}  // namespace proxima::check
