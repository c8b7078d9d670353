// Products with a sparse matrix of 3 x 3 blocks, row-major, that has few rows: `rows` says which of y they are, `columns`
// which vectors of three numbers of x. What contacts add to H.

// y += scale M x; `count`: numbers, three a row.
extern "C" __global__ void __launch_bounds__(256)
    add_block_product(double* y, double scale, const int* rows, const int* first, const int* columns,
                      const double* blocks, const double* x, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const int row = i / 3, axis = i % 3;
  double sum = 0;
  for (int k = first[row]; k < first[row + 1]; ++k)
    for (int j = 0; j < 3; ++j) sum += blocks[9 * k + 3 * axis + j] * x[3 * columns[k] + j];
  y[3 * rows[row] + axis] += scale * sum;
}
