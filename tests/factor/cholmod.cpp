#include "tests/factor/cholmod.hpp"

#include <cholmod.h>

#include <stdexcept>

namespace proxima::factor {

struct Cholmod::State {
  cholmod_common common{};
  cholmod_sparse* matrix = nullptr;
  cholmod_factor* factor = nullptr;
  cholmod_dense *b = nullptr, *x = nullptr, *work_y = nullptr, *work_e = nullptr;
};

Cholmod::Cholmod(const SparseSymmetric& matrix) : state_(std::make_unique<State>()) {
  cholmod_common& common = state_->common;
  cholmod_start(&common);
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_METIS;
  common.postorder = 1;
  common.supernodal = CHOLMOD_SUPERNODAL;
  const auto n = static_cast<std::size_t>(matrix.size);
  state_->matrix = cholmod_allocate_sparse(n, n, matrix.row.size(), 1, 1, -1, CHOLMOD_REAL, &common);
  auto* first = static_cast<int*>(state_->matrix->p);
  auto* row = static_cast<int*>(state_->matrix->i);
  auto* value = static_cast<double*>(state_->matrix->x);
  for (std::size_t j = 0; j <= n; ++j) first[j] = static_cast<int>(matrix.first[j]);
  for (std::size_t e = 0; e < matrix.row.size(); ++e) {
    row[e] = matrix.row[e];
    value[e] = matrix.value[e];
  }
  state_->factor = cholmod_analyze(state_->matrix, &common);
  if (!state_->factor) throw std::runtime_error("CHOLMOD could not analyse the matrix");
}

Cholmod::~Cholmod() {
  cholmod_common& common = state_->common;
  for (cholmod_dense** dense : {&state_->b, &state_->x, &state_->work_y, &state_->work_e})
    cholmod_free_dense(dense, &common);
  cholmod_free_factor(&state_->factor, &common);
  cholmod_free_sparse(&state_->matrix, &common);
  cholmod_finish(&common);
}

void Cholmod::factorize() {
  if (!cholmod_factorize(state_->matrix, state_->factor, &state_->common) || state_->common.status != CHOLMOD_OK)
    throw std::runtime_error("CHOLMOD could not factor the matrix");
}

void Cholmod::set_right_hand_side(const std::vector<double>& b) {
  const std::size_t n = b.size() / 3;
  if (!state_->b) state_->b = cholmod_allocate_dense(n, 3, n, CHOLMOD_REAL, &state_->common);
  auto* out = static_cast<double*>(state_->b->x);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) out[axis * n + i] = b[3 * i + axis];
}

void Cholmod::solve() {
  if (!cholmod_solve2(CHOLMOD_A, state_->factor, state_->b, nullptr, &state_->x, nullptr, &state_->work_y,
                      &state_->work_e, &state_->common))
    throw std::runtime_error("CHOLMOD could not solve");
}

std::vector<double> Cholmod::solution() const {
  const std::size_t n = state_->x->nrow;
  const auto* in = static_cast<const double*>(state_->x->x);
  std::vector<double> x(3 * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) x[3 * i + axis] = in[axis * n + i];
  return x;
}

}  // namespace proxima::factor
