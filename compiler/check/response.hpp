// An energy as a function of its strain: value, stress and tangent, in double precision by the interpreter. Parameters
// and other inputs are held fixed. Internal to the room.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/check/space.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::check {

class Response {
 public:
  // `others`: a value for every slot after the strain's, parameters first.
  Response(const ir::Energy& energy, std::vector<double> others);

  // The same with another strain of the previous step; *this where the energy does not look at it.
  Response after(const ir::Energy& energy, const Vector& previous_strain) const;

  double energy(const Vector& strain) const;
  Vector stress(const Vector& strain) const;
  Vector tangent(const Vector& strain, const Vector& direction) const;  // d stress along a direction
  Matrix tangent(const Vector& strain) const;                           // column k: along unit direction k

  // Why energy, stress or tangent is not finite there: "log of -0.31 at rubber.cpp:14". Nothing when all are.
  std::optional<std::string> not_finite(const Vector& strain) const;
  std::optional<std::string> energy_not_finite(const Vector& strain) const;

  // Whether the tangent jumps there: which of its values a kernel gives is then decided by rounding.
  bool kink(const Vector& strain) const;

 private:
  std::vector<double> inputs(const Vector& strain, const Vector& direction) const;
  std::string trace(std::span<const ir::NodeId> outputs, const Vector& strain, const Vector& direction) const;

  Eigen::Index size_;
  std::vector<double> others_;
  ir::Graph graph_;
  ir::NodeId energy_;
  std::vector<ir::NodeId> stress_, tangent_;
  mutable ir::Interpreter<double> energy_of_, stress_of_, tangent_of_;
};

}  // namespace proxima::check
