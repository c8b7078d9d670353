#include "runtime/contact/sampled_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/contact/cubic_weights.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;

using Matrix3 = std::array<Vector3, 3>;

// A function whose zero set is the surface, at a point, with its derivatives.
struct Level {
  double value = 0;
  Vector3 gradient{};
  Matrix3 hessian{};
};

Vector3 times(const Matrix3& a, const Vector3& v) { return {dot(a[0], v), dot(a[1], v), dot(a[2], v)}; }

// gap = phi / |g| and n = g / |g| of g = grad phi; with H = d2phi/dx2, which is symmetric,
// d gap = n . dx - (gap / |g|) n . H dx and dn = (1 - n n^T) H dx / |g|. Where g is 0 they are phi and (0, 0, 1).
class LevelDistance : public Distance {
 public:
  void set_values(const model::Obstacle&) override {}

  void evaluate(std::span<const Vector3> points, std::span<Nearest> nearest) const override {
    for (std::size_t k = 0; k < points.size(); ++k) nearest[k] = nearest_of(at(points[k]));
  }

  void pull_back(std::span<const Vector3> points, std::span<const Nearest> bars, std::span<Vector3> by_point,
                 std::vector<std::vector<double>>*) const override {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Level level = at(points[k]);
      const double steep = mesh::norm(level.gradient);
      if (steep == 0) continue;
      const auto [gap, normal] = nearest_of(level);
      const double along = dot(normal, bars[k].normal) + bars[k].gap * gap;
      Vector3 by_gradient;
      for (std::size_t i = 0; i < 3; ++i) by_gradient[i] = (bars[k].normal[i] - along * normal[i]) / steep;
      const Vector3 bent = times(level.hessian, by_gradient);
      for (std::size_t i = 0; i < 3; ++i) by_point[k][i] += bars[k].gap * normal[i] + bent[i];
    }
  }

 private:
  static Nearest nearest_of(const Level& level) {
    const double steep = mesh::norm(level.gradient);
    if (steep == 0) return {level.value, {0, 0, 1}};
    return {level.value / steep, mesh::scaled(1 / steep, level.gradient)};
  }
  virtual Level at(const Vector3& point) const = 0;
};

class Ground : public LevelDistance {
 public:
  explicit Ground(model::HeightField field) : field_(std::move(field)) {}

 private:
  Level at(const Vector3& point) const override {
    std::array<CubicWeights, 2> along;
    for (std::size_t i = 0; i < 2; ++i)
      along[i] = cubic_weights((point[i] - field_.lower[i]) / field_.spacing[i], field_.points[i]);
    double height = 0;
    std::array<double, 2> slope{};
    std::array<double, 3> curvature{};  // xx, xy, yy
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = 0; i < 4; ++i) {
        const double x = along[0].value[i], y = along[1].value[j], dx = along[0].slope[i], dy = along[1].slope[j];
        const double h = sample(along[0].first + static_cast<int>(i), along[1].first + static_cast<int>(j));
        height += x * y * h;
        slope[0] += dx * y * h;
        slope[1] += x * dy * h;
        curvature[0] += along[0].curvature[i] * y * h;
        curvature[1] += dx * dy * h;
        curvature[2] += x * along[1].curvature[j] * h;
      }
    const double a = field_.spacing[0], b = field_.spacing[1];
    const double xx = curvature[0] / (a * a), xy = curvature[1] / (a * b), yy = curvature[2] / (b * b);
    return {point[2] - height, {-slope[0] / a, -slope[1] / b, 1}, {{{-xx, -xy, 0}, {-xy, -yy, 0}, {0, 0, 0}}}};
  }

  // Absent samples have no weight.
  double sample(int i, int j) const {
    if (i < 0 || j < 0 || i >= field_.points[0] || j >= field_.points[1]) return 0;
    return field_.heights[static_cast<std::size_t>(i) +
                          static_cast<std::size_t>(field_.points[0]) * static_cast<std::size_t>(j)];
  }

  model::HeightField field_;
};

class Grid : public LevelDistance {
 public:
  explicit Grid(model::DistanceGrid grid) : grid_(std::move(grid)) {}

 private:
  Level at(const Vector3& point) const override {
    Vector3 inside, beyond;
    for (std::size_t i = 0; i < 3; ++i) {
      inside[i] = std::clamp(point[i], grid_.lower[i], grid_.lower[i] + grid_.spacing[i] * (grid_.points[i] - 1));
      beyond[i] = point[i] - inside[i];
    }
    Level level = within(inside);
    const double distance = mesh::norm(beyond);
    if (distance == 0) return level;
    // The nearest point of the grid moves along the axes in which the point is within it; the direction to there turns
    // in the other axes.
    const Vector3 away = mesh::scaled(1 / distance, beyond);
    level.value += distance;
    for (std::size_t i = 0; i < 3; ++i) {
      if (beyond[i] != 0) level.gradient[i] = away[i];
      for (std::size_t j = 0; j < 3; ++j) {
        if (beyond[i] != 0 && beyond[j] != 0)
          level.hessian[i][j] = ((i == j ? 1 : 0) - away[i] * away[j]) / distance;
        else if (beyond[i] != 0 || beyond[j] != 0)
          level.hessian[i][j] = 0;
      }
    }
    return level;
  }

  Level within(const Vector3& point) const {
    std::array<CubicWeights, 3> along;
    for (std::size_t i = 0; i < 3; ++i)
      along[i] = cubic_weights((point[i] - grid_.lower[i]) / grid_.spacing[i], grid_.points[i]);
    // weights[d][axis][sample]: the d-th derivative along the axis.
    const auto weight = [&](std::size_t derivative, std::size_t axis, std::size_t k) {
      const auto& of = along[axis];
      return derivative == 0 ? of.value[k] : derivative == 1 ? of.slope[k] : of.curvature[k];
    };
    Level level;
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t b = 0; b < 4; ++b)
        for (std::size_t a = 0; a < 4; ++a) {
          const std::array<std::size_t, 3> at = {a, b, c};
          const double phi = sample(along[0].first + static_cast<int>(a), along[1].first + static_cast<int>(b),
                                    along[2].first + static_cast<int>(c));
          const auto term = [&](std::array<std::size_t, 3> derivative) {
            double product = phi;
            for (std::size_t axis = 0; axis < 3; ++axis) product *= weight(derivative[axis], axis, at[axis]);
            return product;
          };
          level.value += term({0, 0, 0});
          for (std::size_t i = 0; i < 3; ++i) {
            std::array<std::size_t, 3> once{};
            ++once[i];
            level.gradient[i] += term(once) / grid_.spacing[i];
            for (std::size_t j = 0; j < 3; ++j) {
              auto twice = once;
              ++twice[j];
              level.hessian[i][j] += term(twice) / (grid_.spacing[i] * grid_.spacing[j]);
            }
          }
        }
    return level;
  }

  double sample(int i, int j, int k) const {
    const auto& n = grid_.points;
    if (i < 0 || j < 0 || k < 0 || i >= n[0] || j >= n[1] || k >= n[2]) return 0;
    const auto at = [](int number) { return static_cast<std::size_t>(number); };
    return grid_.distance[at(i) + at(n[0]) * (at(j) + at(n[1]) * at(k))];
  }

  model::DistanceGrid grid_;
};

}  // namespace

std::unique_ptr<Distance> make_distance(const model::HeightField& field) { return std::make_unique<Ground>(field); }
std::unique_ptr<Distance> make_distance(const model::DistanceGrid& grid) { return std::make_unique<Grid>(grid); }

}  // namespace proxima::contact
