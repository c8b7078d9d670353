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
