// Element kernels of Neo-Hookean and stable Neo-Hookean solids, the polar rotation, the gather to nodes and a copy, as an
// expert would write them: the rivals of those that are generated. Arguments as compiler/emit/cuda/print.hpp says, but
// node lists are [element][corner], so that a thread reads its four numbers at once. `real` is double or float.
//   neo_hookean:         Psi = mu/2 (|F|^2 - 3) - mu log J + lambda/2 (log J)^2
//   stable_neo_hookean:  Psi = mu/2 (|F|^2 - 3) + lambda/2 (J - 1 - mu/lambda)^2

static __device__ __forceinline__ void read_gradients(const real *__restrict__ gradients, int element, long long stride,
                                                      real *g) {
#pragma unroll
  for (int k = 0; k < 9; ++k) g[k] = gradients[k * stride + element];
}

// F = sum of (x_s - x_0) g_s^T
static __device__ __forceinline__ void strain_of(const real *__restrict__ x, int4 corners, const real *g, real *F) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const real origin = x[3 * corners.x + i];
    const real a = x[3 * corners.y + i] - origin, b = x[3 * corners.z + i] - origin, c = x[3 * corners.w + i] - origin;
#pragma unroll
    for (int j = 0; j < 3; ++j) F[3 * i + j] = a * g[j] + b * g[3 + j] + c * g[6 + j];
  }
}

// The cofactor matrix, dJ/dF.
static __device__ __forceinline__ void cofactors(const real *F, real *C) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      C[3 * i + j] = F[3 * a + c] * F[3 * b + d] - F[3 * a + d] * F[3 * b + c];
    }
}

// How the cofactors of F change along D.
static __device__ __forceinline__ void cofactor_changes(const real *F, const real *D, real *dC) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      dC[3 * i + j] = D[3 * a + c] * F[3 * b + d] + F[3 * a + c] * D[3 * b + d] - D[3 * a + d] * F[3 * b + c] -
                      F[3 * a + d] * D[3 * b + c];
    }
}

static __device__ __forceinline__ real inner(const real *A, const real *B) {
  real sum = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) sum += A[k] * B[k];
  return sum;
}

// Forces of the corners from the stress: V P g_s, and of corner 0 minus their sum.
static __device__ __forceinline__ void write_forces(const real *P, const real *g, real volume, real *__restrict__ forces,
                                                    int element, long long stride) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    real sum = 0;
#pragma unroll
    for (int s = 0; s < 3; ++s) {
      const real f = volume * (P[3 * i] * g[3 * s] + P[3 * i + 1] * g[3 * s + 1] + P[3 * i + 2] * g[3 * s + 2]);
      forces[(3 * s + 3 + i) * stride + element] = f;
      sum -= f;
    }
    forces[i * stride + element] = sum;
  }
}

// Both energies are mu/2 |F|^2 + f(J): their stress is mu F + f'(J) C.
struct Slopes {
  real first, second;  // f', f''
};
typedef Slopes (*Energy)(real J, real mu, real lambda);
static __device__ __forceinline__ Slopes neo_hookean(real J, real mu, real lambda) {
  const real inverse = 1 / J, slope = lambda * LOG(J) - mu;
  return {slope * inverse, (lambda - slope) * inverse * inverse};
}
static __device__ __forceinline__ Slopes stable_neo_hookean(real J, real mu, real lambda) {
  return {lambda * (J - 1) - mu, lambda};
}

template <Energy energy>
static __device__ __forceinline__ void forces_of(const real *__restrict__ x, const real *__restrict__ gradients,
                                                 const real *__restrict__ volume, real mu, real lambda,
                                                 real *__restrict__ forces, const int4 *__restrict__ nodes,
                                                 int elements, long long stride) {
  const int element = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (element >= elements) return;
  real g[9], F[9], C[9];
  read_gradients(gradients, element, stride, g);
  strain_of(x, nodes[element], g, F);
  cofactors(F, C);
  const real slope = energy(F[0] * C[0] + F[1] * C[1] + F[2] * C[2], mu, lambda).first;
#pragma unroll
  for (int k = 0; k < 9; ++k) F[k] = mu * F[k] + slope * C[k];
  write_forces(F, g, volume[element], forces, element, stride);
}

// The change of the stress is mu D + f' dC + f'' (C : D) C.
template <Energy energy>
static __device__ __forceinline__ void hessian_vector_of(const real *__restrict__ x, const real *__restrict__ direction,
                                                         const real *__restrict__ gradients,
                                                         const real *__restrict__ volume, real mu, real lambda,
                                                         real *__restrict__ forces, const int4 *__restrict__ nodes,
                                                         int elements, long long stride) {
  const int element = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (element >= elements) return;
  real g[9], F[9], D[9], C[9], P[9];
  const int4 corners = nodes[element];
  read_gradients(gradients, element, stride, g);
  strain_of(x, corners, g, F);
  strain_of(direction, corners, g, D);
  cofactors(F, C);
  const Slopes slopes = energy(F[0] * C[0] + F[1] * C[1] + F[2] * C[2], mu, lambda);
  const real of_change = slopes.second * inner(C, D);
  cofactor_changes(F, D, P);
#pragma unroll
  for (int k = 0; k < 9; ++k) P[k] = mu * D[k] + slopes.first * P[k] + of_change * C[k];
  write_forces(P, g, volume[element], forces, element, stride);
}

