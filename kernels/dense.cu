// Decomposed dense matrices, column-major with `leading` numbers from one column to the next: what is between contacts.
// Sums are in a fixed order.

// Of the leading columns of a front, W = [C^-1 ; R], zero above the diagonal: out = W in, 3 numbers a row and a column.
// Blocks of 32 rows; a thread has a row and every eighth column.
extern "C" __global__ void __launch_bounds__(256)
    multiply_panel(double* out, const double* w, int leading, int rows, int columns, const double* in) {
  __shared__ double sums[8][32][3];
  const int share = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, row = 32 * (int)blockIdx.x + lane;
  double total[3] = {0, 0, 0};
  const int end = row < columns ? row + 1 : columns;
  if (row < rows)
    for (int c = share; c < end; c += 8) {
      const double entry = w[(long long)c * leading + row];
      for (int axis = 0; axis < 3; ++axis) total[axis] += entry * in[3 * c + axis];
    }
  for (int axis = 0; axis < 3; ++axis) sums[share][lane][axis] = total[axis];
  __syncthreads();
  if (share != 0 || row >= rows) return;
  for (int axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += sums[k][lane][axis];
    out[3 * row + axis] = sum;
  }
}

// out = W^T in, a block for each column.
extern "C" __global__ void __launch_bounds__(128)
    multiply_transposed_panel(double* out, const double* w, int leading, int rows, const double* in) {
  __shared__ double sums[3][128];
  const int column = (int)blockIdx.x;
  const double* entries = w + (long long)column * leading;
  double total[3] = {0, 0, 0};
  for (int row = column + (int)threadIdx.x; row < rows; row += 128)
    for (int axis = 0; axis < 3; ++axis) total[axis] += entries[row] * in[3 * row + axis];
  for (int axis = 0; axis < 3; ++axis) sums[axis][threadIdx.x] = total[axis];
  for (unsigned half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      for (int axis = 0; axis < 3; ++axis) sums[axis][threadIdx.x] += sums[axis][threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    for (int axis = 0; axis < 3; ++axis) out[3 * column + axis] = sums[axis][0];
}

// The unknown i of what slips: its direction . (what its contact is moved by less what sticking ones give it).
struct Slip {
  double direction[3], force[3];
  int contact;  // among those that slip
  int whole;    // among all
};

// `above`: what the panel gives, `sticks` rows of sticking contacts first.
extern "C" __global__ void __launch_bounds__(256)
    slip_sides(double* p, const Slip* slips, const double* u, const double* above, int sticks, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const Slip slip = slips[i];
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += slip.direction[axis] * (u[3 * slip.whole + axis] - above[3 * (sticks + slip.contact) + axis]);
  p[i] = sum;
}

// Forces of what slips, a thread for each such contact, whose unknowns are first[contact] .. first[contact + 1] - 1; and
// less them where the panel's transpose looks for them.
extern "C" __global__ void __launch_bounds__(256)
    slip_forces(double* forces, double* above, const Slip* slips, const int* first, const double* p, int sticks,
                int count) {
  const int contact = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (contact >= count) return;
  double sum[3] = {0, 0, 0};
  for (int i = first[contact]; i < first[contact + 1]; ++i)
    for (int axis = 0; axis < 3; ++axis) sum[axis] += p[i] * slips[i].force[axis];
  const int whole = slips[first[contact]].whole;
  for (int axis = 0; axis < 3; ++axis) {
    forces[3 * whole + axis] = sum[axis];
    above[3 * (sticks + contact) + axis] = -sum[axis];
  }
}

// x <- U^-1 L^-1 P x by one block, 32 rows at a time. `lower`, `upper`: the inverses of the triangles of the diagonal's
// blocks, 32 x 32 each, column-major. `order`: which entry of x comes where. `y`: as long as x.
extern "C" __global__ void __launch_bounds__(256)
    solve_lu(double* x, double* y, const double* lu, const double* lower, const double* upper, const int* order,
             int size, int leading) {
  __shared__ double given[32], found[32], sums[8][32];
  const int thread = (int)threadIdx.x, share = thread / 32, lane = thread % 32;
  for (int i = thread; i < size; i += 256) y[i] = x[order[i]];
  const int blocks = (size + 31) / 32;
  for (int sweep = 0; sweep < 2; ++sweep)
    for (int k = 0; k < blocks; ++k) {
      const int b = sweep == 0 ? k : blocks - 1 - k, begin = 32 * b, width = size - begin < 32 ? size - begin : 32;
      __syncthreads();
      if (thread < 32) given[thread] = thread < width ? y[begin + thread] : 0;
      __syncthreads();
      const double* inverse = (sweep == 0 ? lower : upper) + 1024 * (long long)b;
      double total = 0;
      for (int c = share; c < 32; c += 8) total += inverse[32 * c + lane] * given[c];
      sums[share][lane] = total;
      __syncthreads();
      if (thread < 32) {
        double sum = 0;
        for (int s = 0; s < 8; ++s) sum += sums[s][thread];
        found[thread] = sum;
        if (thread < width) y[begin + thread] = sum;
      }
      __syncthreads();
      const int from = sweep == 0 ? begin + width : 0, to = sweep == 0 ? size : begin;
      for (int i = from + thread; i < to; i += 256) {
        double sum = 0;
        for (int c = 0; c < width; ++c) sum += lu[(long long)(begin + c) * leading + i] * found[c];
        y[i] -= sum;
      }
    }
  __syncthreads();
  for (int i = thread; i < size; i += 256) x[i] = y[i];
}
