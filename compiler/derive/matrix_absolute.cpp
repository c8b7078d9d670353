#include "compiler/derive/matrix_absolute.hpp"

#include <array>
#include <memory>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;
using E = ir::Expression;
using Column = std::vector<E>;

constexpr std::size_t most_rounds = 20;

E dot(const Column& a, const Column& b) {
  E sum = a[0] * b[0];
  for (std::size_t k = 1; k < a.size(); ++k) sum = sum + a[k] * b[k];
  return sum;
}
E sqrt(E x) { return x.apply(Op::sqrt); }
E magnitude(E x) { return x.apply(Op::abs); }
E equals_zero(E x) { return x.apply(Op::equal, {x.constant(0)}); }

// Turns two columns until they are orthogonal, by the smaller of the two angles (Rutishauser 1966). Returns whether
// they were, to 1e-6, before.
E turn(Column& p, Column& q) {
  const E a = dot(p, p), b = dot(q, q), c = dot(p, q), difference = b - a;
  const E denominator = magnitude(difference) + sqrt(difference * difference + 4 * (c * c));
  const E sign = select(less(difference, 0), -2.0, 2.0);
  const E tangent = select(equals_zero(denominator), 0, sign * c / denominator);
  const E cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const E before = p[k];
    p[k] = cosine * before - sine * q[k];
    q[k] = sine * before + cosine * q[k];
  }
  const E size = sqrt(a * b);
  return (size + magnitude(c) / 64).apply(Op::equal, {size});
}

// Carried values: the columns, those on the circle of the round robin first, and the number of trips since a pair was
// last found far from orthogonal.
ir::Loop round_robin(std::size_t n) {
  ir::Graph body;
  std::vector<Column> columns(n);
  for (std::size_t k = 0; k < n * n; ++k) columns[k / n].push_back({&body, body.input(static_cast<std::uint32_t>(k))});
  const E quiet_trips{&body, body.input(static_cast<std::uint32_t>(n * n))};

  // The circle has an odd number of places: place 0 meets the column that is not on it (if any), place k place -k.
  const std::size_t circle = n - (n + 1) % 2;
  E all_orthogonal = quiet_trips.apply(Op::less_equal, {quiet_trips});
  const auto meet = [&](std::size_t p, std::size_t q) {
    all_orthogonal = turn(columns[p], columns[q]).apply(Op::logical_and, {all_orthogonal});
  };
  for (std::size_t k = 1; k <= circle / 2; ++k) meet(k, circle - k);
  if (circle < n) meet(0, circle);

  ir::Loop loop;
  for (std::size_t k = 0; k < n; ++k)
    for (const E& entry : columns[k < circle ? (k + circle - 1) % circle : k]) loop.next.push_back(entry.node);
  loop.next.push_back(select(all_orthogonal, quiet_trips + 1, 0).node);
  loop.again = less(quiet_trips, static_cast<double>(circle)).node;
  loop.max_trips = static_cast<std::uint32_t>(most_rounds * circle);
  loop.body = std::make_shared<const ir::Graph>(std::move(body));
  return loop;
}

}  // namespace

std::vector<NodeId> absolute_value_product(ir::Graph& graph, std::span<const NodeId> H, std::span<const NodeId> v) {
  const std::size_t n = v.size();
  const auto at = [&](NodeId node) { return E{&graph, node}; };
  // The largest entry is made 1: single precision holds fourth powers of the columns.
  E scale = magnitude(at(H[0]));
  for (NodeId entry : H.subspan(1)) scale = scale.apply(Op::max, {magnitude(at(entry))});
  const E inverse = 1 / select(equals_zero(scale), 1, scale);
  std::vector<NodeId> start;
  for (NodeId entry : H) start.push_back((at(entry) * inverse).node);
  start.push_back(graph.constant(0));
  const NodeId done = graph.loop(round_robin(n), start);

  Column result(n, E{&graph, graph.constant(0)}), direction;
  for (NodeId entry : v) direction.push_back(at(entry));
  for (std::size_t j = 0; j < n; ++j) {
    Column g;
    for (std::size_t i = 0; i < n; ++i) g.push_back(at(graph.part(done, static_cast<std::uint32_t>(n * j + i))));
    const E norm = sqrt(dot(g, g));
    const E factor = select(equals_zero(norm), 0, dot(g, direction) / norm);
    for (std::size_t i = 0; i < n; ++i) result[i] = j == 0 ? g[i] * factor : result[i] + g[i] * factor;
  }
  std::vector<NodeId> product;
  for (const E& entry : result) product.push_back((scale * entry).node);
  return product;
}

}  // namespace proxima::derive
