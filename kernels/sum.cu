// Sums in a fixed order, the same from run to run: each block of 256 threads adds a chunk of 4096 terms to one partial
// sum, always in the same tree; `finish` adds the partial sums, in one block, likewise. `count`: entries.

static __device__ double sum_of_block(double value) {
  __shared__ double sums[256];
  sums[threadIdx.x] = value;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return sums[0];  // of the first thread alone
}

static __device__ int chunk_begin() { return (int)(blockIdx.x * 4096 + threadIdx.x); }
static __device__ int chunk_end(int count) {
  const long long end = (long long)(blockIdx.x + 1) * 4096;
  return end < count ? (int)end : count;
}

static __device__ void write_sum(double* partial, double value) {
  const double total = sum_of_block(value);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(256) dot(double* partial, const double* a, const double* b, int count) {
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) total += a[i] * b[i];
  write_sum(partial, total);
}

extern "C" __global__ void __launch_bounds__(256) sum(double* partial, const double* a, int count) {
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) total += a[i];
  write_sum(partial, total);
}

// Of a - b, term by term, so that small differences keep their digits.
extern "C" __global__ void __launch_bounds__(256)
    sum_of_differences(double* partial, const double* a, const double* b, int count) {
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) total += a[i] - b[i];
  write_sum(partial, total);
}

// Of (weight x)^2: three values a node, one weight a node.
extern "C" __global__ void __launch_bounds__(256)
    sum_of_weighed_squares(double* partial, const double* weight, const double* x, int count) {
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) {
    const double term = weight[i / 3] * x[i];
    total += term * term;
  }
  write_sum(partial, total);
}

// What inertia and given forces add to a step's potential between x0 and x1.
extern "C" __global__ void __launch_bounds__(256)
    potential_difference(double* partial, const double* inertia, const double* start, const double* force,
                         const double* x0, const double* x1, int count) {
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) {
    const double middle = ((x1[i] - start[i]) + (x0[i] - start[i])) / 2;
    total += (inertia[i / 3] * middle - force[i]) * (x1[i] - x0[i]);
  }
  write_sum(partial, total);
}

// Of some rows of `count` terms each, `stride` numbers from one row to the next, `chunks` partial sums a row.
extern "C" __global__ void __launch_bounds__(256)
    sum_rows(double* partial, const double* rows, long long stride, int chunks, int count) {
  const double* row = rows + stride * (blockIdx.x / chunks);
  const int begin = (int)(blockIdx.x % chunks) * 4096, end = count - begin < 4096 ? count : begin + 4096;
  double total = 0;
  for (int i = begin + (int)threadIdx.x; i < end; i += 256) total += row[i];
  write_sum(partial, total);
}

// Of the products of some rows, of `count` numbers each, one behind the other, with x; `chunks` partial sums a row.
extern "C" __global__ void __launch_bounds__(256)
    dot_rows(double* partial, const float* rows, const double* x, int chunks, int count) {
  const float* row = rows + (long long)count * (blockIdx.x / chunks);
  const int begin = (int)(blockIdx.x % chunks) * 4096, end = count - begin < 4096 ? count : begin + 4096;
  double total = 0;
  for (int i = begin + (int)threadIdx.x; i < end; i += 256) total += (double)row[i] * x[i];
  write_sum(partial, total);
}

// Of `count` partial sums, by one block; of the first thread alone.
static __device__ double total_of(const double* partial, int count) {
  double total = 0;
  for (int i = (int)threadIdx.x; i < count; i += 256) total += partial[i];
  return sum_of_block(total);
}

// One block a sum, of `count` partial sums each.
extern "C" __global__ void __launch_bounds__(256) finish(double* results, const double* partial, int count) {
  const double total = total_of(partial + (long long)blockIdx.x * count, count);
  if (threadIdx.x == 0) results[blockIdx.x] = total;
}

// What decides about a step of a minimiser from x0 to x1, along a direction, with the gradients at both ends: nine sums.
constexpr int step_sums_count = 9;

// Of all threads, all of them at once; of the first thread alone.
static __device__ void sums_of_block(double* values) {
  __shared__ double sums[step_sums_count][256];
  for (int k = 0; k < step_sums_count; ++k) sums[k][threadIdx.x] = values[k];
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      for (int k = 0; k < step_sums_count; ++k) sums[k][threadIdx.x] += sums[k][threadIdx.x + half];
  }
  for (int k = 0; k < step_sums_count; ++k) values[k] = sums[k][0];
}

// `chunks` partial sums each. The first is that of potential_difference; `more` partial sums, those of elements, belong
// to it, too, and lie behind its own, before those of the second. Products with `measure` are asked for apart: it may be
// another direction.
extern "C" __global__ void __launch_bounds__(256)
    step_sums(double* partial, int chunks, int more, const double* x0, const double* x1, const double* gradient0,
              const double* gradient1, const double* direction, const double* measure, const double* inertia,
              const double* start, const double* force, const double* diagonal, int count) {
  double totals[step_sums_count] = {};
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) {
    const double step = x1[i] - x0[i], change = gradient1[i] - gradient0[i], along = direction[i];
    const double middle = ((x1[i] - start[i]) + (x0[i] - start[i])) / 2, weighed = diagonal[i / 3] * x0[i];
    const double terms[step_sums_count] = {(inertia[i / 3] * middle - force[i]) * step,
                                           gradient0[i] * measure[i],
                                           gradient0[i] * along,
                                           gradient1[i] * along,
                                           gradient1[i] * gradient1[i],
                                           weighed * weighed,
                                           step * change,
                                           step * step,
                                           change * change};
    for (int k = 0; k < step_sums_count; ++k) totals[k] += terms[k];
  }
  sums_of_block(totals);
  if (threadIdx.x != 0) return;
  for (int k = 0; k < step_sums_count; ++k)
    partial[(k == 0 ? 0 : more) + k * chunks + (int)blockIdx.x] = totals[k];
}

// One block a sum, each of `chunks` partial sums, the first of so many more.
extern "C" __global__ void __launch_bounds__(256)
    finish_step(double* results, const double* partial, int chunks, int more) {
  const int k = (int)blockIdx.x;
  const double total = total_of(partial + (k == 0 ? 0 : more) + k * chunks, chunks + (k == 0 ? more : 0));
  if (threadIdx.x == 0) results[k] = total;
}
