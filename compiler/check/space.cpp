#include "compiler/check/space.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace proxima::check {

namespace {

struct Words {
  const char* symbol;
  const char* describes;
  const char* density_unit;
  const char* dissipation_unit;
  const char* stress_unit;
  const char* viscous_stress_unit;
  const char* stiffness_unit;
  const char* viscous_stiffness_unit;
  const char* extent;
};
const Words& words(ir::Measure measure) {
  static constexpr Words all[] = {
      {"F", "the deformation gradient", "J/m^3", "W/m^3", "Pa", "Pa/s", "Pa", "Pa/s", "volume"},
      {"F", "the deformation gradient of a surface", "J/m^2", "W/m^2", "N/m", "N/(m s)", "N/m", "N/(m s)", "area"},
      {"edge", "an edge", "J", "W", "N", "N/s", "N/m", "N/(m s)", "length"},
      {"positions", "node positions", "J", "W", "N", "N/s", "N/m", "N/(m s)", "size"},
  };
  return all[static_cast<std::size_t>(measure)];
}

Eigen::Index vectors_of(const ir::Energy& energy) { return static_cast<Eigen::Index>(energy.strain_components() / 3); }

// Points in general position, not far from the plane z = 0: the first four may be the hinge of two triangles.
Eigen::Vector3d general_point(Eigen::Index k) {
  static const Eigen::Vector3d hinge[] = {{0, 0, 0}, {1, 0.1, 0}, {0.4, 0.8, 0.05}, {0.5, -0.7, 0.1}};
  if (k < 4) return hinge[k];
  const auto turn = static_cast<double>(k);
  return {0.5 + std::cos(turn), 1.1 * std::sin(turn), 0.1 * std::sin(3 * turn)};
}

Eigen::Vector3d stencil_point(Eigen::Index k, RestShape shape) {
  const auto number = static_cast<double>(k);
  const Eigen::Vector3d point = general_point(k);
  if (shape == RestShape::straight) return {number * (1 + 0.05 * number), 0, 0};
  return shape == RestShape::flat ? Eigen::Vector3d(point.x(), point.y(), 0) : point;
}

}  // namespace

Space::Space(const ir::Energy& energy, RestShape shape)
    : measure_(energy.measure), vectors_(vectors_of(energy)), shape_(shape) {
  by_component_ =
      measure_ == ir::Measure::deformation_gradient || measure_ == ir::Measure::surface_deformation_gradient;
  rest_ = Vector::Zero(size());
  for (Eigen::Index k = 0; k < vectors_; ++k)
    for (Eigen::Index i = 0; i < 3; ++i)
      rest_[index(k, i)] = measure_ == ir::Measure::node_positions ? stencil_point(k, shape)[i] : i == k ? 1 : 0;
}

std::string describe(const ir::Energy& energy) {
  const char* kind = energy.dissipation ? "dissipation, a function of the change of" : "energy, a function of";
  return fmt::format("{} {}, {}", kind, words(energy.measure).describes, density_unit(energy));
}
std::string density_unit(const ir::Energy& energy) {
  return energy.dissipation ? words(energy.measure).dissipation_unit : words(energy.measure).density_unit;
}
std::string stress_unit(const ir::Energy& energy) {
  return energy.dissipation ? words(energy.measure).viscous_stress_unit : words(energy.measure).stress_unit;
}
std::string stiffness_unit(const ir::Energy& energy) {
  return energy.dissipation ? words(energy.measure).viscous_stiffness_unit : words(energy.measure).stiffness_unit;
}
std::string extent(const ir::Energy& energy) { return words(energy.measure).extent; }

Vector Space::apply(const Matrix3& A, const Vector& strain) const {
  Vector result(size());
  for (Eigen::Index k = 0; k < vectors_; ++k)
    for (Eigen::Index i = 0; i < 3; ++i) {
      result[index(k, i)] = 0;
      for (Eigen::Index j = 0; j < 3; ++j) result[index(k, i)] += A(i, j) * strain[index(k, j)];
    }
  return result;
}

Vector Space::combined(const Vector& strain, const Matrix& B) const {
  Vector result = Vector::Zero(size());
  for (Eigen::Index k = 0; k < vectors_; ++k)
    for (Eigen::Index l = 0; l < vectors_; ++l)
      for (Eigen::Index i = 0; i < 3; ++i) result[index(k, i)] += strain[index(l, i)] * B(l, k);
  return result;
}

Vector Space::shifted(const Vector& strain, const Eigen::Vector3d& by) const {
  Vector result = strain;
  for (Eigen::Index k = 0; k < vectors_; ++k)
    for (Eigen::Index i = 0; i < 3; ++i) result[index(k, i)] += by[i];
  return result;
}

std::string Space::text(const Vector& strain) const {
  const Eigen::Index rows = by_component_ ? 3 : vectors_, columns = size() / rows;
  std::string text = fmt::format("{} = [", words(measure_).symbol);
  for (Eigen::Index i = 0; i < size(); ++i) {
    const double value = std::fabs(strain[i]) < 1e-15 ? 0 : strain[i];
    text += fmt::format("{}{:.5g}", i == 0 ? "" : i % columns == 0 ? "; " : " ", value);
  }
  return text + "]";
}

Matrix3 rotation(double angle, double x, double y, double z) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d(x, y, z).normalized()).toRotationMatrix();
}

Matrix3 stretch(double a, double b, double c) { return Eigen::Vector3d(a, b, c).asDiagonal(); }

const std::vector<State>& states() {
  static const std::vector<State> all = [] {
    const Matrix3 U = rotation(0.7, 1, 2, 3), V = rotation(-1.1, 3, -1, 1);
    Matrix3 shear = Matrix3::Identity();
    shear(0, 1) = 0.4;
    return std::vector<State>{
        {"rest", Matrix3::Identity()},
        {"turned", U},
        {"two equal stretches", U * stretch(1.2, 1.2, 0.8) * V},
        {"nearly equal stretches", U * stretch(1.2, 1.2 + 1e-9, 0.8) * V},
        {"three equal stretches", stretch(1.1, 1.1, 1.1)},
        {"sheared", shear},
        {"squeezed", U * stretch(0.6, 0.7, 0.55)},
        {"pulled", U * stretch(1.5, 0.85, 0.9) * V},
    };
  }();
  return all;
}

std::vector<State> random_states(int count) {
  std::mt19937 random(12345);
  const auto number = [&](double low, double high) {  // the same on every machine, unlike the standard's distributions
    return low + (high - low) * static_cast<double>(random()) / 4294967295.0;
  };
  const auto any_rotation = [&] {
    const double angle = number(0, 3), x = number(-1, 1), y = number(-1, 1);
    return rotation(angle, x, y, number(0.1, 1));
  };
  const auto any_stretch = [&] { return std::exp2(number(-1, 1)); };
  std::vector<State> drawn;
  for (int k = 0; k < count; ++k) {
    const Matrix3 U = any_rotation(), V = any_rotation();
    const double a = any_stretch(), b = any_stretch(), c = any_stretch();
    drawn.push_back({fmt::format("random {}", k + 1), U * stretch(a, b, c) * V});
  }
  return drawn;
}

}  // namespace proxima::check
