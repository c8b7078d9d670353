#include "compiler/derive/spectral.hpp"

#include <algorithm>

#include "compiler/derive/pair_quotients.hpp"
#include "compiler/derive/paths.hpp"
#include "compiler/derive/small_matrix.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;
using E = ir::Expression;

constexpr std::size_t values = 3;  // sigma or eigenvalues come first among the parts
constexpr std::array<std::size_t, 9> upper_index = {0, 1, 2, 1, 3, 4, 2, 4, 5};  // of entry (i, j) in a triangle

Entry part(Graph& graph, NodeId bundle, std::size_t k) {
  return E{&graph, graph.part(bundle, static_cast<std::uint32_t>(k))};
}

Matrix part_matrix(Graph& graph, NodeId bundle, std::size_t first) {
  Matrix result;
  for (std::size_t k = 0; k < 9; ++k) result.entries[k] = part(graph, bundle, first + k);
  return result;
}

Matrix matrix(const std::vector<Movement>& movements) {
  Matrix result;
  std::copy_n(movements.begin(), 9, result.entries.begin());
  return result;
}

// Of the upper triangle of a symmetric matrix.
Matrix symmetric(const std::vector<Movement>& upper, double off_diagonal) {
  Matrix result;
  for (std::size_t k = 0; k < 9; ++k) {
    const Entry& entry = upper[upper_index[k]];
    result.entries[k] = k % 4 == 0 || off_diagonal == 1 ? entry : off_diagonal * entry;
  }
  return result;
}

std::vector<Movement> upper(const Matrix& a, double off_diagonal) {
  std::vector<Movement> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j)
      result.push_back(i == j || off_diagonal == 1 ? a(i, j) : off_diagonal * a(i, j));
  return result;
}

bool is_decomposition(Op op) { return op == Op::svd || op == Op::eigen; }

// Whether a formula is made of singular vectors or eigenvectors: then it is a last derivative.
bool contains_vectors(const Graph& graph, std::span<const NodeId> roots) {
  const std::vector<bool> live = ir::live_nodes(graph, roots);
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (live[i] && graph.node({i}).op == Op::part && graph.node({i}).payload >= values &&
        is_decomposition(graph.node(graph.operands({i})[0]).op))
      return true;
  return false;
}

NodeId composed(Graph& graph, Op op, NodeId bundle, std::span<const NodeId> s, bool with_plus) {
  std::vector<NodeId> x, operands = {bundle};
  for (std::uint32_t k = 0; k < values; ++k) x.push_back(graph.part(bundle, k));
  operands.insert(operands.end(), s.begin(), s.end());
  // What is made of U and V cannot be differentiated again, so the quotients for that are not needed.
  const std::vector<NodeId> unused(values, graph.constant(0));
  const bool last = contains_vectors(graph, s);
  const std::vector<NodeId> minus = last ? unused : minus_quotients(graph, s, x);
  operands.insert(operands.end(), minus.begin(), minus.end());
  if (with_plus) {
    const std::vector<NodeId> plus = last ? unused : plus_quotients(graph, s, x);
    operands.insert(operands.end(), plus.begin(), plus.end());
  }
  return graph.apply(op, operands);
}

