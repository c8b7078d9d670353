// The strain an energy is a function of, seen as vectors in space: the columns of F, an edge, the nodes of a stencil.
// Every check speaks of linear maps A applied to the rest state (F = A for a solid), so that one check serves every
// measure. At rest a solid and a membrane have F = 1, an edge has length 1 m along x, and the nodes of a stencil lie
// near or in the plane z = 0, some decimetres apart. Internal to the room.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"

namespace proxima::check {

using Matrix3 = Eigen::Matrix3d;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// How the nodes of a stencil lie at rest: in no plane, in one plane (as the hinge of a flat sheet), on one line in
// their order (as a straight rod).
enum class RestShape : std::uint8_t { general, flat, straight };

class Space {
 public:
  explicit Space(const ir::Energy& energy, RestShape shape = RestShape::general);

  ir::Measure measure() const { return measure_; }
  Eigen::Index size() const { return 3 * vectors_; }
  Eigen::Index vectors() const { return vectors_; }
  Eigen::Index index(Eigen::Index vector, Eigen::Index component) const {
    return by_component_ ? vectors_ * component + vector : 3 * vector + component;
  }

  RestShape shape() const { return shape_; }
  const Vector& rest() const { return rest_; }
  Vector apply(const Matrix3& A, const Vector& strain) const;  // A on each of its vectors
  Vector at(const Matrix3& A) const { return apply(A, rest_); }
  // The vectors combined by B, which is vectors x vectors: F B, the body turned before it is deformed.
  Vector combined(const Vector& strain, const Matrix& B) const;
  Vector shifted(const Vector& strain, const Eigen::Vector3d& by) const;

  std::string text(const Vector& strain) const;  // "F = [1.2 0 0; 0 1 0; 0 0 1]"

 private:
  ir::Measure measure_;
  Eigen::Index vectors_;
  RestShape shape_;
  bool by_component_;  // F row by row; else one vector after the other
  Vector rest_;
};

// In words: "energy, a function of the deformation gradient, J/m^3"; "J/m^3" (per second, of a dissipation); "Pa";
// "Pa"; "volume", what vanishes when the element is pressed to nothing.
std::string describe(const ir::Energy& energy);
std::string density_unit(const ir::Energy& energy);
std::string stress_unit(const ir::Energy& energy);
std::string stiffness_unit(const ir::Energy& energy);  // of stress over strain
std::string extent(const ir::Energy& energy);

// Sets of measures, for tables of what applies where.
constexpr unsigned bit(ir::Measure measure) { return 1u << static_cast<unsigned>(measure); }
inline constexpr unsigned solid = bit(ir::Measure::deformation_gradient);
inline constexpr unsigned surface = bit(ir::Measure::surface_deformation_gradient);
inline constexpr unsigned edge = bit(ir::Measure::edge_vector);
inline constexpr unsigned stencil = bit(ir::Measure::node_positions);

Matrix3 rotation(double angle, double x, double y, double z);  // radian, about the axis (x, y, z)
Matrix3 stretch(double a, double b, double c);                 // diagonal

// A deformation with its name, for reports.
struct State {
  std::string name;
  Matrix3 A;
};

// Where derivatives and kernels are tried: rest, turned, equal and nearly equal stretches, sheared, squeezed. All keep
// the orientation and change no length by more than half.
const std::vector<State>& states();

// As many more, drawn at random but always the same, with principal stretches from 1/2 to 2.
std::vector<State> random_states(int count);

}  // namespace proxima::check
