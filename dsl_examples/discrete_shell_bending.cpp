// Bending of thin shells about the edges of their triangles: Grinspun, Hirani, Desbrun and Schroeder, "Discrete Shells"
// (2003): the square of the change of the dihedral angle, times the edge's length by a third of the mean height of its
// triangles, all of the rest shape. Nodes: 0 and 1 on the edge, 2 opposite in the triangle 0 1 2, 3 opposite in the
// triangle 1 0 3. The shell may be curved at rest.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

namespace {
// From the normals of both triangles, of any length; 0 where they lie in one plane.
template <class Positions>
Scalar dihedral_angle(const Positions& x) {
  auto edge = x[1] - x[0];
  auto n1 = cross(edge, x[2] - x[0]);
  auto n2 = cross(x[3] - x[0], edge);
  return atan2(dot(cross(n1, n2), normalized(edge)), dot(n1, n2));
}
}  // namespace

PROXIMA_ENERGY(discrete_shell_bending) {
  auto k = parameter("k", joule, 1e-4).positive();  // bending stiffness
  auto x = node_positions<4>();
  auto X = rest_positions<4>();

  auto edge = X[1] - X[0];
  auto twice_areas = norm(cross(edge, X[2] - X[0])) + norm(cross(edge, X[3] - X[0]));
  auto shape = 6 * squared_norm(edge) / twice_areas;  // length by a third of the mean height
  return k * shape * square(dihedral_angle(x) - dihedral_angle(X));
}
