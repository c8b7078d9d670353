// Element vectors to nodes: y[node] += the sum over the node's (element, corner) pairs, in a fixed order, so that a
// result is the same from run to run, as it would not be with atomic additions. Four lanes a node, each with every
// fourth of its pairs; writing element vectors and gathering them is faster than atomics, too
// (docs/rooms/cuda.md).
//   forces     [3 corner + axis][element] with `stride`
//   first      of each node's pairs, and the end; offset: of the x component of a pair in `forces`
//   nodes      numbers of the nodes, `count` of them

#ifndef FORCE  // what element vectors are in
#define FORCE double
#endif

extern "C" __global__ void __launch_bounds__(128)
    gather(double* y, const FORCE* __restrict__ forces, long long stride, const int* __restrict__ first,
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
