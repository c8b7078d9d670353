// Nanoseconds an element for Neo-Hookean kernels, generated and written by hand, one thread, 196 608 tetrahedra.
// Rows are kernel/who/precision; `forces+gather` sums to nodes too. Items are elements.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <proxima/dsl.hpp>

#include "bench/kernels/grid.hpp"
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
    const auto elements = static_cast<double>(grid().elements());
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