extern "C" __global__ void __launch_bounds__(128) hand_written_neo_hookean_forces(
    const real *__restrict__ x, const real *__restrict__ gradients,
    const real *__restrict__ volume, real mu, real lambda, real *__restrict__ forces, const int4 *__restrict__ nodes,
    int elements, long long stride) {
  forces_of<neo_hookean>(x, gradients, volume, mu, lambda, forces, nodes, elements, stride);
}
extern "C" __global__ void __launch_bounds__(128) hand_written_neo_hookean_hessian_vector(
    const real *__restrict__ x, const real *__restrict__ direction, const real *__restrict__ gradients,
    const real *__restrict__ volume, real mu, real lambda, real *__restrict__ forces, const int4 *__restrict__ nodes,
    int elements, long long stride) {
  hessian_vector_of<neo_hookean>(x, direction, gradients, volume, mu, lambda, forces, nodes, elements, stride);
}
extern "C" __global__ void __launch_bounds__(128) hand_written_stable_neo_hookean_forces(
    const real *__restrict__ x, const real *__restrict__ gradients,
    const real *__restrict__ volume, real mu, real lambda, real *__restrict__ forces, const int4 *__restrict__ nodes,
    int elements, long long stride) {
  forces_of<stable_neo_hookean>(x, gradients, volume, mu, lambda, forces, nodes, elements, stride);
}
extern "C" __global__ void __launch_bounds__(128) hand_written_stable_neo_hookean_hessian_vector(
    const real *__restrict__ x, const real *__restrict__ direction, const real *__restrict__ gradients,
    const real *__restrict__ volume, real mu, real lambda, real *__restrict__ forces, const int4 *__restrict__ nodes,
    int elements, long long stride) {
  hessian_vector_of<stable_neo_hookean>(x, direction, gradients, volume, mu, lambda, forces, nodes, elements, stride);
}

// The rotation of F = R S by six of Newton's steps R <- (R + R^-T)/2, enough for stretches between 0.4 and 2.5.
extern "C" __global__ void __launch_bounds__(128)
    hand_written_polar(const real *__restrict__ x, const real *__restrict__ gradients, real *__restrict__ rotation,
                       const int4 *__restrict__ nodes, int elements, long long stride) {
  const int element = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (element >= elements) return;
  real g[9], R[9], C[9];
  read_gradients(gradients, element, stride, g);
  strain_of(x, nodes[element], g, R);
#pragma unroll 1
  for (int step = 0; step < 6; ++step) {
    cofactors(R, C);
    const real half = (real)0.5 / (R[0] * C[0] + R[1] * C[1] + R[2] * C[2]);
#pragma unroll
    for (int k = 0; k < 9; ++k) R[k] = (real)0.5 * R[k] + half * C[k];
  }
#pragma unroll
  for (int k = 0; k < 9; ++k) rotation[k * stride + element] = R[k];
}

// Element vectors to nodes: four lanes a node, each every fourth of its pairs 4 element + corner.
extern "C" __global__ void __launch_bounds__(128)
    hand_written_gather(const real *__restrict__ forces, const int *__restrict__ first, const int *__restrict__ pairs,
                        real *__restrict__ sums, int nodes, long long stride) {
  const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), node = thread >> 2, lane = thread & 3;
  real a = 0, b = 0, c = 0;
  if (node < nodes)
    for (int k = first[node] + lane; k < first[node + 1]; k += 4) {
      const int pair = pairs[k];
      const real *at = forces + 3 * (pair & 3) * stride + (pair >> 2);
      a += at[0];
      b += at[stride];
      c += at[2 * stride];
    }
  for (int far = 1; far < 4; far *= 2) {
    a += __shfl_xor_sync(0xffffffffu, a, far);
    b += __shfl_xor_sync(0xffffffffu, b, far);
    c += __shfl_xor_sync(0xffffffffu, c, far);
  }
  if (node < nodes && lane == 0) {
    sums[3 * node] = a;
    sums[3 * node + 1] = b;
    sums[3 * node + 2] = c;
  }
}

// What reading and writing alone takes: `elements` pairs of doubles.
extern "C" __global__ void __launch_bounds__(128)
    copy_pairs(const double2 *__restrict__ from, double2 *__restrict__ to, int elements, long long) {
  const int element = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (element < elements) to[element] = from[element];
}
