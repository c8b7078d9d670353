#include "runtime/mesh/bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "compiler/support/error.hpp"
#include "runtime/mesh/generated.hpp"
#include "runtime/mesh/quality.hpp"

namespace proxima::mesh {
namespace {

void require_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value)) fail("{} must be above 0, not {}", what, value);
}
void require_count(int value, int least, const char* what) {
  constexpr int kMost = 100000;
  if (value < least || value > kMost) fail("{} must be {} to {}, not {}", what, least, kMost, value);
}

// A disc of unit radius: rings of 6 r points about the centre, ring after ring, and the triangles between them.
struct Disc {
  std::vector<std::array<double, 2>> points = {{0, 0}};
  std::vector<std::array<std::int32_t, 3>> triangles;

  explicit Disc(int layers) {
    for (int ring = 1; ring <= layers; ++ring) {
      for (int i = 0; i < 6 * ring; ++i) {
        const double angle = std::numbers::pi * i / (3 * ring), r = static_cast<double>(ring) / layers;
        points.push_back({r * std::cos(angle), r * std::sin(angle)});
      }
      for (int sector = 0; sector < 6; ++sector)
        for (int i = 0; i < ring; ++i) {
          const int outer = sector * ring + i, inner = sector * (ring - 1) + i;
          triangles.push_back({number(ring, outer), number(ring, outer + 1), number(ring - 1, inner)});
          if (i + 1 < ring)
            triangles.push_back({number(ring, outer + 1), number(ring - 1, inner + 1), number(ring - 1, inner)});
        }
    }
  }
  static std::int32_t number(int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); }
};

}  // namespace

Mesh make_torus(double radius, double tube_radius, int layers, int segments) {
  require_positive(tube_radius, "the radius of the tube");
  if (!(radius > tube_radius) || !std::isfinite(radius))
    fail("the radius of a torus must be above that of its tube, {}, not {}", tube_radius, radius);
  require_count(layers, 1, "the number of layers");
  require_count(segments, 3, "the number of segments");
  require_generable(18.0 * layers * layers * segments,
                    fmt::format("a torus of {} layers and {} segments", layers, segments));
  const Disc disc(layers);
  const auto width = static_cast<std::int32_t>(disc.points.size());

  Mesh mesh;
  auto& [tets, tags] = make_block(mesh, Shape::tetrahedron);
  for (int s = 0; s < segments; ++s) {
    const double angle = 2 * std::numbers::pi * s / segments;
    for (const auto& [out, up] : disc.points) {
      const double r = radius + tube_radius * out;
      mesh.nodes.push_back({r * std::cos(angle), r * std::sin(angle), tube_radius * up});
    }
    // The three tets of a prism step from one end to the other in the order of the corners' numbers in the disc, so
    // that prisms that share a side cut it along the same diagonal.
    const auto here = width * s, there = width * ((s + 1) % segments);
    for (auto corners : disc.triangles) {
      std::sort(corners.begin(), corners.end());
      const auto [a, b, c] = corners;
      for (const auto& tet :
           {std::array{here + a, here + b, here + c, there + c}, std::array{here + a, here + b, there + b, there + c},
            std::array{here + a, there + a, there + b, there + c}})
        tets.nodes.insert(tets.nodes.end(), tet.begin(), tet.end());
    }
  }
  tags.assign(tets.count(), 0);
  prepare(mesh, "torus");  // turns the tets that came out the wrong way round
  return mesh;
}

Mesh make_cylinder_shell(double radius, double height, int around, int along) {
  require_positive(radius, "the radius");
  require_positive(height, "the height");
  require_count(around, 3, "the number of cells around");
  require_count(along, 1, "the number of cells along");
  require_generable(2.0 * around * along, fmt::format("a cylinder of {} x {} cells", around, along));
  Mesh mesh;
  auto& [triangles, tags] = make_block(mesh, Shape::triangle);
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      mesh.nodes.push_back({radius * std::cos(angle), radius * std::sin(angle), height * j / along});
    }
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const int a = i + around * j, b = (i + 1) % around + around * j, c = b + around, d = a + around;
      const auto corners = (i + j) % 2 == 0 ? std::array{a, b, c, a, c, d} : std::array{a, b, d, b, c, d};
      triangles.nodes.insert(triangles.nodes.end(), corners.begin(), corners.end());
    }
  tags.assign(triangles.count(), 0);
  return mesh;
}

Mesh make_sphere_shell(double radius, int n) {
  require_generable(20.0 * n * n * n, fmt::format("the ball whose surface is a sphere of n = {}", n));
  const auto ball = make_ball(n, {0, 0, 0}, radius);
  Mesh mesh{ball.nodes, {}, {}};
  auto& [triangles, tags] = make_block(mesh, Shape::triangle);
  triangles = boundary_triangles(ball);
  tags.assign(triangles.count(), 0);
  prepare(mesh, "sphere");  // drops the nodes inside
  return mesh;
}

Elements closed_surface(const Mesh& mesh, const std::string& name) {
  auto triangles = elements(mesh, Shape::triangle);
  if (triangles.count() == 0) triangles = boundary_triangles(mesh);
  if (triangles.count() == 0) fail("{}: it has no surface: neither triangles nor solids", name);
  const auto facts = surface_facts(triangles, mesh.nodes);
  if (facts.boundary_edges > 0)
    fail("{}: its surface is not closed: {} edges have one triangle only ('proxima mesh check' says more)", name,
         facts.boundary_edges);
  return triangles;
}

}  // namespace proxima::mesh
