#include "runtime/factor/cuda_dense_lu.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;
constexpr Index width = kernels::lu_width;

// The inverses of the triangles of the diagonal's blocks, one after the other, with ones where the last block ends.
struct Inverses {
  std::vector<double> lower, upper;
};

Inverses inverses_of(const DenseLu& lu) {
  Inverses result;
  const FrontMatrix& values = lu.decomposed();
  for (Index begin = 0; begin < lu.size(); begin += width) {
    const Index rows = std::min(width, lu.size() - begin);
    const auto entry = [&](Index i, Index j) {
      return i < rows && j < rows ? values.column(begin + j)[begin + i] : i == j ? 1.0 : 0.0;
    };
    for (Index j = 0; j < width; ++j) {
      std::vector<double> lower(width), upper(width);  // columns of the inverses
      const auto at = [](std::vector<double>& column, Index i) -> double& {
        return column[static_cast<std::size_t>(i)];
      };
      at(lower, j) = 1;
      for (Index i = j + 1; i < width; ++i)
        for (Index k = j; k < i; ++k) at(lower, i) -= entry(i, k) * at(lower, k);
      for (Index i = j; i >= 0; --i) {
        at(upper, i) = i == j ? 1 : 0;
        for (Index k = i + 1; k <= j; ++k) at(upper, i) -= entry(i, k) * at(upper, k);
        at(upper, i) /= entry(i, i);
      }
      result.lower.insert(result.lower.end(), lower.begin(), lower.end());
      result.upper.insert(result.upper.end(), upper.begin(), upper.end());
    }
  }
  return result;
}

}  // namespace

CudaDenseLu::CudaDenseLu(const std::shared_ptr<device::CudaAlgebra>& algebra, const DenseLu& lu)
    : solve_(algebra->engine().compile_text("dense.cu", kernels::asset_dense_cu())->function("solve_lu")),
      size_(lu.size()),
      leading_(static_cast<int>(lu.decomposed().leading())),
      room_(algebra, static_cast<std::size_t>(lu.size())) {
  if (size_ == 0) return;
  device::CudaEngine& engine = algebra->engine();
  const Inverses inverses = inverses_of(lu);
  const auto columns = static_cast<std::size_t>(size_);
  values_ =
      device::uploaded_own(engine, std::span(lu.decomposed().column(0), columns * static_cast<std::size_t>(leading_)));
  lower_ = device::uploaded_own(engine, inverses.lower);
  upper_ = device::uploaded_own(engine, inverses.upper);
  order_ = device::uploaded_own(engine, lu.order());
}

void CudaDenseLu::solve(device::CudaVector& x) {
  if (size_ == 0) return;
  solve_(1, kernels::lu_block, x.array(), room_.array(), values_, lower_, upper_, order_, size_, leading_);
}

}  // namespace proxima::factor
