#include "runtime/solve/face.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

// Of the mean of D's diagonal: contacts that say the same twice share the force.
constexpr double redundancy = 1e-12;

// One scalar equation of a contact that slides.
struct Row {
  Index contact;
  model::Vector3 fixed, force;
  double compliance;
};

}  // namespace

struct Face::State {
  std::vector<FaceContact> contacts;
  std::vector<Index> stuck, sliding;
  std::vector<Row> rows;  // `contact` counts those that slide
  bool symmetric = true;
  Eigen::LDLT<Matrix> of_stuck;       // D between those that stick
  Matrix stuck_sliding;               // D between the two
  Eigen::PartialPivLU<Matrix> slide;  // what is left between the rows
};

Face::Face(const ContactMetric& metric, std::vector<FaceContact> contacts) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.contacts = std::move(contacts);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const FaceContact& contact = s.contacts[c];
    if (contact.state == model::ContactState::stick) s.stuck.push_back(static_cast<Index>(c));
    if (contact.state != model::ContactState::slip) continue;
    const auto place = static_cast<Index>(s.sliding.size());
    s.sliding.push_back(static_cast<Index>(c));
    s.symmetric = s.symmetric && contact.fixed == contact.force;
    s.rows.push_back({place, contact.fixed, contact.force, 0});
    if (std::isfinite(contact.compliance)) s.rows.push_back({place, contact.turn, contact.turn, contact.compliance});
  }
  const auto n = static_cast<Index>(s.contacts.size());
  const Eigen::Map<const Rows> d(metric.matrix().data(), n, n);
  const double shift = n > 0 ? redundancy * d.trace() / static_cast<double>(n) : 0;
  Matrix between = d(s.sliding, s.sliding);
  between.diagonal().array() += shift;
  if (!s.stuck.empty()) {
    Matrix stuck = d(s.stuck, s.stuck);
    stuck.diagonal().array() += shift;
    s.of_stuck.compute(stuck);
    s.stuck_sliding = d(s.stuck, s.sliding);
    if (!s.sliding.empty()) between -= s.stuck_sliding.transpose() * s.of_stuck.solve(s.stuck_sliding);
  }
  if (s.rows.empty()) return;
  const auto size = static_cast<Index>(s.rows.size());
  Matrix equations(size, size);
  for (Index j = 0; j < size; ++j) {
    const Row& from = s.rows[static_cast<std::size_t>(j)];
    for (Index i = 0; i < size; ++i) {
      const Row& row = s.rows[static_cast<std::size_t>(i)];
      equations(i, j) = between(row.contact, from.contact) * mesh::dot(row.fixed, from.force);
    }
    equations(j, j) += from.compliance;
  }
  s.slide.compute(equations);
}

Face::~Face() = default;
Face::Face(Face&&) noexcept = default;

std::span<const FaceContact> Face::contacts() const { return state_->contacts; }
bool Face::symmetric() const { return state_->symmetric; }

void Face::forces(std::span<const double> u, std::span<double> result) const {
  const State& s = *state_;
  const auto n = static_cast<Index>(s.contacts.size());
  const Eigen::Map<const Rows> given(u.data(), n, 3);
  Eigen::Map<Rows> forces(result.data(), n, 3);
  forces.setZero();
  Matrix stuck;
  if (!s.stuck.empty()) stuck = s.of_stuck.solve(given(s.stuck, Eigen::all));
  if (!s.rows.empty()) {
    Matrix left = given(s.sliding, Eigen::all);
    if (!s.stuck.empty()) left -= s.stuck_sliding.transpose() * stuck;
    Eigen::VectorXd right(static_cast<Index>(s.rows.size()));
    for (Index i = 0; i < right.size(); ++i) {
      const Row& row = s.rows[static_cast<std::size_t>(i)];
      right[i] = left.row(row.contact).dot(Eigen::RowVector3d(row.fixed[0], row.fixed[1], row.fixed[2]));
    }
    const Eigen::VectorXd sizes = s.slide.solve(right);
    for (Index i = 0; i < sizes.size(); ++i) {
      const Row& row = s.rows[static_cast<std::size_t>(i)];
      forces.row(s.sliding[static_cast<std::size_t>(row.contact)]) +=
          sizes[i] * Eigen::RowVector3d(row.force[0], row.force[1], row.force[2]);
    }
    if (!s.stuck.empty()) stuck -= s.of_stuck.solve(s.stuck_sliding * forces(s.sliding, Eigen::all));
  }
  if (!s.stuck.empty()) forces(s.stuck, Eigen::all) = stuck;
}

}  // namespace proxima::solve
