// Products of one vector with many, and sums of many, whose places in memory a table has: what GMRES, L-BFGS and
// Anderson's mixing do with the vectors that they keep. Sums are in a fixed order, as in sum.cu. `count`: entries of a vector.

constexpr int at_once = 4;

// Of all threads, several sums at once; of the first thread alone.
static __device__ void sum_of_block(double* values, int size) {
  __shared__ double sums[at_once][256];
  for (int j = 0; j < size; ++j) sums[j][threadIdx.x] = values[j];
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      for (int j = 0; j < size; ++j) sums[j][threadIdx.x] += sums[j][threadIdx.x + half];
  }
  for (int j = 0; j < size; ++j) values[j] = sums[j][0];
}

// Of `size` vectors, a block for each four of them and each chunk of 4096 entries, of which x is read once for the four;
// `chunks` partial sums a vector.
extern "C" __global__ void __launch_bounds__(256)
    dot_vectors(double* partial, const double* const* vectors, const double* x, int size, int chunks, int count) {
  const int first = (int)blockIdx.x / chunks * at_once, chunk = (int)blockIdx.x % chunks;
  const int begin = chunk * 4096, end = count - begin < 4096 ? count : begin + 4096;
  const double* v[at_once];
  for (int j = 0; j < at_once; ++j) v[j] = vectors[first + j < size ? first + j : first];
  double totals[at_once] = {0, 0, 0, 0};
  for (int i = begin + (int)threadIdx.x; i < end; i += 256)
    for (int j = 0; j < at_once; ++j) totals[j] += v[j][i] * x[i];
  sum_of_block(totals, at_once);
  if (threadIdx.x == 0)
    for (int j = 0; j < at_once && first + j < size; ++j) partial[(first + j) * chunks + chunk] = totals[j];
}

extern "C" __global__ void __launch_bounds__(256) finish_dots(double* dots, const double* partial, int chunks) {
  const double* own = partial + (long long)blockIdx.x * chunks;
  double total = 0;
  for (int i = (int)threadIdx.x; i < chunks; i += 256) total += own[i];
  sum_of_block(&total, 1);
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

// One more vector: vector = last = x / length, or x / sqrt(square[0]) where there is a square. Its address goes to the
// table.
extern "C" __global__ void __launch_bounds__(256)
    keep_divided(double* vector, double* last, double** table, int place, const double* x, double length,
                 const double* square, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == 0) table[place] = vector;
  if (i >= count) return;
  const double factor = 1 / (square ? sqrt(square[0]) : length);
  vector[i] = last[i] = x[i] * factor;
}

// The two loops of L-BFGS over its pairs of a step s and a change y of the gradient, without the vectors: of the
// products of all steps with the gradient, or of all changes with A^-1 of what was left of it, what the loops find by
// one vector after the other is the solution of a triangular system of the products s.y. Pairs are newest first;
// products[k] of a pair has its own s.y and those of its y with the s of older pairs, one after the other. One block.

// dots: of the steps with the gradient; each becomes the share of its pair.
extern "C" __global__ void __launch_bounds__(32)
    take_shares(double* dots, const double* const* products, int size) {
  for (int k = 0; k < size; ++k) {
    const double share = dots[k] / products[k][0];
    __syncthreads();
    if (threadIdx.x == 0) dots[k] = share;
    for (int older = k + 1 + (int)threadIdx.x; older < size; older += 32)
      dots[older] -= share * products[k][older - k];
    __syncthreads();
  }
}

// dots: of the changes with A^-1 of what was left; each becomes the factor of its pair's step in the result.
extern "C" __global__ void __launch_bounds__(32)
    give_shares(double* dots, const double* shares, const double* const* products, int size) {
  for (int k = size - 1; k >= 0; --k) {
    const double factor = shares[k] - dots[k] / products[k][0];
    __syncthreads();
    if (threadIdx.x == 0) dots[k] = factor;
    for (int newer = (int)threadIdx.x; newer < k; newer += 32) dots[newer] += factor * products[newer][k - newer];
    __syncthreads();
  }
}
