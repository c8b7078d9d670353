#include "runtime/contact/face_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/factor/dense_lu.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::minus;
using mesh::scaled;
using Index = std::int32_t;
using Contacts = std::vector<std::size_t>;
using Values = std::vector<Vector3>;  // one a contact

// Of the diagonal: contacts that say the same twice make D singular, and their forces are shared somehow.
constexpr double regularisation = 1e-10;

constexpr Index at(std::size_t i) { return static_cast<Index>(i); }

void add(Vector3& to, double scale, const Vector3& x) {
  for (std::size_t axis = 0; axis < 3; ++axis) to[axis] += scale * x[axis];
}

// The sticking contacts S eliminated: D_SS = C C^T, and W = [C^-1 ; D_LS C^-T C^-1] as supernodes have it.
class Elimination {
 public:
  Elimination(const CondensedPoint& point, const Contacts& stick, const Contacts& slip)
      : sticks_(stick.size()),
        slips_(slip.size()),
        w_(factor::kernels().dense, at(sticks_ + slips_), at(sticks_)),
        among_(factor::kernels().dense, at(slips_), at(slips_)) {
    double largest = 0;
    for (const std::size_t c : stick) largest = std::max(largest, point.diagonal(c));
    for (std::size_t j = 0; j < sticks_; ++j) {
      double* const column = w_.column(at(j));
      for (std::size_t i = 0; i < sticks_; ++i) column[i] = point.row(stick[j])[stick[i]];
      for (std::size_t i = 0; i < slips_; ++i) column[sticks_ + i] = point.row(stick[j])[slip[i]];
      column[j] += regularisation * largest;
    }
    if (sticks_ == 0)
      among_.clear();
    else
      exists_ = factor::factor_front(factor::kernels().dense, w_, at(sticks_ + slips_), at(sticks_), among_) < 0;
    // D_LL - D_LS D_SS^-1 D_SL.
    for (std::size_t j = 0; exists_ && j < slips_; ++j)
      for (std::size_t i = j; i < slips_; ++i) {
        among_.column(at(j))[i] += point.row(slip[j])[slip[i]];
        among_.column(at(i))[j] = among_.column(at(j))[i];
      }
  }

  bool exists() const { return exists_; }
  double among(std::size_t i, std::size_t j) const { return among_.column(at(j))[i]; }

  // C^-1 b, and below it D_LS D_SS^-1 b.
  Values up(const Values& b) const {
    Values y(sticks_ + slips_);
    for (std::size_t j = 0; j < sticks_; ++j)
      for (std::size_t i = j; i < y.size(); ++i) add(y[i], w_.column(at(j))[i], b[j]);
    return y;
  }
  // D_SS^-1 (b - D_SL x) from y = up(b).
  Values down(Values y, const Values& x) const {
    for (std::size_t i = 0; i < slips_; ++i) y[sticks_ + i] = scaled(-1, x[i]);
    Values result(sticks_);
    for (std::size_t j = 0; j < sticks_; ++j)
      for (std::size_t i = j; i < y.size(); ++i) add(result[j], w_.column(at(j))[i], y[i]);
    return result;
  }

 private:
  std::size_t sticks_, slips_;
  factor::FrontMatrix w_, among_;
  bool exists_ = true;
};

// Of the forces x that are added to a slipping contact, one unknown p: x = p * force, and the equation that belongs to
// it, displacement . (sum over d of D_cd x_d) + own * p = rest.
struct Unknown {
  std::size_t contact = 0;  // among those that slip
  Vector3 force{}, displacement{};
  double own = 0, rest = 0;
};

// The equations of a slipping contact are s.n = 0 and f_t = f.n w for the edge w of the cone that belongs to its trial
// force t = f - s / d. So x is a multiple of n + w, and of the edge's tangent, but for what is missing now, which is
// returned; how far along the tangent says (1 - turn) d x.tangent + turn s.tangent = 0. There are as many unknowns
// wherever the contact slips.
Vector3 add_unknowns(const CondensedPoint& point, std::size_t c, std::size_t slip, std::vector<Unknown>& unknowns) {
  const Vector3 &n = point.contact(c).normal, f = point.force(c), s = point.displacement(c);
  const SlipDirection direction = slip_direction(point.contact(c), point.trial(c));
  Vector3 edge = n;
  add(edge, 1, direction.edge);
  unknowns.push_back({.contact = slip,
                      .force = edge,
                      .displacement = n,
                      .own = regularisation * point.diagonal(c),
                      .rest = -dot(s, n)});
  if (point.contact(c).friction > 0)
    unknowns.push_back({.contact = slip,
                        .force = direction.tangent,
                        .displacement = scaled(direction.turn, direction.tangent),
                        .own = point.diagonal(c) * (1 - direction.turn),
                        .rest = -direction.turn * dot(s, direction.tangent)});
  return minus(scaled(dot(f, n), edge), f);
}

