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

GmresOutcome gmres(const LinearOperator& op, std::span<const double> b, double tolerance, int max_iterations,
                   std::span<double> u) {
  const int restart = vectors_kept(b.size());
  GmresOutcome outcome;
  std::fill(u.begin(), u.end(), 0.0);
  std::vector<double> residual(b.begin(), b.end()), image(b.size());
  outcome.residual = device::norm(residual);
  while (outcome.residual > tolerance && outcome.iterations < max_iterations) {
    const double before = outcome.residual;
    std::vector<std::vector<double>> basis;
    basis.reserve(static_cast<std::size_t>(restart) + 1);
    const auto append = [&](std::span<const double> vector, double length) {
      basis.emplace_back(vector.begin(), vector.end());
      for (double& entry : basis.back()) entry /= length;
    };
    append(residual, before);
    Hessenberg small(before);
    for (int k = 0; k < restart && outcome.residual > tolerance && outcome.iterations < max_iterations; ++k) {
      op(basis.back(), image);
      ++outcome.iterations;
      std::vector<double> column(basis.size() + 1);
      // Twice: what rounding leaves of the older vectors after the first time would slow the last digits down.
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < basis.size(); ++i) {
          const double along = device::dot(basis[i], image);
          column[i] += along;
          device::add_scaled(image, -along, basis[i]);
        }
      const double length = device::norm(image);
      column.back() = length;
      outcome.residual = small.append(std::move(column));
      if (!(length > 0)) break;
      append(image, length);
    }
    const auto coefficients = small.coefficients();
    for (std::size_t i = 0; i < coefficients.size(); ++i) device::add_scaled(u, coefficients[i], basis[i]);
    op(u, image);
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = b[i] - image[i];
    outcome.residual = device::norm(residual);
    if (!(outcome.residual < before / 2)) break;
  }
  return outcome;
}

}  // namespace proxima::contact
