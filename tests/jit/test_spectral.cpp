// Decompositions as machine code, on every target and in both precisions: what they must satisfy, for hard matrices.
#include <gtest/gtest.h>

#include "compiler/ir/interpreter.hpp"
#include "tests/emit/composite_kernel.hpp"
#include "tests/emit/matrices.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using emit::testing::Matrix3;
using ir::Op;

class Spectral : public ::testing::TestWithParam<Precision> {};

// The parts for each matrix, in the precision of the kernel; matrices are given rounded to it.
std::vector<std::vector<double>> decompose(Engine& engine, Op op, Precision precision,
                                           const std::vector<std::vector<double>>& operands) {
  const ir::Kernel kernel = emit::testing::composite_kernel(op);
  testing::Batch batch;
  batch.elements = operands.size();
  batch.fields.emplace_back();
  for (const auto& x : operands) batch.fields[0].insert(batch.fields[0].end(), x.begin(), x.end());
  const auto parts = testing::run(*engine.compile(kernel, precision), batch)[0];
  std::vector<std::vector<double>> result;
  for (std::size_t e = 0; e < batch.elements; ++e) {
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(e * kernel.results.size());
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(kernel.results.size()));
  }
  return result;
}

TEST_P(Spectral, KernelsAreExactToAFewRoundings) {
  const Precision precision = GetParam();
  const bool fp64 = precision == Precision::fp64;
  const double tolerance = 12 * (fp64 ? 0x1p-52 : 0x1p-23);
  std::vector<Matrix3> matrices, symmetric;
  std::vector<std::vector<double>> general_operands, symmetric_operands;
  std::vector<std::string> names;
  for (const auto& [name, A] : emit::testing::hard_matrices(100, fp64 ? 150 : 18)) {
    names.push_back(name);
    const auto rounded = [&](const Matrix3& of) { return fp64 ? of : Matrix3(of.cast<float>().cast<double>()); };
    matrices.push_back(rounded(A));
    const Matrix3& a = matrices.back();
    general_operands.emplace_back(a.data(), a.data() + 9);
    symmetric.push_back(rounded(A + A.transpose()));
    const Matrix3& s = symmetric.back();
    symmetric_operands.push_back({s(0, 0), s(0, 1), s(0, 2), s(1, 1), s(1, 2), s(2, 2)});
  }
  const ir::Kernel svd_oracle = emit::testing::composite_kernel(Op::svd);
  const ir::Kernel eigen_oracle = emit::testing::composite_kernel(Op::eigen);
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    const auto svd = decompose(engine, Op::svd, precision, general_operands);
    const auto polar = decompose(engine, Op::polar, precision, general_operands);
    const auto eigen = decompose(engine, Op::eigen, precision, symmetric_operands);
    for (std::size_t e = 0; e < matrices.size(); ++e) {
      SCOPED_TRACE(::testing::Message() << target.cpu << ", " << names[e] << "\n" << matrices[e]);
      const auto sigma = ir::evaluate<double>(svd_oracle, general_operands[e]);
      EXPECT_LE(emit::testing::svd_error(matrices[e], svd[e], sigma), tolerance);
      EXPECT_LE(emit::testing::polar_error(matrices[e], polar[e], sigma), tolerance);
      const auto values = ir::evaluate<double>(eigen_oracle, symmetric_operands[e]);
      EXPECT_LE(emit::testing::eigen_error(symmetric[e], eigen[e], values), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Spectral, ::testing::Values(Precision::fp64, Precision::fp32),
                         [](const auto& which) { return which.param == Precision::fp64 ? "fp64" : "fp32"; });

}  // namespace
}  // namespace proxima::jit
