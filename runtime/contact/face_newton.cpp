#include "runtime/contact/face_newton.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <optional>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Values = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;  // three a contact

// Of the largest diagonal entry: contacts that say the same twice make D singular, and their forces are shared somehow.
constexpr double regularisation = 1e-12;

constexpr Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

Matrix part(const CondensedPoint& point, const std::vector<std::size_t>& rows,
            const std::vector<std::size_t>& columns) {
  Matrix D(at(rows.size()), at(columns.size()));
  double* out = D.data();
  for (const std::size_t c : rows)
    for (const std::size_t d : columns) *out++ = point.row(c)[d];
  return D;
}

// Of the forces x that are added to a slipping contact, one unknown p: x = p * force, and the equation that belongs to
// it, displacement . (sum over d of D_cd x_d) + own * p = rest.
struct Unknown {
  std::size_t contact = 0;  // among those that slip
  Vector3 force{}, displacement{};
  double own = 0, rest = 0;
};

// The equations of a slipping contact are s.n = 0 and f_t = mu f.n t_t / |t_t| for its trial force t = f - s / d. With
// `along` the direction of t_t and `across` the other tangent, the part of the second one along t_t says that x is a
// multiple of n + mu along but for what is missing now, which is returned; the part across, how that direction turns:
// (1 - turn) d x.across + turn s.across = 0 with turn = mu f.n / |t_t|.
Vector3 add_unknowns(const CondensedPoint& point, std::size_t c, std::size_t slip, std::vector<Unknown>& unknowns) {
  const CondensedContact& contact = point.contact(c);
  const Vector3 &n = contact.normal, f = point.force(c), s = point.displacement(c), t = point.trial(c);
  const double d = point.diagonal(c), fn = dot(f, n);
  const Vector3 tangential = minus(t, scaled(dot(t, n), n));
  const double size = norm(tangential), mu = size > 0 ? contact.friction : 0;
  if (mu == 0) {
    unknowns.push_back({.contact = slip, .force = n, .displacement = n, .own = 0, .rest = -dot(s, n)});
    return minus(scaled(fn, n), f);
  }
  const Vector3 along = scaled(1 / size, tangential), across = mesh::cross(n, along);
  const double turn = std::min(1.0, mu * std::max(0.0, fn) / size);
  Vector3 edge{};
  for (std::size_t axis = 0; axis < 3; ++axis) edge[axis] = n[axis] + mu * along[axis];
  unknowns.push_back({.contact = slip, .force = edge, .displacement = n, .own = 0, .rest = -dot(s, n)});
  unknowns.push_back({.contact = slip,
                      .force = across,
                      .displacement = scaled(turn, across),
                      .own = d * (1 - turn),
                      .rest = -d * (1 - turn) * dot(f, across) - turn * dot(s, across)});
  return scaled(mu * fn - dot(f, along), along);
}

// Solves for the unknowns against D among the slipping contacts, `fixed` being the displacements there that come with
// what is not unknown. Returns the forces added, or nothing where the equations are singular.
std::optional<Values> solve(const Matrix& D, const std::vector<Unknown>& unknowns, const Values& fixed) {
  const auto count = static_cast<Eigen::Index>(unknowns.size());
  Eigen::MatrixXd matrix(count, count);
  Eigen::VectorXd right(count);
  double* out = matrix.data();
  for (const Unknown& column : unknowns)
    for (const Unknown& row : unknowns)
      *out++ = D(at(row.contact), at(column.contact)) * dot(row.displacement, column.force);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Unknown& row = unknowns[static_cast<std::size_t>(i)];
    matrix(i, i) += row.own;
    right[i] = row.rest;
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      right[i] -= row.displacement[static_cast<std::size_t>(axis)] * fixed(at(row.contact), axis);
  }
  if (count > 0) right = matrix.partialPivLu().solve(right).eval();
  if (!right.allFinite()) return std::nullopt;
  Values x = Values::Zero(D.rows(), 3);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Unknown& unknown = unknowns[static_cast<std::size_t>(i)];
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      x(at(unknown.contact), axis) += right[i] * unknown.force[static_cast<std::size_t>(axis)];
  }
  return x;
}

}  // namespace

std::vector<double> step_on_face(const CondensedPoint& before) {
  // Open contacts let go first.
  std::vector<double> f(before.forces().begin(), before.forces().end());
  std::vector<std::size_t> stick, slip;
  for (std::size_t c = 0; c < before.size(); ++c) {
    const model::ContactState state = project(before.contact(c), before.trial(c)).state;
    if (state == model::ContactState::open)
      std::fill_n(f.begin() + static_cast<std::ptrdiff_t>(3 * c), 3, 0.0);
    else
      (state == model::ContactState::stick ? stick : slip).push_back(c);
  }
  const CondensedPoint point(before, f);

  // D_SS x_S = -s_S - D_SL x_L, so that x_L sees D_LL - D_LS D_SS^-1 D_SL.
  Values sticking(at(stick.size()), 3);
  for (std::size_t i = 0; i < stick.size(); ++i) {
    const Vector3 s = point.displacement(stick[i]);
    sticking.row(at(i)) << -s[0], -s[1], -s[2];
  }
  const Matrix between = part(point, stick, slip);
  Matrix among = part(point, slip, slip), coupling(at(stick.size()), at(slip.size()));
  if (!stick.empty()) {
    Matrix D = part(point, stick, stick);
    D.diagonal().array() += regularisation * D.diagonal().maxCoeff();
    const Eigen::LLT<Eigen::Ref<Matrix>> cholesky(D);
    if (cholesky.info() != Eigen::Success) return {};
    sticking = cholesky.solve(sticking).eval();
    coupling = cholesky.solve(between);
    among.noalias() -= between.transpose() * coupling;
  }

  std::vector<Unknown> unknowns;
  Values known(at(slip.size()), 3);  // forces of slipping contacts that are no unknowns
  for (std::size_t i = 0; i < slip.size(); ++i) {
    const Vector3 missing = add_unknowns(point, slip[i], i, unknowns);
    known.row(at(i)) << missing[0], missing[1], missing[2];
  }
  std::optional<Values> slipping = solve(among, unknowns, between.transpose() * sticking + among * known);
  if (!slipping) return {};
  *slipping += known;
  if (!stick.empty()) sticking.noalias() -= coupling * *slipping;
  if (!sticking.allFinite()) return {};
  const auto add = [&](const std::vector<std::size_t>& contacts, const Values& x) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) f[3 * contacts[i] + axis] += x(at(i), at(axis));
  };
  add(stick, sticking);
  add(slip, *slipping);
  return f;
}

}  // namespace proxima::contact
