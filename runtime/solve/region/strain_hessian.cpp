#include "runtime/solve/region/strain_hessian.hpp"

#include <vector>

#include "runtime/solve/precondition/instruction_sets.hpp"

namespace proxima::solve {
namespace {

// Where entry (p, q), p <= q, of a symmetric matrix with n rows is in its upper triangle, row by row.
constexpr std::size_t upper(std::size_t n, std::size_t p, std::size_t q) { return p * n - p * (p + 1) / 2 + q; }

constexpr std::size_t upper_or_lower(std::size_t n, std::size_t p, std::size_t q) {
  return p <= q ? upper(n, p, q) : upper(n, q, p);
}

// One number of each lane of a tile: GCC's vectors, which need no processor of any kind.
template <std::size_t L>
using Lanes [[gnu::vector_size(L * sizeof(double)), gnu::may_alias]] = double;

// `dimension` D is known when this is compiled, so that all loops but those over corners are unrolled and the 3 n
// numbers of `half` stay in registers. V: one number of each lane.
template <std::size_t D, class V>
[[gnu::always_inline]] inline void contract(std::size_t corners, const V* hessian, const V* gradients, V* blocks) {
  constexpr std::size_t n = 3 * D;
  V first[D] = {};  // gradient of corner 0: minus the sum of the others
  for (std::size_t s = 0; s + 1 < corners; ++s)
    for (std::size_t j = 0; j < D; ++j) first[j] -= gradients[s * D + j];
  const auto gradient = [&](std::size_t corner) { return corner == 0 ? first : &gradients[(corner - 1) * D]; };
  for (std::size_t b = 0; b < corners; ++b) {
    const V* gb = gradient(b);
    V half[n][3];  // C g_b
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t k = 0; k < 3; ++k) {
        half[p][k] = hessian[upper_or_lower(n, p, k * D)] * gb[0];
        for (std::size_t l = 1; l < D; ++l) half[p][k] += hessian[upper_or_lower(n, p, k * D + l)] * gb[l];
      }
    for (std::size_t a = 0; a <= b; ++a) {
      const V* ga = gradient(a);
      V* block = blocks + 9 * upper(corners, a, b);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
          V sum = ga[0] * half[i * D][k];
          for (std::size_t j = 1; j < D; ++j) sum += ga[j] * half[i * D + j][k];
          block[3 * i + k] = sum;
        }
    }
  }
}

template <class V>
const V* as(const double* numbers) {
  return reinterpret_cast<const V*>(numbers);
}

PROXIMA_FOR_EACH_INSTRUCTION_SET void contract_solid_8(std::size_t corners, const double* hessian,
                                                       const double* gradients, double* blocks) {
  contract<3>(corners, as<Lanes<8>>(hessian), as<Lanes<8>>(gradients), reinterpret_cast<Lanes<8>*>(blocks));
}
PROXIMA_FOR_EACH_INSTRUCTION_SET void contract_solid_4(std::size_t corners, const double* hessian,
                                                       const double* gradients, double* blocks) {
  contract<3>(corners, as<Lanes<4>>(hessian), as<Lanes<4>>(gradients), reinterpret_cast<Lanes<4>*>(blocks));
}

// What surfaces, edges, and processors with other registers take: correct for any, less fast.
template <std::size_t D>
void contract_any(std::size_t corners, std::size_t lanes, const double* hessian, const double* gradients,
                  double* blocks) {
  constexpr std::size_t n = 3 * D;
  std::vector<double> h(n * (n + 1) / 2), g((corners - 1) * D), k(9 * corner_pairs(corners));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t entry = 0; entry < h.size(); ++entry) h[entry] = hessian[entry * lanes + lane];
    for (std::size_t entry = 0; entry < g.size(); ++entry) g[entry] = gradients[entry * lanes + lane];
    contract<D>(corners, h.data(), g.data(), k.data());
    for (std::size_t entry = 0; entry < k.size(); ++entry) blocks[entry * lanes + lane] = k[entry];
  }
}

// The strain of a stencil is its positions: blocks are read off.
void copy_stencil(std::size_t corners, std::size_t lanes, const double* hessian, double* blocks) {
  for (std::size_t a = 0; a < corners; ++a)
    for (std::size_t b = a; b < corners; ++b)
      for (std::size_t entry = 0; entry < 9; ++entry) {
        const std::size_t from = upper_or_lower(3 * corners, 3 * a + entry / 3, 3 * b + entry % 3);
        for (std::size_t lane = 0; lane < lanes; ++lane)
          blocks[(9 * upper(corners, a, b) + entry) * lanes + lane] = hessian[from * lanes + lane];
      }
}

}  // namespace

void contract_strain_hessian(int dimension, int corners, int lanes, const double* hessian, const double* gradients,
                             double* blocks) {
  const auto count = static_cast<std::size_t>(corners), width = static_cast<std::size_t>(lanes);
  if (dimension == 0) return copy_stencil(count, width, hessian, blocks);
  if (dimension == 1) return contract_any<1>(count, width, hessian, gradients, blocks);
  if (dimension == 2) return contract_any<2>(count, width, hessian, gradients, blocks);
  if (lanes == 8) return contract_solid_8(count, hessian, gradients, blocks);
  if (lanes == 4) return contract_solid_4(count, hessian, gradients, blocks);
  contract_any<3>(count, width, hessian, gradients, blocks);
}

}  // namespace proxima::solve
