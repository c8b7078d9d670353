// Hessians made positive semi-definite, against the eigenvalues of the assembled Hessian.
#include <algorithm>
#include <cmath>

#include "compiler/check/checks.hpp"
#include "compiler/derive/derive.hpp"

namespace proxima::check {
namespace {

struct Filter {
  const char* title;
  derive::Quantity quantity;
  double (*of)(double eigenvalue);
};
constexpr Filter filters[] = {
    {"Hessian-vector product, clamped", derive::Quantity::hessian_vector_clamped,
     [](double l) { return std::max(l, 0.0); }},
    {"Hessian-vector product, absolute", derive::Quantity::hessian_vector_absolute,
     [](double l) { return std::fabs(l); }},
};

}  // namespace

void check_filtered(Context& context) {
  constexpr double tolerance = 1e-8;
  constexpr int random = 8;
  std::vector<State> tried = states();
  for (State& state : random_states(random)) tried.push_back(std::move(state));
  Table& table = context.table("filtered", {"kernel", "points", "indefinite", "worst_error", "where"});
  // An energy of dissipation stands for h R in kernels.
  const double step = context.energy.dissipation ? context.fields.at("time_step")[0] : 1;
  for (const Filter& filter : filters) {
    const ir::Kernel kernel = derive::strain_kernel(context.energy, filter.quantity);
    ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
    double worst = 0, points = 0, indefinite = 0;
    std::string where = "-";
    Vector shown = context.space.rest();
    for (const State& state : tried) {
      const Vector x = context.space.at(state.A);
      if (context.response.not_finite(x)) continue;
      const Matrix hessian = step * context.response.tangent(x);
      const Eigen::SelfAdjointEigenSolver<Matrix> solver((hessian + hessian.transpose()) / 2);
      const double size = solver.eigenvalues().cwiseAbs().maxCoeff();
      Vector d(x.size());
      for (Eigen::Index k = 0; k < d.size(); ++k) d[k] = std::sin(1.7 * static_cast<double>(k) + 0.4);
      const Vector expected = solver.eigenvectors() * solver.eigenvalues().unaryExpr(filter.of).asDiagonal() *
                              solver.eigenvectors().transpose() * d;
      Fields fields = context.fields;
      fields["strain"] = {x.begin(), x.end()};
      fields["strain_direction"] = {d.begin(), d.end()};
      const auto results = interpreter(inputs_of(kernel, fields));
      double error = 0;
      for (Eigen::Index k = 0; k < d.size(); ++k) error = std::max(error, std::fabs(results[k] - expected[k]));
      if (size > 0) error /= size;
      if (std::isnan(results[0])) error = INFINITY;
      ++points;
      indefinite += solver.eigenvalues()[0] < -1e-9 * size ? 1 : 0;
      if (!(error > worst) || (error > tolerance && context.response.kink(x))) continue;
      worst = error;
      where = state.name;
      shown = x;
    }
    table.rows.push_back({filter.title, points, indefinite, worst, where});
    if (worst > tolerance)
      context.find(Severity::error, shown,
                   "the {} differs from the filtered Hessian by {:.2g} of its largest eigenvalue at {} ({})",
                   filter.title, worst, context.space.text(shown), where);
  }
}

}  // namespace proxima::check
