// The preconditioner M of the Hessian (runtime/solve/deflation) but for its A^-1: smoothing with the Hessian K at rest,
// turned with the body, and K's slow modes. matrix3.hpp goes before this text. Vectors have three numbers a row of K,
// which is a free node, `count` rows.
//   rotations  of each row's neighbourhood since rest, 9 numbers a row; inverse: D^-1, likewise, D the diagonal of K
//   nodes      number of each row's node
using namespace proxima::kernels;

// Blocks of 3 x 3 as solve::BlockMatrix has them: rows in tiles of 8. `first`: the groups of 8 blocks at which each
// tile begins, and their end; column [group][row of the tile]; entries [group][entry of the block][row of the tile].
struct Matrix {
  const long long* first;
  const int* column;
  const float* entries;
  int rows;
};

// b - K x at one row: a warp has a tile, four lanes a row, each every fourth of its blocks. All lanes of a warp have to
// take part. Returns whether this lane has the result.
static __device__ bool residual_at(const Matrix& k, const double* b, const double* x, int* row, double* result) {
  const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), tile = thread / 32, lane = thread % 32;
  *row = 8 * tile + lane % 8;
  double sum[3] = {0, 0, 0};
  if (8 * tile < k.rows)
    for (long long group = k.first[tile] + lane / 8; group < k.first[tile + 1]; group += 4) {
      const double* at = x + 3 * k.column[8 * group + lane % 8];
      const float* entry = k.entries + 72 * group + lane % 8;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum[i] += (double)entry[8 * (3 * i + j)] * at[j];
    }
  for (int i = 0; i < 3; ++i) {
    sum[i] += __shfl_down_sync(0xffffffffu, sum[i], 16, 32);
    sum[i] += __shfl_down_sync(0xffffffffu, sum[i], 8, 32);
  }
  if (lane >= 8 || *row >= k.rows) return false;
  for (int i = 0; i < 3; ++i) result[i] = b[3 * *row + i] - sum[i];
  return true;
}

// result <- b - K x; where there are rotations, turned into the axes of space.
extern "C" __global__ void __launch_bounds__(128)
    residual(double* result, Matrix k, const double* rotations, const double* b, const double* x) {
  int row;
  double own[3];
  if (!residual_at(k, b, x, &row, own)) return;
  if (rotations != nullptr) multiply(rotations + 9 * row, own, own);
  for (int i = 0; i < 3; ++i) result[3 * row + i] = own[i];
}

// The first of two Chebyshev steps from zero: z <- scale D^-1 r.
extern "C" __global__ void __launch_bounds__(256)
    begin_smoothing(double* z, const double* inverse, const double* r, double scale, int count) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= count) return;
  double own[3];
  multiply(inverse + 9 * row, r + 3 * row, own);
  for (int i = 0; i < 3; ++i) z[3 * row + i] = scale * own[i];
}

// The second: z <- base + own before + update D^-1 (r - K before); base: null for nothing, or z.
extern "C" __global__ void __launch_bounds__(128)
    end_smoothing(double* z, const double* base, Matrix k, const double* inverse, const double* r, const double* before,
                  double own, double update) {
  int row;
  double step[3];
  if (!residual_at(k, r, before, &row, step)) return;
  multiply(inverse + 9 * row, step, step);
  for (int i = 0; i < 3; ++i)
    z[3 * row + i] = (base == nullptr ? 0 : base[3 * row + i]) + own * before[3 * row + i] + update * step[i];
}

// of_rows <- R^T of_nodes, into the frames.
extern "C" __global__ void __launch_bounds__(256)
    enter(double* of_rows, const double* rotations, const double* of_nodes, const int* nodes, int count) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < count) multiply_transposed(rotations + 9 * row, of_nodes + 3 * nodes[row], of_rows + 3 * row);
}

// z += scale R^T outside
extern "C" __global__ void __launch_bounds__(256)
    add_entered(double* z, const double* rotations, const double* outside, double scale, int count) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= count) return;
  double own[3];
  multiply_transposed(rotations + 9 * row, outside + 3 * row, own);
  for (int i = 0; i < 3; ++i) z[3 * row + i] += scale * own[i];
}

// Adds the slow modes and leaves the frames: of_nodes <- R (z + Z diag(1 / values) products). vectors: [mode][number].
extern "C" __global__ void __launch_bounds__(256)
    leave(double* of_nodes, const double* rotations, const double* z, const float* vectors, const double* products,
          const double* values, int modes, const int* nodes, int count) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= count) return;
  double own[3] = {z[3 * row], z[3 * row + 1], z[3 * row + 2]};
  for (int mode = 0; mode < modes; ++mode) {
    const double coefficient = products[mode] / values[mode];
    const float* vector = vectors + 3 * ((long long)mode * count + row);
    for (int i = 0; i < 3; ++i) own[i] += coefficient * (double)vector[i];
  }
  multiply(rotations + 9 * row, own, of_nodes + 3 * nodes[row]);
}

// Rotations at positions x, of all nodes; `first`: of each row's edges, and their end.
extern "C" __global__ void __launch_bounds__(128) turn(double* rotations, const double* x, const int* nodes,
                                                       const long long* first, const WeighedEdge* edges, int count) {
  const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= count) return;
  double s[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (long long k = first[row]; k < first[row + 1]; ++k)
    add_edge(s, x + 3 * nodes[row], x + 3 * edges[k].node, edges[k].weight);
  add_cofactors(s);
  if (is_regular(s))
    for (int k = 0; k < polar_steps; ++k) polar_step(s);
  else
    rotation_by_quaternion(s);
  for (int k = 0; k < 9; ++k) rotations[9 * row + k] = s[k];
}
