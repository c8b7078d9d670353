// Products of one vector with many, and sums of many, whose places in memory a table has: what GMRES does with the
// vectors that it keeps. Sums are in a fixed order, as in sum.cu. `count`: entries of a vector.

static __device__ double sum_of_block(double value) {
  __shared__ double sums[256];
  sums[threadIdx.x] = value;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return sums[0];  // of the first thread alone
}

// `chunks` partial sums a vector, of 4096 entries each.
extern "C" __global__ void __launch_bounds__(256)
    dot_vectors(double* partial, const double* const* vectors, const double* x, int chunks, int count) {
  const double* v = vectors[blockIdx.x / chunks];
  const int begin = (int)(blockIdx.x % chunks) * 4096, end = count - begin < 4096 ? count : begin + 4096;
  double total = 0;
  for (int i = begin + (int)threadIdx.x; i < end; i += 256) total += v[i] * x[i];
  total = sum_of_block(total);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(256) finish_dots(double* dots, const double* partial, int chunks) {
  const double* own = partial + (long long)blockIdx.x * chunks;
  double total = 0;
  for (int i = (int)threadIdx.x; i < chunks; i += 256) total += own[i];
  total = sum_of_block(total);
  if (threadIdx.x == 0) dots[blockIdx.x] = total;
}

// y += scale times the sum of factors times vectors, one after the other.
extern "C" __global__ void __launch_bounds__(256)
    add_vectors(double* y, double scale, const double* factors, const double* const* vectors, int size, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  double total = 0;
  for (int k = 0; k < size; ++k) total += factors[k] * vectors[k][i];
  y[i] += scale * total;
}
