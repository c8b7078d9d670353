// Nanoseconds an element for Neo-Hookean kernels, generated and written by hand, one thread, 196 608 tetrahedra.
// Rows are kernel/who/precision; `forces+gather` sums to nodes too. Items are elements.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <proxima/dsl.hpp>

#include "bench/kernels/hand_written.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/dsl/trace.hpp"
#include "runtime/device/launch.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::bench {
namespace {

using derive::Quantity;
using device::AlignedVector;
using device::Tiling;
using jit::Precision;

PROXIMA_ENERGY(neo_hookean_lame) {
  using namespace dsl;
  auto mu = parameter("mu", pascal, 4e4).positive();
  auto lambda = parameter("lambda", pascal, 1.6e5).positive();
  auto F = deformation_gradient();
  auto log_J = log(det(F));
  return 0.5 * mu * (squared_norm(F) - 3) - mu * log_J + 0.5 * lambda * square(log_J);
}

// cells^3 cubes of six tetrahedra each (Kuhn's division), and a smooth deformation of them.
struct Grid {
  explicit Grid(int cells) : side(cells + 1) {
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < side; ++k) {
          const double h = 1.0 / cells, x = i * h, y = j * h, z = k * h;
          rest.insert(rest.end(), {x, y, z});
          positions.insert(positions.end(),
                           {x + 0.1 * std::sin(3 * y), y * 1.1 + 0.05 * std::cos(4 * z), z + 0.2 * x * y});
          direction.insert(direction.end(), {std::sin(5 * z), std::cos(3 * x), x * y - z});
        }
    int axes[] = {0, 1, 2};
    for (int cell = 0; cell < cells * cells * cells; ++cell) {
      const int corner[] = {cell / (cells * cells), cell / cells % cells, cell % cells};
      do {
        int at[] = {corner[0], corner[1], corner[2]};
        nodes.push_back(number(at));
        for (const int axis : axes) {
          ++at[axis];
          nodes.push_back(number(at));
        }
      } while (std::next_permutation(axes, axes + 3));
    }
    for (std::size_t e = 0; e < nodes.size() / 4; ++e) add_shape(e);
  }

  std::int32_t number(const int (&at)[3]) const { return (at[0] * side + at[1]) * side + at[2]; }

  // Rows of the inverse of the edge matrix, whose columns are the edges from corner 0.
  void add_shape(std::size_t e) {
    const auto x = [&](std::size_t corner, std::size_t axis) {
      return rest[3 * static_cast<std::size_t>(nodes[4 * e + corner]) + axis];
    };
    double edge[3][3];
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t j = 0; j < 3; ++j) edge[s][j] = x(s + 1, j) - x(0, j);
    double cofactor[3][3], determinant = 0;
    for (int s = 0; s < 3; ++s)
      for (int j = 0; j < 3; ++j) {
        const int a = (s + 1) % 3, b = (s + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        cofactor[s][j] = edge[a][c] * edge[b][d] - edge[a][d] * edge[b][c];
      }
    for (int j = 0; j < 3; ++j) determinant += edge[0][j] * cofactor[0][j];
    for (const auto& row : cofactor)
      for (const double entry : row) gradients.push_back(entry / determinant);
    volume.push_back(std::fabs(determinant) / 6);
  }

  int side;
  std::vector<double> rest, positions, direction, gradients, volume;
  std::vector<std::int32_t> nodes;
};

const Grid& grid() {
  static const Grid instance(32);
  return instance;
}

// The grid in tiles, in precision T, and both ways to run a kernel over it.
template <class T>
class Problem {
 public:
  explicit Problem(const jit::Target& target)
      : engine_(jit::Engine::default_cache(), target),
        tiling_(Tiling::make(grid().nodes, 4, target.lanes(precision))),
        positions_(rounded(grid().positions)),
        direction_(rounded(grid().direction)),
        gradients_(rounded(tiling_.field(grid().gradients, 9))),
        volume_(rounded(tiling_.field(grid().volume, 1))),
        hand_(pick_hand(target)) {
    for (const Quantity quantity : {Quantity::energy, Quantity::forces, Quantity::hessian_vector}) {
      out_[quantity].resize(tiling_.scalars(quantity == Quantity::energy ? 1 : 12));
      kernels_[quantity] = engine_.compile(
          derive::element_kernel(dsl::find_energy("neo_hookean_lame"), quantity, derive::Shape{4, 3}, {false, false}),
          precision);
    }
  }

