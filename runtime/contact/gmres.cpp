#include "runtime/contact/gmres.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::contact {
namespace {

// The least-squares problem of one cycle, its columns turned by Givens rotations as they come.
class Hessenberg {
 public:
  explicit Hessenberg(double residual) : right_{residual} {}

  // `column` has one entry more than there are columns already, and one for the next vector. Returns |residual|.
  double append(std::vector<double> column) {
    const std::size_t k = columns_.size();
    for (std::size_t i = 0; i < k; ++i) {
      const double upper = cosine_[i] * column[i] + sine_[i] * column[i + 1];
      column[i + 1] = cosine_[i] * column[i + 1] - sine_[i] * column[i];
      column[i] = upper;
    }
    const double length = std::hypot(column[k], column[k + 1]);
    cosine_.push_back(length > 0 ? column[k] / length : 1);
    sine_.push_back(length > 0 ? column[k + 1] / length : 0);
    column[k] = length;
    right_.push_back(-sine_[k] * right_[k]);
    right_[k] *= cosine_[k];
    columns_.push_back(std::move(column));
    return std::abs(right_[k + 1]);
  }

  std::vector<double> coefficients() const {
    std::vector<double> result(columns_.size());
    for (std::size_t i = result.size(); i-- > 0;) {
      double sum = right_[i];
      for (std::size_t j = i + 1; j < result.size(); ++j) sum -= columns_[j][i] * result[j];
      result[i] = columns_[i][i] != 0 ? sum / columns_[i][i] : 0;
    }
    return result;
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<double> right_, cosine_, sine_;
};

// How many vectors of that many numbers are kept.
int vectors_kept(std::size_t size) {
  constexpr std::size_t least = 80, most = 240, numbers = std::size_t{1} << 25;
  return static_cast<int>(std::clamp(numbers / std::max<std::size_t>(size, 1), least, most));
}

}  // namespace

template <class Basis>
GmresOutcome basic_gmres(const typename Basis::Operator& op, typename Basis::In b, double tolerance, int max_iterations,
                         typename Basis::Out u) {
  const int restart = vectors_kept(b.size());
  GmresOutcome outcome;
  device::set_zero(u);
  auto residual = device::like(b), image = device::like(b);
  device::copy(b, residual);
  outcome.residual = device::norm(residual);
  while (outcome.residual > tolerance && outcome.iterations < max_iterations) {
    const double before = outcome.residual;
    Basis basis(op, residual, before, static_cast<std::size_t>(restart) + 1);
    Hessenberg small(before);
    int left = std::min(restart, max_iterations - outcome.iterations);
    for (int done = 0; left > 0 && outcome.residual > tolerance;) {
      const int next = done == 0 ? 1 : basis.ahead(before, outcome.residual, tolerance, done);
      for (KrylovColumn& column : basis.extend(std::min(next, left))) {
        const bool ends = !(column.back() > 0);
        outcome.residual = small.append(std::move(column));
        ++outcome.iterations;
        ++done;
        left = ends ? 0 : left - 1;
        if (ends || !(outcome.residual > tolerance)) break;  // what follows was not needed
      }
    }
    basis.add(small.coefficients(), u);
    op.apply(u, image);
    device::combine(residual, b, -1, image);
    outcome.residual = device::norm(residual);
    if (!(outcome.residual < before / 2)) break;
  }
  return outcome;
}

template GmresOutcome basic_gmres<KrylovBasis>(const LinearOperator&, std::span<const double>, double, int,
                                               std::span<double>);
template GmresOutcome basic_gmres<CudaKrylovBasis>(const CudaLinearOperator&, const device::CudaVector&, double, int,
                                                   device::CudaVector&);

}  // namespace proxima::contact
