// Filtered Hessian-vector products against Eigen's eigendecomposition of the assembled Hessian.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/filter.hpp"
#include "compiler/derive/matrix_absolute.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/measures.hpp"
#include "tests/derive/spectral_energies.hpp"
#include "tests/support/symmetric_eigen.hpp"

namespace proxima::test {
namespace {

using derive::Filter;
using derive::Quantity;
using ir::Expression;
using ir::NodeId;

constexpr Filter filters[] = {Filter::clamp, Filter::absolute};

Eigen::MatrixXd apply_filter(const Eigen::MatrixXd& H, Filter filter) {
  const auto eigen = symmetric_eigen(H);
  Eigen::VectorXd l = eigen.values;
  for (double& value : l) value = filter == Filter::clamp ? std::max(value, 0.0) : std::fabs(value);
  return eigen.vectors * l.asDiagonal() * eigen.vectors.transpose();
}

// Products with the exact and the filtered Hessians of an energy; inputs: its own, then the direction.
class Filtered {
 public:
  explicit Filtered(ir::Energy energy) : energy_(std::move(energy)), n_(energy_.strain_components()) {
    for (std::uint32_t slot = 0; slot < energy_.slots(); ++slot) inputs_.push_back(graph_.input(slot));
    for (std::uint32_t k = 0; k < n_; ++k) direction_.push_back(graph_.input(energy_.slots() + k));
    const std::span strain = std::span(inputs_).first(n_);
    const NodeId density = ir::transplant(energy_.graph, {&energy_.density, 1}, graph_, inputs_)[0];
    exact_ = derive::directional(graph_, derive::gradient(graph_, density, strain), strain, direction_);
    for (std::size_t f = 0; f < 2; ++f)
      product_[f] = derive::filtered_hessian_vector(graph_, energy_, filters[f], inputs_, direction_);
  }

  Eigen::MatrixXd exact(const Numbers& at) const { return columns(exact_, at); }
  Eigen::MatrixXd filtered(const Numbers& at, Filter filter) const {
    return columns(product_[filter == Filter::clamp ? 0 : 1], at);
  }
  int loops() const {
    int count = 0;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) count += graph_.node({i}).op == ir::Op::loop;
    return count;
  }

 private:
  Eigen::MatrixXd columns(const std::vector<NodeId>& product, const Numbers& at) const {
    Eigen::MatrixXd H(n_, n_);
    for (std::uint32_t k = 0; k < n_; ++k) {
      Numbers unit(n_, 0);
      unit[k] = 1;
      const Numbers column = ir::evaluate<double>(graph_, product, concatenate({at, unit}));
      for (std::uint32_t i = 0; i < n_; ++i) H(i, k) = column[i];
    }
    return H;
  }

  ir::Energy energy_;
  ir::Graph graph_;
  std::uint32_t n_;
  std::vector<NodeId> inputs_, direction_, exact_, product_[2];
};

std::vector<ir::Energy> tested() {
  std::vector<ir::Energy> result;
  for (const SpectralEnergy& e : spectral_energies())
    if (e.name != "largest") result.push_back(e.energy);
  for (ir::Energy energy : energies()) {
    energy.name = "shipped_" + energy.name;
    result.push_back(energy);
  }
  return result;
}

class Filters : public testing::TestWithParam<ir::Energy> {};

TEST_P(Filters, AreThoseOfTheEigenvaluesOfTheHessian) {
  const Filtered hessian(GetParam());
  const Numbers parameters = parameters_of(GetParam());
  int tried = 0, indefinite = 0;
  for (const State& state : spectral_states()) {
    SCOPED_TRACE(state.name);
    const Numbers at = concatenate({flat(state.F), parameters});
    const Eigen::MatrixXd H = hessian.exact(at);
    if (!H.allFinite() || H.cwiseAbs().maxCoeff() > 1e12) continue;  // outside the domain, or where it is singular
    ++tried;
    const auto values = symmetric_eigen(Eigen::MatrixXd(0.5 * (H + H.transpose()))).values;
    const double size = values.cwiseAbs().maxCoeff();
    if (values.minCoeff() < -1e-6 * size) ++indefinite;
    for (Filter filter : filters)
      EXPECT_LT((hessian.filtered(at, filter) - apply_filter(0.5 * (H + H.transpose()), filter)).norm(),
                3e-12 * size / state.scale)
          << (filter == Filter::clamp ? "clamp" : "absolute");
  }
  EXPECT_GE(tried, 5);
  EXPECT_TRUE(indefinite >= 1 || GetParam().name == "mixed");
}

INSTANTIATE_TEST_SUITE_P(Energies, Filters, testing::ValuesIn(tested()),
                         [](const auto& param) { return param.param.name; });

TEST(FilterPaths, IsotropicEnergiesNeedNoLoop) {
  EXPECT_EQ(Filtered(spectral_energy("hencky").energy).loops(), 0);
  EXPECT_EQ(Filtered(energy_named("stable_neo_hookean")).loops(), 0);
  EXPECT_EQ(Filtered(spectral_energy("fibre").energy).loops(), 1);
}

TEST(FilterPaths, SemidefiniteHessiansStayAsTheyAre) {
  const ir::Energy quadratic = energy_of("quadratic", [](const F9& F) {  // semidefinite of rank 2, not isotropic
    const Expression a = F[0] + 2 * F[4] - 3, b = F[1] + F[3] - 0.5 * F[8];
    return 7 * (a * a) + 0.01 * (b * b);
  });
  const Filtered anisotropic(quadratic), arap(spectral_energy("arap").energy);
  for (Filter filter : filters) {
    const Numbers general = flat(states().back().F);
    const Eigen::MatrixXd H = anisotropic.exact(general);
    EXPECT_LT((anisotropic.filtered(general, filter) - H).norm(), 1e-14 * H.norm());
    const Numbers stretched = flat(1.4 * rotation(0.3, 1, 0, 2));
    EXPECT_LT((arap.filtered(stretched, filter) - arap.exact(stretched)).norm(), 1e-14);
  }
}

using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// Kernels of elements: G^T V H G with the filtered H by the strain, for every measure, shape and kind of input.
class FilteredElements : public testing::TestWithParam<std::string> {
 protected:
  const Sample& sample = sample_named(GetParam());
  const Fields fields = completed(sample.shape, sample.fields);

