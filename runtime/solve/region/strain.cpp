#include "runtime/solve/region/strain.hpp"

#include <fmt/ranges.h>

#include <limits>

#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/region/stretches.hpp"

namespace proxima::solve {

using mesh::vector_at;

std::vector<double> deformation_gradient(const ElementSet& set, std::size_t item, std::span<const double> x) {
  const auto nodes = set.elements().of(item / set.points());
  const auto dimension = static_cast<std::size_t>(set.rest().dimension);
  std::vector<double> F(3 * dimension);
  if (dimension == 0) return F;
  const double* g = set.rest().gradients.data() + (nodes.size() - 1) * dimension * item;
  const auto origin = vector_at(x, nodes[0]);
  for (std::size_t s = 1; s < nodes.size(); ++s, g += dimension) {
    const auto edge = mesh::minus(vector_at(x, nodes[s]), origin);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < dimension; ++k) F[dimension * i + k] += edge[i] * g[k];
  }
  return F;
}

std::size_t most_compressed(const ElementSet& set, std::span<const double> x, double& ratio) {
  std::size_t worst = 0;
  ratio = std::numeric_limits<double>::infinity();
  if (set.rest().dimension == 0) return worst;
  for (std::size_t item = 0; item < set.items(); ++item) {
    const double value = measure_ratio(deformation_gradient(set, item, x));
    if (!(value < ratio)) continue;
    ratio = value;
    worst = item;
  }
  return worst;
}

std::string describe(const ElementSet& set, std::size_t item, const mesh::Mesh& mesh, std::span<const double> x) {
  const std::size_t element = item / set.points();
  const auto nodes = set.elements().of(element);
  mesh::Vector3 centroid{};
  for (const auto node : nodes) mesh::add(centroid, 1 / static_cast<double>(nodes.size()), mesh.nodes[node]);
  const auto stretch = principal_stretches(deformation_gradient(set, item, x));
  std::string deformed;
  for (const double value : stretch) deformed += fmt::format(" {:.4g}", value);
  return fmt::format("{} (centroid at rest {:.6g} {:.6g} {:.6g}{}{})", set.name_of(element), centroid[0], centroid[1],
                     centroid[2],
                     stretch.size() == 1 ? ", stretch"
                     : stretch.empty()   ? ""
                                         : ", principal stretches",
                     deformed);
}

}  // namespace proxima::solve