// The rotation's derivative, which is its own adjoint: X -> R [G^-1 axl(R^T X - X^T R)]_x, G = tr(S) 1 - S, S = R^T A.
// Rational in A and R, so it can be differentiated any number of times.
Matrix rotation_rate(Graph& graph, NodeId polar, const Matrix& X) {
  const Matrix R = part_matrix(graph, polar, 0);
  Matrix A;
  const std::vector<NodeId> operands = movers(graph, polar);
  for (std::size_t k = 0; k < 9; ++k) A.entries[k] = E{&graph, operands[k]};
  const Matrix N = transposed(R) * X;
  const std::array k = {N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1)};

  const auto S = [&](std::size_t i, std::size_t j) {
    return R(0, i) * A(0, j) + R(1, i) * A(1, j) + R(2, i) * A(2, j);
  };
  const Entry s00 = S(0, 0), s11 = S(1, 1), s22 = S(2, 2);
  const Entry g00 = s11 + s22, g11 = s00 + s22, g22 = s00 + s11, g01 = -S(0, 1), g02 = -S(0, 2), g12 = -S(1, 2);
  const Entry c00 = g11 * g22 - g12 * g12, c01 = g02 * g12 - g01 * g22, c02 = g01 * g12 - g02 * g11;
  const Entry c11 = g00 * g22 - g02 * g02, c12 = g01 * g02 - g00 * g12, c22 = g00 * g11 - g01 * g01;
  const Entry inverse = 1 / *(g00 * c00 + g01 * c01 + g02 * c02);
  const Entry w0 = (c00 * k[0] + c01 * k[1] + c02 * k[2]) * inverse;
  const Entry w1 = (c01 * k[0] + c11 * k[1] + c12 * k[2]) * inverse;
  const Entry w2 = (c02 * k[0] + c12 * k[1] + c22 * k[2]) * inverse;
  return R * Matrix{{Entry(), -w2, w1, w2, Entry(), -w0, -w1, w0, Entry()}};
}

// Off the diagonal: the symmetric part of B times the minus quotients, the antisymmetric part times the plus quotients.
Matrix pairwise(const Matrix& B, const std::array<Entry, 3>& minus, const std::array<Entry, 3>& plus) {
  Matrix result;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    const Entry even = 0.5 * ((B(i, j) + B(j, i)) * minus[p]), odd = 0.5 * ((B(i, j) - B(j, i)) * plus[p]);
    result(i, j) = even + odd;
    result(j, i) = even - odd;
  }
  return result;
}

// What a composed matrix is made of, seen in the frame of U and V, where its derivative is diagonal but for pairs.
struct Composed {
  Matrix U, V;
  std::array<Entry, 3> minus, plus;
  bool is_symmetric;

  Composed(Graph& graph, NodeId bundle) : is_symmetric(graph.node(bundle).op == Op::eigen_compose) {
    const std::vector<NodeId> operands(graph.operands(bundle).begin(), graph.operands(bundle).end());
    U = part_matrix(graph, operands[0], 3);
    V = is_symmetric ? U : part_matrix(graph, operands[0], 12);
    for (std::size_t p = 0; p < 3; ++p) {
      minus[p] = E{&graph, operands[4 + p]};
      if (!is_symmetric) plus[p] = E{&graph, operands[7 + p]};
    }
  }
  Matrix inward(const Matrix& X) const { return transposed(U) * (X * V); }
  Matrix outward(const Matrix& B) const { return U * (B * transposed(V)); }
};

std::vector<Movement> list(const Matrix& a) { return {a.entries.begin(), a.entries.end()}; }

std::vector<Movement> push_composed(Graph& graph, NodeId bundle, const std::vector<Movement>& movements) {
  const Composed c(graph, bundle);
  const std::size_t entries = c.is_symmetric ? 6 : 9;
  Matrix rate = pairwise(c.inward(c.is_symmetric ? symmetric(movements, 1) : matrix(movements)), c.minus, c.plus);
  for (std::size_t i = 0; i < 3; ++i) rate(i, i) = movements[entries + i];
  const Matrix result = c.outward(rate);
  return c.is_symmetric ? upper(result, 1) : list(result);
}

std::vector<Movement> pull_composed(Graph& graph, NodeId bundle, const std::vector<Movement>& adjoints) {
  const Composed c(graph, bundle);
  const Matrix B = c.inward(c.is_symmetric ? symmetric(adjoints, 0.5) : matrix(adjoints));
  const Matrix A = c.outward(pairwise(B, c.minus, c.plus));
  std::vector<Movement> result = c.is_symmetric ? upper(A, 2) : list(A);
  for (std::size_t i = 0; i < 3; ++i) result.push_back(B(i, i));
  return result;
}

}  // namespace

