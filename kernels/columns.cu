// Products with sparse columns of L^-1 (runtime/factor/cuda_delassus.hpp), for vectors y by pivots, 3 numbers each, and
// 3 numbers a column. Sums are in a fixed order.

// Consecutive pivots of a column.
struct Run {
  int begin, size;
};

struct Column {
  const double* end;  // of its values, one a pivot, run after run
  int first, runs;    // which are its runs
};

// Up to 32 pivots that follow one another, of one supernode.
struct Piece {
  int begin, end;
  int first, users;  // the columns that have values there
  int after;         // values that each of these has after its value at pivot end - 1
};

struct User {
  int column, from;  // its first pivot in this supernode
};

// out_k = c_k . y, a block for each column.
extern "C" __global__ void __launch_bounds__(128)
    gather_columns(double* out, const Column* columns, const Run* runs, const double* y) {
  __shared__ double sums[3][128];
  const Column column = columns[blockIdx.x];
  int left = 0;  // values from the present run to the end
  for (int r = 0; r < column.runs; ++r) left += runs[column.first + r].size;
  double total[3] = {0, 0, 0};
  for (int r = 0; r < column.runs; ++r) {
    const Run run = runs[column.first + r];
    const double* values = column.end - left;
    for (int i = (int)threadIdx.x; i < run.size; i += 128)
      for (int axis = 0; axis < 3; ++axis) total[axis] += values[i] * y[3 * (run.begin + i) + axis];
    left -= run.size;
  }
  for (int axis = 0; axis < 3; ++axis) sums[axis][threadIdx.x] = total[axis];
  for (unsigned half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      for (int axis = 0; axis < 3; ++axis) sums[axis][threadIdx.x] += sums[axis][threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    for (int axis = 0; axis < 3; ++axis) out[3 * blockIdx.x + axis] = sums[axis][0];
}

// y += the sum of c_k l_k, a block for each piece; a thread has a pivot and every eighth of its columns.
extern "C" __global__ void __launch_bounds__(256)
    scatter_columns(double* y, const Piece* pieces, const User* users, const Column* columns, const double* l) {
  __shared__ double sums[8][32][3];
  const Piece piece = pieces[blockIdx.x];
  const int share = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, pivot = piece.begin + lane;
  double total[3] = {0, 0, 0};
  for (int k = share; k < piece.users; k += 8) {
    const User user = users[piece.first + k];
    if (pivot >= piece.end || pivot < user.from) continue;
    const double value = columns[user.column].end[pivot - piece.end - piece.after];
    for (int axis = 0; axis < 3; ++axis) total[axis] += value * l[3 * user.column + axis];
  }
  for (int axis = 0; axis < 3; ++axis) sums[share][lane][axis] = total[axis];
  __syncthreads();
  if (share != 0 || pivot >= piece.end) return;
  for (int axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += sums[k][lane][axis];
    y[3 * pivot + axis] += sum;
  }
}

// out_i = the sum of weights times `in`, 3 numbers each: a sparse matrix of scalars by rows.
extern "C" __global__ void __launch_bounds__(256)
    weigh(double* out, const int* first, const int* from, const double* weights, const double* in, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  double sum = 0;
  for (int k = first[i / 3]; k < first[i / 3 + 1]; ++k) sum += weights[k] * in[3 * from[k] + i % 3];
  out[i] = sum;
}
