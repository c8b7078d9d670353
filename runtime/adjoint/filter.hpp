// Which Hessian the adjoint inverts: the exact one, or one whose negative eigenvalues are filtered. With a filtered one
// the gradient is another than that of the loss wherever a filter changes the solution, and the evidence says where.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "compiler/derive/derive.hpp"
#include "runtime/solve/step/step_start.hpp"

namespace proxima::adjoint {

enum class HessianChoice : std::uint8_t {
  exact,
  clamp,     // negative eigenvalues of each d2Psi/dstrain2 replaced by 0
  absolute,  // by their magnitude
  blend,     // one of these two, step by step: see blended_product
};

// How a scene calls it, and what products with it are; a blend decides at each step.
struct HessianRow {
  HessianChoice choice;
  std::string_view name;
  std::optional<derive::Quantity> product;
};
const HessianRow& hessian_row(HessianChoice choice);
// Throws Error listing the names where there is none of this one.
HessianChoice hessian_named(std::string_view name);

// Of an implicit Euler step that ends at x and has been entered. The trust-region ratio of DiffPhD (eqs. 27 and 28)
// along the increment that the fixed-point iteration with A would make at x, dx = -A^-1 grad g: the decrease of its
// potential g over that of its quadratic model with A. The first is taken by the trapezoid rule, since increments near
// a solution move g by less than its rounding:
//   1 + grad g(x + dx) . dx / (grad g(x) . dx);   no number where grad g is zero or x + dx is outside the domain.
template <class Potential>  // solve::Potential, or solve::CudaPotential
double trust_region_ratio(const Potential& potential, typename Potential::System::In x);

// The rule of Chen et al., "Trust-region eigenvalue filtering for projected Newton" (SIGGRAPH Asia 2024), which is that
// of DiffPhD (eq. 29): clamped where the ratio is within 0.01 of 1, else the absolute value.
derive::Quantity blended_product(double ratio);

}  // namespace proxima::adjoint
