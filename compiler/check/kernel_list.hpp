// The kernels that a simulation may ask for, by name: what is compared, timed, explained and printed.
#pragma once

#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/local_step.hpp"
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

// The forms of local step that exist for the energy.
struct LocalForm {
  derive::LocalForm form;
  const char* name;  // "proximal_step"
  const char* title;
  const char* adjoint_name;
  const char* adjoint_title;
  bool implicit;  // found by iteration; gives "iterations", "residual" and "pivot", and its adjoint takes "p"
};
std::vector<LocalForm> local_forms(const ir::Energy& energy);
std::vector<NamedKernel> local_kernels(const ir::Energy& energy);  // each step, then its adjoint

// Element kernels and local ones: all that a simulation runs.
std::vector<NamedKernel> run_kernels(const ir::Energy& energy);

// Kernels of the strain measure alone: "strain_energy", "stress", "stress_vector".
std::vector<NamedKernel> strain_kernels(const ir::Energy& energy);

}  // namespace proxima::check
