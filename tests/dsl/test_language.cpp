// What authors write, traced in an ordinary program, against the same formulas computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/ir/print.hpp"

namespace {

using namespace proxima::dsl;
namespace ir = proxima::ir;

constexpr unsigned sample_line = __LINE__ + 1;
PROXIMA_ENERGY(sample) {
  auto mu = parameter("mu", pascal, 1e5).positive();
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);
  auto F = deformation_gradient();
  auto J = det(F);
  return 0.5 * mu * (squared_norm(F) - 3) + nu * log(J);
}

// The graph and the value of a formula of the deformation gradient.
using M = const Mat<3, 3>&;
using Formula = Scalar (*)(M);
ir::Energy traced(Formula formula) {
  static Formula current;
  current = formula;
  return trace({"formula", "formula.cpp", 1, [] { return current(deformation_gradient()).handle(); }});
}
constexpr std::array<double, 9> some_f = {1.1, 0.2, -0.3, 0.1, 0.9, 0.25, -0.15, 0.05, 1.2};
double value(Formula formula) {
  const ir::Energy energy = traced(formula);
  return ir::evaluate<double>(energy.graph, {&energy.density, 1}, std::span<const double>(some_f))[0];
}

TEST(Energy, IsFoundByNameAndDescribed) {
  const ir::Energy energy = find_energy("sample");
  EXPECT_EQ(energy.name, "sample");
  EXPECT_THAT(energy.file, testing::EndsWith("test_language.cpp"));
  ASSERT_EQ(energy.parameters.size(), 2u);
  EXPECT_EQ(energy.parameters[0].name, "mu");
  EXPECT_EQ(energy.parameters[0].unit, "Pa");
  EXPECT_EQ(energy.parameters[0].default_value, 1e5);
  EXPECT_EQ(energy.parameters[0].lower, 0);
  EXPECT_EQ(energy.parameters[0].upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(energy.parameters[1].lower, -1);
  EXPECT_EQ(energy.parameters[1].upper, 0.5);
  EXPECT_EQ(energy.parameters[0].where.line, sample_line + 1);

  const std::array<double, 11> inputs = {2, 0, 0, 0, 3, 0, 0, 0, 4, 10, 0.25};
  EXPECT_DOUBLE_EQ(ir::evaluate<double>(energy.graph, {&energy.density, 1}, std::span<const double>(inputs))[0],
                   5 * (4 + 9 + 16 - 3) + 0.25 * std::log(24));
}

TEST(Energy, KeepsTheAuthorsLines) {
  const ir::Energy energy = find_energy("sample");
  bool found_log = false;
  for (std::uint32_t i = 0; i < energy.graph.size(); ++i) {
    const ir::Node& node = energy.graph.node({i});
    if (node.where.line == 0) continue;
    EXPECT_THAT(energy.graph.files()[node.where.file], testing::EndsWith("test_language.cpp"));
    EXPECT_GT(node.where.line, sample_line);
    EXPECT_LT(node.where.line, sample_line + 8);
    if (node.op == ir::Op::log) {
      found_log = true;
      EXPECT_EQ(node.where.line, sample_line + 5);
    }
  }
  EXPECT_TRUE(found_log);
  // det is written in a header of the language, its line is the author's; so is that of a product of two Scalars.
  const std::string text = ir::to_text(energy);
  EXPECT_THAT(text, testing::HasSubstr("test_language.cpp:" + std::to_string(sample_line + 4)));
  EXPECT_THAT(text, testing::HasSubstr("test_language.cpp:" + std::to_string(sample_line + 5)));
}

TEST(Energy, IsTheSameGraphWheneverItIsTraced) {
  EXPECT_EQ(ir::to_text(find_energy("sample")), ir::to_text(find_energy("sample")));
}

TEST(Numbers, FunctionsMeanWhatTheirNamesSay) {
  const double x = some_f[0], y = some_f[1];
  EXPECT_EQ(value([](M F) { return sqrt(F(0, 0)); }), std::sqrt(x));
  EXPECT_EQ(value([](M F) { return cbrt(F(0, 0)); }), std::cbrt(x));
  EXPECT_EQ(value([](M F) { return exp(F(0, 0)); }), std::exp(x));
  EXPECT_EQ(value([](M F) { return expm1(F(0, 0)); }), std::expm1(x));
  EXPECT_EQ(value([](M F) { return log(F(0, 0)); }), std::log(x));
  EXPECT_EQ(value([](M F) { return log1p(F(0, 0)); }), std::log1p(x));
  EXPECT_EQ(value([](M F) { return sin(F(0, 0)); }), std::sin(x));
  EXPECT_EQ(value([](M F) { return cos(F(0, 0)); }), std::cos(x));
  EXPECT_EQ(value([](M F) { return tan(F(0, 0)); }), std::tan(x));
  EXPECT_EQ(value([](M F) { return tanh(F(0, 0)); }), std::tanh(x));
  EXPECT_EQ(value([](M F) { return atan2(F(0, 0), F(0, 1)); }), std::atan2(x, y));
  EXPECT_EQ(value([](M F) { return abs(F(0, 2)); }), 0.3);
  EXPECT_EQ(value([](M F) { return min(F(0, 0), 1); }), 1);
  EXPECT_EQ(value([](M F) { return max(F(0, 0), 1); }), x);
  EXPECT_EQ(value([](M F) { return clamp(F(0, 0), 0, 0.5); }), 0.5);
  EXPECT_EQ(value([](M F) { return pow(F(0, 0), 3); }), x * (x * x));
  EXPECT_EQ(value([](M F) { return pow(F(0, 2), 3); }), -0.3 * (0.3 * 0.3));
  EXPECT_EQ(value([](M F) { return pow(F(0, 0), -1); }), 1 / x);
  EXPECT_EQ(value([](M F) { return pow(F(0, 0), 2.0); }), x * x);
  EXPECT_EQ(value([](M F) { return pow(F(0, 0), 2.5); }), std::pow(x, 2.5));
  EXPECT_EQ(value([](M F) { return pow(F(0, 0), F(0, 1)); }), std::pow(x, y));
  EXPECT_EQ(value([](M F) { return square(F(0, 0)); }), x * x);
}

TEST(Numbers, MixWithPlainNumbers) {
  const double x = some_f[0], y = some_f[1];
  EXPECT_EQ(value([](M F) { return 2 * F(0, 0) + 1; }), 2 * x + 1);
  EXPECT_EQ(value([](M F) { return 1 - F(0, 0) / 3; }), 1 - x / 3);
  EXPECT_EQ(value([](M F) { return -F(0, 0) * F(0, 1); }), -x * y);
  EXPECT_EQ(value([](M F) { return 1 / F(0, 0); }), 1 / x);
  EXPECT_EQ(value([](M F) {
              Scalar sum = F(0, 0);
              sum += 2, sum *= F(0, 1), sum -= F(0, 0), sum /= 7;
              return sum;
            }),
            ((x + 2) * y - x) / 7);
}

TEST(Truth, ConditionsChooseBetweenValues) {
  EXPECT_EQ(value([](M F) { return select(F(0, 0) > 1, F(0, 1), F(0, 2)); }), some_f[1]);
  EXPECT_EQ(value([](M F) { return select(F(0, 0) < 1, F(0, 1), F(0, 2)); }), some_f[2]);
  EXPECT_EQ(value([](M F) { return select(F(0, 0) >= 1.1 && F(0, 0) <= 1.1, F(0, 1), 0); }), some_f[1]);
  EXPECT_EQ(value([](M F) { return select(F(0, 0) == 1.1 || F(0, 0) < 0, F(0, 1), 0); }), some_f[1]);
  EXPECT_EQ(value([](M F) { return select(!(F(0, 0) != 1.1), F(0, 1), 0); }), some_f[1]);
  EXPECT_EQ(value([](M F) { return trace(select(F(0, 0) > 2, F, identity())); }), 3);
}

double determinant(const std::array<double, 9>& a) {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

TEST(Matrices, DetInverseAndCofactorAgreeWithTheirDefinitions) {
  EXPECT_NEAR((value([](M F) { return det(F); })), determinant(some_f), 1e-15);
  EXPECT_NEAR((value([](M F) { return squared_norm(inverse(F) * F - identity()); })), 0, 1e-30);
  EXPECT_NEAR((value([](M F) { return squared_norm(cofactor(F) - det(F) * transpose(inverse(F))); })), 0, 1e-30);
  EXPECT_NEAR((value([](M F) {
                const auto A = rows(vector(F(0, 0), F(0, 1)), vector(F(1, 0), F(1, 1)));
                const auto B = inverse(A) * A;
                return squared_norm(B - diagonal_matrix(vector(1, 1))) + det(A) - (1.1 * 0.9 - 0.2 * 0.1);
              })),
              0, 1e-15);
}

TEST(Matrices, ProductsNormsAndParts) {
  double norm2 = 0;
  for (double entry : some_f) norm2 += entry * entry;
  EXPECT_NEAR((value([](M F) { return squared_norm(F); })), norm2, 1e-15);
  EXPECT_NEAR((value([](M F) { return norm(F); })), std::sqrt(norm2), 1e-15);
  EXPECT_NEAR((value([](M F) { return trace(transpose(F) * F); })), norm2, 1e-15);
  EXPECT_NEAR((value([](M F) { return dot(F, F); })), norm2, 1e-15);
  EXPECT_NEAR((value([](M F) { return trace(F); })), 1.1 + 0.9 + 1.2, 1e-15);
  EXPECT_NEAR((value([](M F) { return dot(F.row(0), cross(F.row(1), F.row(2))); })), determinant(some_f), 1e-15);
  EXPECT_NEAR((value([](M F) { return squared_norm(F * vector(1, 0, 0) - F.column(0)); })), 0, 0);
  EXPECT_NEAR((value([](M F) { return trace(outer(F.row(0), F.row(1))) - dot(F.row(0), F.row(1)); })), 0, 1e-16);
  EXPECT_NEAR((value([](M F) { return symmetric_part(F)(0, 1); })), 0.15, 1e-16);
  EXPECT_NEAR((value([](M F) { return trace(diagonal_matrix(diagonal(F))) - trace(F); })), 0, 0);
  EXPECT_NEAR((value([](M F) { return norm(columns(F.column(0), F.column(1), F.column(2)) - F); })), 0, 0);
  EXPECT_NEAR((value([](M F) { return (2 * F - F / 2 + F * F(0, 0) - F)(0, 0); })), 1.1 * 0.5 + 1.1 * 1.1, 1e-15);
  EXPECT_NEAR((value([](M F) {
                Mat<3, 3> A = F;
                A += F, A *= 3, A -= F, A /= 5;
                A(0, 0) = 7;
                A(1, 1) += 1;
                return A(0, 0) * A(1, 1);
              })),
              7 * 1.9, 1e-14);
  EXPECT_NEAR((value([](M F) {
                Vec<3> v = F.row(0);
                v[1] = 2;
                return v(1) * v[0];
              })),
              2.2, 1e-15);
  double a = 0, b = 0, c = 0;  // entries of the 2x2 matrix of products of the first two rows
  for (std::size_t k = 0; k < 3; ++k) {
    a += some_f[k] * some_f[k];
    b += some_f[k] * some_f[3 + k];
    c += some_f[3 + k] * some_f[3 + k];
  }
  EXPECT_NEAR((value([](M F) { return squared_norm(rows(F.row(0), F.row(1)) * columns(F.row(0), F.row(1))); })),
              a * a + 2 * b * b + c * c, 1e-15);
}

int operations(Formula formula) {
  const ir::Energy energy = traced(formula);
  return ir::count_operations(energy.graph, {&energy.density, 1}).operations;
}

TEST(Matrices, ZerosOfTheIdentityCostNothing) {
  EXPECT_EQ(operations([](M F) { return trace(identity() * F); }), 2);
  EXPECT_EQ(operations([](M F) { return trace(F + F(0, 1) * identity()); }), 5);
  EXPECT_EQ(operations([](M F) { return det(diagonal_matrix(diagonal(F))); }), 2);
  EXPECT_EQ(operations([](M F) { return squared_norm(diagonal_matrix(F.row(0)) / 4); }), 3 + 3 + 2);
  EXPECT_EQ(value([](M F) { return dot(F, -identity()); }), -(some_f[0] + some_f[4] + some_f[8]));
}

TEST(Matrices, DetCostsWhatTheFormulaCosts) {
  EXPECT_EQ(operations([](M F) { return det(F); }), 14);
}

}  // namespace