  void generated(Quantity quantity) {
    std::vector<const void*> inputs = {positions_.data()};
    if (quantity == Quantity::hessian_vector) inputs.push_back(direction_.data());
    inputs.insert(inputs.end(), {gradients_.data(), volume_.data(), &mu_, &lambda_});
    void* outputs[] = {out_[quantity].data()};
    device::launch(*kernels_[quantity], tiling_, inputs, outputs);
  }
  void hand_written(Quantity quantity) {
    const NeoHookeanArrays<T> arrays = {positions_.data(),
                                        direction_.data(),
                                        gradients_.data(),
                                        volume_.data(),
                                        mu_,
                                        lambda_,
                                        tiling_.nodes.data(),
                                        static_cast<std::int64_t>(tiling_.tiles),
                                        out_[quantity].data()};
    (quantity == Quantity::energy   ? hand_.energy
     : quantity == Quantity::forces ? hand_.forces
                                    : hand_.hessian_vector)(arrays);
  }
  const AlignedVector<T>& out(Quantity quantity) const { return out_.at(quantity); }
  const Tiling& tiling() const { return tiling_; }

  // Both ways must give the same numbers, or their times mean nothing.
  void check(Quantity quantity) {
    generated(quantity);
    const AlignedVector<T> expected = out(quantity);
    hand_written(quantity);
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      largest = std::max(largest, std::fabs(static_cast<double>(expected[k])));
      difference =
          std::max(difference, std::fabs(static_cast<double>(expected[k]) - static_cast<double>(out(quantity)[k])));
    }
    if (difference > (sizeof(T) == 8 ? 1e-12 : 1e-4) * largest) {
      fmt::print(stderr, "generated and hand-written kernel {} differ by {} of {}\n", static_cast<int>(quantity),
                 difference, largest);
      std::exit(1);
    }
  }

 private:
  static constexpr Precision precision = sizeof(T) == 8 ? Precision::fp64 : Precision::fp32;
  static AlignedVector<T> rounded(const auto& values) { return AlignedVector<T>(values.begin(), values.end()); }
  static const HandWritten<T>& pick_hand(const jit::Target& target) {
    if constexpr (sizeof(T) == 8)
      return target.vector_bits == 512 ? avx512::fp64 : avx2::fp64;
    else
      return target.vector_bits == 512 ? avx512::fp32 : avx2::fp32;
  }

  jit::Engine engine_;
  Tiling tiling_;
  AlignedVector<T> positions_, direction_, gradients_, volume_;
  T mu_ = static_cast<T>(4e4), lambda_ = static_cast<T>(1.6e5);
  const HandWritten<T>& hand_;
  std::map<Quantity, AlignedVector<T>> out_;
  std::map<Quantity, std::shared_ptr<const jit::CompiledKernel>> kernels_;
};

void time(const std::string& name, const std::function<void()>& action) {
  benchmark::RegisterBenchmark(name.c_str(), [action](benchmark::State& state) {
    for (auto _ : state) action();
    const auto elements = static_cast<double>(grid().nodes.size() / 4);
    state.counters["per_element"] =
        benchmark::Counter(elements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  })->Unit(benchmark::kMillisecond);
}

template <class T>
void register_all(const jit::Target& target) {
  const auto problem = std::make_shared<Problem<T>>(target);
  const std::string suffix = fmt::format("/{}/{}", sizeof(T) == 8 ? "fp64" : "fp32", target.vector_bits);
  const std::pair<const char*, Quantity> rows[] = {
      {"energy", Quantity::energy}, {"forces", Quantity::forces}, {"hessian_vector", Quantity::hessian_vector}};
  for (const auto& [name, quantity] : rows) {
    problem->check(quantity);
    time(fmt::format("{}/generated{}", name, suffix), [=, q = quantity] { problem->generated(q); });
    time(fmt::format("{}/hand_written{}", name, suffix), [=, q = quantity] { problem->hand_written(q); });
  }
  if constexpr (sizeof(T) == 8) {
    const std::size_t nodes = grid().positions.size() / 3;
    const auto gather = std::make_shared<device::NodeGather>(problem->tiling(), nodes);
    const auto sums = std::make_shared<std::vector<double>>(3 * nodes);
    const auto add = [=] {
      std::fill(sums->begin(), sums->end(), 0.0);
      gather->add(problem->out(Quantity::forces), *sums);
    };
    time("forces+gather/generated" + suffix, [=] { problem->generated(Quantity::forces), add(); });
    time("forces+gather/hand_written" + suffix, [=] { problem->hand_written(Quantity::forces), add(); });
  }
}

}  // namespace
}  // namespace proxima::bench

int main(int argc, char** argv) {
  using proxima::jit::Target;
  proxima::device::set_threads(1);
  for (const Target& target : {Target::avx512(), Target::avx2()}) {
    if (!target.runs_here()) {
      fmt::print(stderr, "{}: not on this processor\n", target.cpu);
      continue;
    }
    proxima::bench::register_all<double>(target);
    proxima::bench::register_all<float>(target);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
