// What the checks of one energy share: the energy as a function, its state at rest, and where results go. Internal.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/check/check.hpp"
#include "compiler/check/fields.hpp"
#include "compiler/check/response.hpp"
#include "compiler/check/space.hpp"

namespace proxima::check {

// Moduli of isotropic linear elasticity, Pa; of a membrane its plane moduli, N/m; of an edge its stiffness as E alone.
struct Moduli {
  double lambda = 0, mu = 0;
  double youngs_modulus = 0, poissons_ratio = 0;
};

struct Rest {
  double energy = 0;
  Vector stress;
  Matrix hessian;
  std::optional<std::string> not_finite;  // why; then the rest is of no use
  std::optional<Moduli> moduli;           // where it is isotropic to first order
  // The size of stresses at strains of order one: what rounding errors are compared with. Above 0 unless the energy is
  // flat everywhere.
  double scale = 0;

  static constexpr double tolerance = 1e-9;  // of the scale
  bool free_of_stress() const { return !not_finite && stress.cwiseAbs().maxCoeff() <= tolerance * scale; }
};

struct Context {
  Context(const ir::Energy& energy, jit::Engine& engine, const Options& options, Report& report);

  const ir::Energy& energy;
  jit::Engine& engine;
  const Options& options;
  const std::vector<double> parameters;
  const Space space;
  const Fields fields;  // at rest
  const Response response;
  const Rest rest;
  const double weight;             // in the matrix of projective dynamics
  const std::string density_unit;  // "J/m^3"
  const std::string stress_unit;   // "Pa"; of a stencil or an edge the force's
  const std::string stiffness_unit;

  bool is(unsigned measures) const { return (bit(energy.measure) & measures) != 0; }

  // The section that is being written, and what it finds.
  void fact(std::string key, std::string label, Value value, std::string unit = "");
  Table& table(std::string key, std::vector<std::string> columns);
  template <class... Args>
  void find(Severity severity, const Vector& strain, fmt::format_string<Args...> format, Args&&... args) {
    add(severity, strain, fmt::format(format, std::forward<Args>(args)...));
  }

  Report& report;
  Section* section = nullptr;

 private:
  void add(Severity severity, const Vector& strain, std::string sentence);
};

// A weight for local steps: that of the matrix or, where the energy is flat at rest, one of the size of its stresses.
double local_weight(const Context& context);

Rest rest_of(const Space& space, const Response& response);

}  // namespace proxima::check