NodeId compose(Graph& graph, NodeId svd, std::span<const NodeId> s) {
  return composed(graph, Op::svd_compose, svd, s, true);
}

NodeId eigen_compose(Graph& graph, NodeId eigen, std::span<const NodeId> l) {
  return composed(graph, Op::eigen_compose, eigen, l, false);
}

std::vector<NodeId> apply_in_frame(Graph& graph, NodeId svd, const FrameMap& map, std::span<const NodeId> X) {
  Matrix x;
  for (std::size_t k = 0; k < 9; ++k) x.entries[k] = E{&graph, X[k]};
  const Matrix U = part_matrix(graph, svd, 3), V = part_matrix(graph, svd, 12), B = transposed(U) * (x * V);
  Matrix result = pairwise(B, {map.minus[0], map.minus[1], map.minus[2]}, {map.plus[0], map.plus[1], map.plus[2]});
  for (std::size_t i = 0; i < 3; ++i)
    result(i, i) = map.diagonal[i][0] * B(0, 0) + map.diagonal[i][1] * B(1, 1) + map.diagonal[i][2] * B(2, 2);
  const Matrix turned = U * (result * transposed(V));
  std::vector<NodeId> nodes(9);
  for (std::size_t k = 0; k < 9; ++k) nodes[k] = turned.entries[k]->node;
  return nodes;
}

void check_has_derivative(const Graph& graph, NodeId bundle, std::size_t k) {
  const Op op = graph.node(bundle).op;
  if (!is_decomposition(op) || k < values) return;
  const bool svd = op == Op::svd;
  fail(
      "the derivative of the {} of a matrix is needed, and has no value where {} are equal, as at rest: write the "
      "energy with {}, the polar rotation or invariants",
      svd ? "factors U or V of the singular value decomposition" : "eigenvectors",
      svd ? "singular values" : "eigenvalues", svd ? "the singular values" : "the eigenvalues");
}

std::vector<Movement> pull_through(Graph& graph, NodeId bundle, const std::vector<Movement>& adjoints) {
  for (std::size_t k = 0; k < adjoints.size(); ++k)
    if (adjoints[k]) check_has_derivative(graph, bundle, k);
  const Op op = graph.node(bundle).op;
  if (op == Op::polar) return list(rotation_rate(graph, bundle, matrix(adjoints)));
  if (!is_decomposition(op)) return pull_composed(graph, bundle, adjoints);

  std::vector<NodeId> s(values);
  for (std::size_t k = 0; k < values; ++k) s[k] = adjoints[k] ? adjoints[k]->node : graph.constant(0);
  const bool svd = op == Op::svd;
  const NodeId matrix = svd ? compose(graph, bundle, s) : eigen_compose(graph, bundle, s);
  std::vector<Movement> result;
  for (std::size_t k = 0; k < (svd ? 9U : 6U); ++k) {
    const Entry entry = part(graph, matrix, k);
    result.push_back(svd || k == 0 || k == 3 || k == 5 ? entry : 2 * entry);
  }
  return result;
}

std::vector<Movement> push_through(Graph& graph, NodeId bundle, const std::vector<Movement>& movements) {
  const Op op = graph.node(bundle).op;
  if (op == Op::polar) return list(rotation_rate(graph, bundle, matrix(movements)));
  if (!is_decomposition(op)) return push_composed(graph, bundle, movements);

  const bool svd = op == Op::svd;
  const Matrix U = part_matrix(graph, bundle, 3), V = svd ? part_matrix(graph, bundle, 12) : U;
  const Matrix turned = (svd ? matrix(movements) : symmetric(movements, 1)) * V;
  std::vector<Movement> result(graph.parts(bundle));
  for (std::size_t i = 0; i < values; ++i)
    result[i] = U(0, i) * turned(0, i) + U(1, i) * turned(1, i) + U(2, i) * turned(2, i);
  return result;
}

}  // namespace proxima::derive
