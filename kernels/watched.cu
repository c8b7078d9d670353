// What rules of the host have to do with vectors here: some nodes' values, three each, one behind the other. `nodes`:
// their numbers, each once; `count`: values.

extern "C" __global__ void __launch_bounds__(256)
    add_at_nodes(double* of_all, const double* of_some, const int* nodes, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) of_all[3 * nodes[i / 3] + i % 3] += of_some[i];
}
