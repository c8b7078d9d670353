// What kernels of products with H in single precision read, made of doubles.

extern "C" __global__ void __launch_bounds__(256) narrow(float* to, const double* from, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = (float)from[i];
}

// Positions, three a node, seen from another node: origin[k] is that of node k. Differences of positions are all that
// elements look at, and far from zero few of their digits would be left.
extern "C" __global__ void __launch_bounds__(256)
    narrow_positions(float* to, const double* x, const int* origin, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = (float)(x[i] - x[3 * origin[i / 3] + i % 3]);
}