std::vector<model::ContactState> face_of(const CondensedPoint& point) {
  std::vector<model::ContactState> states;
  states.reserve(point.size());
  for (std::size_t c = 0; c < point.size(); ++c) states.push_back(project(point.contact(c), point.trial(c)).state);
  return states;
}

Contacts those(const std::vector<model::ContactState>& states, model::ContactState wanted) {
  Contacts contacts;
  for (std::size_t c = 0; c < states.size(); ++c)
    if (states[c] == wanted) contacts.push_back(c);
  return contacts;
}

// The forces of the point with those of open contacts let go.
std::vector<double> let_go(const CondensedPoint& point, const std::vector<model::ContactState>& face) {
  std::vector<double> f(point.forces().begin(), point.forces().end());
  for (const std::size_t c : those(face, model::ContactState::open))
    std::fill_n(f.begin() + static_cast<std::ptrdiff_t>(3 * c), 3, 0.0);
  return f;
}

}  // namespace

struct FaceNewton::State {
  std::vector<model::ContactState> face;
  Contacts stick, slip;
  Elimination elimination;
  std::vector<Unknown> unknowns;
  factor::DenseLu lu;
  bool exists = false;

  State(std::vector<model::ContactState> states, const CondensedPoint& point)
      : face(std::move(states)),
        stick(those(face, model::ContactState::stick)),
        slip(those(face, model::ContactState::slip)),
        elimination(point, stick, slip),
        unknowns(make_unknowns(point).first),
        lu(at(unknowns.size())) {
    if (!elimination.exists()) return;
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      double* const column = lu.column(at(j));
      for (std::size_t i = 0; i < unknowns.size(); ++i)
        column[i] = elimination.among(unknowns[i].contact, unknowns[j].contact) *
                    dot(unknowns[i].displacement, unknowns[j].force);
      column[j] += unknowns[j].own;
    }
    exists = lu.factorize();
  }

  // And the forces that slipping contacts miss at the point.
  std::pair<std::vector<Unknown>, Values> make_unknowns(const CondensedPoint& point) const {
    std::pair<std::vector<Unknown>, Values> both;
    both.second.reserve(slip.size());
    for (std::size_t i = 0; i < slip.size(); ++i) both.second.push_back(add_unknowns(point, slip[i], i, both.first));
    return both;
  }
};

FaceNewton::FaceNewton(const CondensedPoint& point) {
  std::vector<model::ContactState> face = face_of(point);
  std::vector<double> f = let_go(point, face);
  state_ = std::make_unique<State>(std::move(face), CondensedPoint(point, f));
}

FaceNewton::~FaceNewton() = default;
FaceNewton::FaceNewton(FaceNewton&&) noexcept = default;
FaceNewton& FaceNewton::operator=(FaceNewton&&) noexcept = default;

bool FaceNewton::shown_by(const CondensedPoint& point) const { return face_of(point) == state_->face; }

std::vector<double> FaceNewton::step(const CondensedPoint& before) const {
  const State& state = *state_;
  if (!state.exists) return {};
  std::vector<double> f = let_go(before, state.face);
  const CondensedPoint point(before, f);

  // D_SS x_S = -s_S - D_SL x_L.
  Values pulled;
  pulled.reserve(state.stick.size());
  for (const std::size_t c : state.stick) pulled.push_back(scaled(-1, point.displacement(c)));
  const Values y = state.elimination.up(pulled);

  // Forces added to slipping contacts, at first those that are no unknowns, and the displacements that come with them.
  auto [now, slipping] = state.make_unknowns(point);
  Values fixed(y.begin() + static_cast<std::ptrdiff_t>(state.stick.size()), y.end());
  for (std::size_t j = 0; j < state.slip.size(); ++j)
    for (std::size_t i = 0; i < state.slip.size(); ++i) add(fixed[i], state.elimination.among(i, j), slipping[j]);
  std::vector<double> p;
  p.reserve(now.size());
  for (const Unknown& unknown : now) p.push_back(unknown.rest - dot(unknown.displacement, fixed[unknown.contact]));
  state.lu.solve(p.data());
  for (std::size_t j = 0; j < p.size(); ++j) add(slipping[state.unknowns[j].contact], p[j], state.unknowns[j].force);
  const Values sticking = state.elimination.down(y, slipping);

  const auto add_to_forces = [&](const Contacts& contacts, const Values& x) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) f[3 * contacts[i] + axis] += x[i][axis];
  };
  add_to_forces(state.stick, sticking);
  add_to_forces(state.slip, slipping);
  if (!std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); })) return {};
  return f;
}

}  // namespace proxima::contact
