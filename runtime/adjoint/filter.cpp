#include "runtime/adjoint/filter.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"
#include "runtime/solve/objective/potential.hpp"

namespace proxima::adjoint {
namespace {

constexpr HessianRow rows[] = {
    // in the order of HessianChoice
    {HessianChoice::exact, "exact", derive::Quantity::hessian_vector},
    {HessianChoice::clamp, "clamp", derive::Quantity::hessian_vector_clamped},
    {HessianChoice::absolute, "absolute", derive::Quantity::hessian_vector_absolute},
    {HessianChoice::blend, "blend", std::nullopt},
};
constexpr double near_one = 0.01;

}  // namespace

const HessianRow& hessian_row(HessianChoice choice) { return rows[static_cast<std::size_t>(choice)]; }

HessianChoice hessian_named(std::string_view name) {
  std::string names;
  for (const auto& row : rows) {
    if (row.name == name) return row.choice;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  fail("there is no Hessian '{}' for the adjoint; there are {}", name, names);
}

template <class Potential>
double trust_region_ratio(const Potential& potential, typename Potential::System::In x) {
  const auto& system = potential.objective();
  auto residual = system.vector(), increment = system.vector(), moved = system.vector();
  device::copy(x, moved);
  potential.gradient(x, residual);
  system.precondition(residual, increment);
  const double slope = device::dot(residual, increment);  // both along -dx
  device::add_scaled(moved, -1, increment);
  potential.gradient(moved, residual);
  return 1 + device::dot(residual, increment) / slope;
}

template double trust_region_ratio(const solve::Potential&, std::span<const double>);
template double trust_region_ratio(const solve::CudaPotential&, const device::CudaVector&);

derive::Quantity blended_product(double ratio) {
  return std::abs(ratio - 1) <= near_one ? derive::Quantity::hessian_vector_clamped
                                         : derive::Quantity::hessian_vector_absolute;
}

}  // namespace proxima::adjoint
