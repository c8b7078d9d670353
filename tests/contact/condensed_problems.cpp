#include "tests/contact/condensed_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "runtime/factor/delassus.hpp"
#include "runtime/mesh/vectors.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::contact {
namespace {

using Index = std::int32_t;
using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;

struct Weighted {
  std::vector<Index> rows;
  std::vector<double> weights;
};

// sum over k, l of w_ck (A^-1)_kl w_dl.
void condense(const factor::SparseSymmetric& matrix, const std::vector<Weighted>& contacts, CondensedProblem& problem) {
  problem.source = std::make_shared<Factored>(matrix);
  factor::Delassus& inverse = problem.source->inverse;
  std::vector<std::vector<Index>> placed;
  for (const Weighted& contact : contacts) placed.push_back(inverse.tabulate(inverse.place(contact.rows)));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    for (std::size_t k = 0; k < contacts[c].rows.size(); ++k)
      problem.rows.entries.push_back({contacts[c].rows[k], contacts[c].weights[k]});
    problem.rows.first.push_back(problem.rows.entries.size());
    for (std::size_t d = 0; d < contacts.size(); ++d) {
      double sum = 0;
      for (std::size_t k = 0; k < placed[c].size(); ++k)
        for (std::size_t l = 0; l < placed[d].size(); ++l)
          sum += contacts[c].weights[k] * inverse.line(placed[c][k])[placed[d][l]] * contacts[d].weights[l];
      problem.D.push_back(sum);
    }
  }
}

}  // namespace

Factored::Factored(const factor::SparseSymmetric& matrix) : factor(matrix), inverse(factor) {
  factor.factorize(matrix);
}

CondensedProblem mixed_problem(std::size_t contacts, double friction, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1), share(0.1, 0.9);
  const int cells = contacts <= 100 ? 5 : contacts <= 1000 ? 10 : 13;
  const factor::SparseSymmetric matrix = factor::kuhn_grid(cells);
  const Index side = cells + 1;
  const auto node = [&](Index i, Index j, Index k) { return (i * side + j) * side + k; };
  std::vector<Index> cell(static_cast<std::size_t>(cells * cells * cells));
  std::iota(cell.begin(), cell.end(), 0);
  std::shuffle(cell.begin(), cell.end(), random);
  CondensedProblem problem;
  std::vector<Weighted> weighted;
  for (std::size_t c = 0; c < contacts; ++c) {
    const double s = share(random), t = share(random);
    const Index i = cell[c] / (cells * cells), j = cell[c] / cells % cells, k = cell[c] % cells;
    if (c % 3 == 0)
      weighted.push_back({{node(i, j, k)}, {1}});
    else if (c % 3 == 1)
      weighted.push_back({{node(i, j, k), node(j, i, k + 1), node(j, i + 1, k + 1), node(j + 1, i, k + 1)},
                          {1, -(1 - s), -s * (1 - t), -s * t}});
    else
      weighted.push_back(
          {{node(i, j, k), node(i + 1, j, k), node(i, j + 1, k), node(i, j + 1, k + 1)}, {1 - s, s, t - 1, -t}});
    Vector3 normal{value(random), value(random), value(random)};
    normal = scaled(1 / norm(normal), normal);
    problem.contacts.push_back({.normal = normal, .friction = friction});
  }
  condense(matrix, weighted, problem);
  // Pressed by a bit more than they are opened, and shifted about as much.
  for (std::size_t c = 0; c < contacts; ++c) {
    const double size = problem.D[c * contacts + c];
    const double gap = size * (value(random) - 0.3);
    Vector3 along{value(random), value(random), value(random)};
    along = minus(along, scaled(dot(along, problem.contacts[c].normal), problem.contacts[c].normal));
    for (std::size_t axis = 0; axis < 3; ++axis)
      problem.s0.push_back(gap * problem.contacts[c].normal[axis] + 0.7 * size * along[axis]);
  }
  return problem;
}