  // Column by column from a kernel that takes a direction.
  Long matrix_of(const ir::Kernel& kernel, const std::string& direction, const std::string& output, std::size_t n,
                 Fields inputs) const {
    Long result(n, n);
    for (std::size_t k = 0; k < n; ++k) {
      inputs[direction] = Extended(n, 0);
      inputs[direction][k] = 1;
      const Extended column = run<long double>(kernel, inputs).at(output);
      for (std::size_t i = 0; i < n; ++i)
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = column[i];
    }
    return result;
  }
};

TEST_P(FilteredElements, ProjectTheStrainLevelHessian) {
  const std::size_t n = sample.energy.strain_components(), nodes = fields.at("positions").size();
  Fields at_strain = fields;
  at_strain["strain"] = strain_at(sample, fields, fields.at("positions"));
  at_strain["previous"] = strain_at(sample, fields, fields.at("previous"));
  const Long H = matrix_of(derive::strain_kernel(sample.energy, Quantity::hessian_vector), "strain_direction", "stress",
                           n, at_strain);
  const auto eigen = symmetric_eigen(Long(0.5L * (H + H.transpose())));
  Long G(n, nodes);
  for (std::size_t k = 0; k < nodes; ++k) {
    Extended unit(nodes, 0);
    unit[k] = 1;
    const Extended column = strain_at(sample, fields, unit);
    for (std::size_t i = 0; i < n; ++i) G(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = column[i];
  }
  const long double volume = fields.contains("gradients") ? fields.at("volume")[0] : 1;
  for (Quantity quantity : {Quantity::hessian_vector_clamped, Quantity::hessian_vector_absolute}) {
    Eigen::VectorX<long double> l = eigen.values;
    for (long double& value : l)
      value = quantity == Quantity::hessian_vector_clamped ? std::max(value, 0.0L) : std::fabs(value);
    const Long filtered = eigen.vectors * l.asDiagonal() * eigen.vectors.transpose();
    const Long expected = volume * (G.transpose() * filtered * G);
    const Long actual = matrix_of(element_kernel(sample, quantity), "direction", "forces", nodes, fields);
    EXPECT_LT((actual - expected).norm(), 1e-14L * expected.norm());
    EXPECT_LT((matrix_of(derive::strain_kernel(sample.energy, quantity), "strain_direction", "stress", n, at_strain) -
               filtered)
                  .norm(),
              1e-14L * filtered.norm());
  }
}

std::vector<std::string> sample_names() {
  std::vector<std::string> result;
  for (const Sample& sample : samples()) result.push_back(sample.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Samples, FilteredElements, testing::ValuesIn(sample_names()),
                         [](const auto& param) { return param.param; });

// Quadratic forms of every size that strain measures have, with eigenvalues that are multiple, opposite, tiny and zero.
TEST(MatrixAbsolute, IsRightForAllSizesAndSpectra) {
  for (int n : {3, 6, 9, 12, 4}) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr([&] {
      Eigen::MatrixXd A(n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) A(i, j) = std::sin(1.7 * i + 2.3 * j * j + 0.4);
      return A;
    }());
    const Eigen::MatrixXd Q = qr.householderQ();
    ir::Graph graph;
    std::vector<NodeId> H, v;
    for (int k = 0; k < n * n; ++k) H.push_back(graph.input(static_cast<std::uint32_t>(k)));
    for (int k = 0; k < n; ++k) v.push_back(graph.input(static_cast<std::uint32_t>(n * n + k)));
    const auto product = derive::absolute_value_product(graph, H, v);
    ir::Interpreter<double> interpreter(graph, product);
    for (const auto& [name, eigenvalue] : std::vector<std::pair<std::string, std::function<double(int)>>>{
             {"distinct", [](int k) { return (k % 2 == 0 ? 1 : -1) * (1.0 + k); }},
             {"multiple and opposite", [](int k) { return k % 3 == 0 ? -2.0 : 2.0; }},
             {"wide", [](int k) { return (k % 2 == 0 ? 1 : -1) * std::pow(10.0, 3 - 2 * k); }},
             {"rank one", [](int k) { return k == 0 ? -3e9 : 0.0; }},
             {"zero", [](int) { return 0.0; }},
             {"identity", [](int) { return 1.0; }}}) {
      SCOPED_TRACE(name + ", n = " + std::to_string(n));
      Eigen::VectorXd l(n), d(n);
      for (int k = 0; k < n; ++k) l[k] = eigenvalue(k), d[k] = std::cos(2.1 * k);
      const Eigen::MatrixXd A = Q * l.asDiagonal() * Q.transpose();
      Numbers x;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) x.push_back(0.5 * (A(i, j) + A(j, i)));
      x.insert(x.end(), d.data(), d.data() + n);
      const Eigen::VectorXd expected = Q * (l.cwiseAbs().asDiagonal() * (Q.transpose() * d));
      const auto actual = interpreter(x);
      for (int k = 0; k < n; ++k)
        EXPECT_NEAR(actual[static_cast<std::size_t>(k)], expected[k], 2e-14 * l.cwiseAbs().maxCoeff() * d.norm());
    }
  }
}

}  // namespace
}  // namespace proxima::test
