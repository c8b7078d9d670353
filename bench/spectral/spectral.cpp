// Nanoseconds a matrix for SVD and polar rotation in double precision, generated and written by hand, one thread.
// Before that, the largest errors of each in units of 2^-52 of the largest entry, since the rivals are not equally
// accurate.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "bench/spectral/hand_written.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/aligned.hpp"
#include "tests/emit/composite_kernel.hpp"
#include "tests/emit/matrices.hpp"

namespace proxima::bench {
namespace {

using device::AlignedVector;
using emit::testing::Matrix3;
using ir::Op;

constexpr std::size_t count = 4096;  // matrices and results fit in the second-level cache

// Deformation gradients of bodies under load: stretches from 0.3 to 2, some of them equal.
const std::vector<Matrix3>& deformations() {
  static const std::vector<Matrix3> matrices = [] {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> stretch(0.3, 2);
    std::vector<Matrix3> result;
    for (std::size_t k = 0; k < count; ++k) {
      Eigen::Vector3d s(stretch(random), stretch(random), stretch(random));
      if (k % 4 == 0) s[1] = s[0];
      if (k % 16 == 0) s[2] = s[0] * (1 + 1e-9);
      result.push_back(emit::testing::random_rotation(random) * s.asDiagonal() *
                       emit::testing::random_rotation(random));
    }
    return result;
  }();
  return matrices;
}

class Problem {
 public:
  explicit Problem(const jit::Target& target)
      : lanes_(static_cast<std::size_t>(target.lanes(jit::Precision::fp64))),
        engine_(jit::Engine::default_cache(), target),
        hand_(target.vector_bits == 512 ? avx512::decompositions : avx2::decompositions),
        A_(9 * count),
        parts_(21 * count) {
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t c = 0; c < 9; ++c) A_[at(e, c, 9)] = deformations()[e].data()[c];
    for (const Op op : {Op::svd, Op::polar, Op::eigen})
      kernels_[op] = engine_.compile(emit::testing::composite_kernel(op));
  }

  void generated(Op op) {
    const void* inputs[] = {A_.data()};
    void* outputs[] = {parts_.data()};
    kernels_.at(op)->function(inputs, outputs, nullptr, 0, tiles());
  }
  void hand_written(Op op) { (op == Op::svd ? hand_.svd : hand_.polar)(A_.data(), parts_.data(), tiles()); }

  // The largest error of what was computed last.
  double error(Op op) {
    double largest = 0;
    const std::size_t components = op == Op::svd ? 21 : 9;
    for (std::size_t e = 0; e < count; ++e) {
      const Matrix3& A = deformations()[e];
      std::vector<double> parts(components), sigma(21);
      for (std::size_t c = 0; c < components; ++c) parts[c] = parts_[at(e, c, components)];
      // Equal values of a rival may be out of order by a rounding, which is not held against it.
      if (op == Op::svd) parts[1] = std::min(parts[0], parts[1]), parts[2] = std::min(parts[1], parts[2]);
      ir::describe(Op::svd).evaluate_parts(A.data(), sigma.data());
      largest = std::max(largest, op == Op::svd ? emit::testing::svd_error(A, parts, sigma)
                                                : emit::testing::polar_error(A, parts, sigma));
    }
    return largest / 0x1p-52;
  }

 private:
  std::size_t at(std::size_t e, std::size_t c, std::size_t components) const {
    return (e / lanes_ * components + c) * lanes_ + e % lanes_;
  }
  std::int64_t tiles() const { return static_cast<std::int64_t>(count / lanes_); }

  const std::size_t lanes_;
  jit::Engine engine_;
  const HandWrittenDecompositions& hand_;
  AlignedVector<double> A_, parts_;
  std::map<Op, std::shared_ptr<const jit::CompiledKernel>> kernels_;
};

void time(const std::string& name, const std::function<void()>& action) {
  benchmark::RegisterBenchmark(name.c_str(), [action](benchmark::State& state) {
    for (auto _ : state) action();
    state.counters["per_matrix"] =
        benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  })->Unit(benchmark::kMicrosecond);
}

void register_all(const jit::Target& target) {
  const auto problem = std::make_shared<Problem>(target);
  for (const auto& [name, op] : {std::pair{"svd", Op::svd}, {"polar", Op::polar}, {"eigen", Op::eigen}}) {
    const std::string suffix = fmt::format("/fp64/{}", target.vector_bits);
    time(fmt::format("{}/generated{}", name, suffix), [=, op = op] { problem->generated(op); });
    if (op == Op::eigen) continue;
    time(fmt::format("{}/hand_written{}", name, suffix), [=, op = op] { problem->hand_written(op); });
    problem->generated(op);
    fmt::print("{}{}: largest error generated {:.1f}", name, suffix, problem->error(op));
    problem->hand_written(op);
    fmt::print(", by hand {:.1f}\n", problem->error(op));
  }
}

}  // namespace
}  // namespace proxima::bench

int main(int argc, char** argv) {
  using proxima::jit::Target;
  for (const Target& target : {Target::avx512(), Target::avx2()})
    if (target.runs_here()) proxima::bench::register_all(target);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
