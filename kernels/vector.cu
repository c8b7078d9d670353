// Vectors of doubles: what solvers do with them. One thread an entry; `count`: entries. Vectors do not overlap unless
// they are the same.

extern "C" __global__ void __launch_bounds__(256) add_scaled(double* y, double scale, const double* x, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] += scale * x[i];
}

// y = x + scale y
extern "C" __global__ void __launch_bounds__(256) scale_and_add(double* y, double scale, const double* x, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = x[i] + scale * y[i];
}

// y += (sums[0] - sums[1]) x
extern "C" __global__ void __launch_bounds__(256)
    add_by_difference(double* y, const double* sums, const double* x, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] += (sums[0] - sums[1]) * x[i];
}

// y = a + scale b
extern "C" __global__ void __launch_bounds__(256)
    combine(double* y, const double* a, double scale, const double* b, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = a[i] + scale * b[i];
}

extern "C" __global__ void __launch_bounds__(256) scale(double* y, double factor, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] *= factor;
}

// Three values a node and one weight a node: y = weight x.
extern "C" __global__ void __launch_bounds__(256)
    weigh_nodes(double* y, const double* weight, const double* x, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = weight[i / 3] * x[i];
}

// The part of a step's gradient that is not the elements': y = inertia (x - start) - force.
extern "C" __global__ void __launch_bounds__(256)
    imbalance(double* y, const double* inertia, const double* x, const double* start, const double* force, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = inertia[i / 3] * (x[i] - start[i]) - force[i];
}

// Rows of a matrix are some of the nodes: rows[r] is a node's number. Three values each.
extern "C" __global__ void __launch_bounds__(256)
    nodes_to_rows(double* of_rows, const double* of_nodes, const int* rows, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) of_rows[i] = of_nodes[3 * rows[i / 3] + i % 3];
}

extern "C" __global__ void __launch_bounds__(256)
    rows_to_nodes(double* of_nodes, const double* of_rows, const int* rows, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) of_nodes[3 * rows[i / 3] + i % 3] = of_rows[i];
}
