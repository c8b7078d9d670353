// Products with H in single precision: what their kernels read, made of doubles, and their results, gathered to nodes.

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

// As gather.cu, of element vectors in single precision.
extern "C" __global__ void __launch_bounds__(128)
    gather_single(double* y, const float* __restrict__ forces, long long stride, const int* __restrict__ first,
                  const long long* __restrict__ offset, const int* __restrict__ nodes, int count) {
  const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), i = thread / 4, lane = thread % 4;
  double total[3] = {0, 0, 0};
  if (i < count)
    for (int k = first[i] + lane; k < first[i + 1]; k += 4)
      for (int axis = 0; axis < 3; ++axis) total[axis] += (double)forces[offset[k] + axis * stride];
  for (int axis = 0; axis < 3; ++axis) {  // all lanes of a warp take part, those past the last node with zeros
    total[axis] += __shfl_down_sync(0xffffffffu, total[axis], 2, 4);
    total[axis] += __shfl_down_sync(0xffffffffu, total[axis], 1, 4);
  }
  if (i < count && lane == 0)
    for (int axis = 0; axis < 3; ++axis) y[3 * nodes[i] + axis] += total[axis];
}