CondensedProblem pressed_layer(int side, double friction, double shift) {
  CondensedProblem problem;
  std::vector<Weighted> weighted;
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) weighted.push_back({{(i * side + j) * side}, {1}});
  condense(factor::kuhn_grid(side - 1), weighted, problem);
  problem.contacts.assign(weighted.size(), {.normal = {0, 0, 1}, .friction = friction});
  for (std::size_t c = 0; c < weighted.size(); ++c) problem.s0.insert(problem.s0.end(), {1e-3 * shift, 0, -1e-3});
  return problem;
}

CondensedProblem repeated(const CondensedProblem& once, std::size_t times) {
  CondensedProblem result{.source = once.source};
  for (std::size_t c = 0; c < times * once.size(); ++c) {
    const std::size_t of = c / times;
    result.contacts.push_back(once.contacts[of]);
    for (std::size_t d = 0; d < times * once.size(); ++d) result.D.push_back(once.D[of * once.size() + d / times]);
    for (std::size_t axis = 0; axis < 3; ++axis) result.s0.push_back(once.s0[3 * of + axis]);
    for (std::size_t k = once.rows.first[of]; k < once.rows.first[of + 1]; ++k)
      result.rows.entries.push_back(once.rows.entries[k]);
    result.rows.first.push_back(result.rows.entries.size());
  }
  return result;
}

double violation(const CondensedProblem& problem, const std::vector<double>& f) {
  const std::size_t n = problem.size();
  double force_scale = 0, compliance = 0, worst = 0;
  for (std::size_t c = 0; c < n; ++c) {
    force_scale = std::max(force_scale, norm({f[3 * c], f[3 * c + 1], f[3 * c + 2]}));
    compliance = std::max(compliance, problem.D[c * n + c]);
  }
  for (std::size_t c = 0; c < n; ++c) {
    Vector3 s{problem.s0[3 * c], problem.s0[3 * c + 1], problem.s0[3 * c + 2]};
    for (std::size_t d = 0; d < n; ++d)
      for (std::size_t axis = 0; axis < 3; ++axis) s[axis] += problem.D[c * n + d] * f[3 * d + axis];
    const CondensedContact& contact = problem.contacts[c];
    Vector3 force = {f[3 * c], f[3 * c + 1], f[3 * c + 2]};
    if (force_scale == 0) {
      worst = std::max(worst, -dot(s, contact.normal));  // all open
      continue;
    }
    force = scaled(1 / force_scale, force);
    s = scaled(1 / (force_scale * compliance), s);
    const double fn = dot(force, contact.normal), sn = dot(s, contact.normal);
    const Vector3 ft = minus(force, scaled(fn, contact.normal)), st = minus(s, scaled(sn, contact.normal));
    worst = std::max({worst, -fn, -sn, std::min(fn, sn)});
    if (fn > 0) {
      // An elliptic cone is round in force along it over its own coefficient; `outward` is the ellipse's normal at ft.
      double size = norm(ft);
      Vector3 outward = ft;
      if (contact.elliptic()) {
        const Vector3 other = mesh::cross(contact.normal, contact.along);
        const double x = dot(ft, contact.along) / contact.friction, y = dot(ft, other) / contact.across;
        size = std::hypot(x, y) * contact.friction;
        for (std::size_t k = 0; k < 3; ++k)
          outward[k] = x / contact.friction * contact.along[k] + y / contact.across * other[k];
      }
      const double room = std::isinf(contact.friction) ? 1 : contact.friction * fn - size;
      worst = std::max({worst, -room, std::min(room, norm(st))});  // within the cone, and slips at its edge only
      worst = std::max(worst, dot(outward, st) + norm(outward) * norm(st));  // against the slip
    } else {
      worst = std::max(worst, norm(ft));
    }
  }
  return worst;
}

}  // namespace proxima::contact
