// Strains that are linear in positions, F = sum_s (x_s - x_0) (x) g_s over the corners s = 1 on of an element, and the
// forces of stresses by them: what proximal local steps need besides the material. One thread an element.
//   nodes      [corner][element]; gradients [(s - 1) dimension + j][element], null for edges: g is 1
//   strain     [dimension i + j][element]: along axis i, by the rest coordinate j
//   all with `stride` numbers from one row to the next

static __device__ double gradient(const double* gradients, int row, int e, long long stride) {
  return gradients == nullptr ? 1 : gradients[row * stride + e];
}

extern "C" __global__ void __launch_bounds__(128)
    strain_at(double* strain, const double* __restrict__ x, const double* __restrict__ gradients,
              const int* __restrict__ nodes, int corners, int dimension, int elements, long long stride) {
  const int e = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  const double* origin = x + 3 * nodes[e];
  for (int k = 0; k < 3 * dimension; ++k) {
    double total = 0;
    for (int s = 1; s < corners; ++s)
      total += (x[3 * nodes[s * stride + e] + k / dimension] - origin[k / dimension]) *
               gradient(gradients, (s - 1) * dimension + k % dimension, e, stride);
    strain[k * stride + e] = total;
  }
}

// forces [3 corner + axis][element] = weight volume G^T strain; volume: null for edges, 1.
extern "C" __global__ void __launch_bounds__(128)
    strain_forces(double* forces, const double* __restrict__ strain, const double* __restrict__ weight,
                  const double* __restrict__ volume, const double* __restrict__ gradients, int corners, int dimension,
                  int elements, long long stride) {
  const int e = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  const double scale = weight[e] * (volume == nullptr ? 1 : volume[e]);
  for (int i = 0; i < 3; ++i) {
    double others = 0;
#pragma unroll 1  // unrolled, it spills
    for (int s = 1; s < corners; ++s) {
      double force = 0;
      for (int j = 0; j < dimension; ++j)
        force += scale * gradient(gradients, (s - 1) * dimension + j, e, stride) *
                 strain[(dimension * i + j) * stride + e];
      forces[(3 * s + i) * stride + e] = force;
      others += force;
    }
    forces[i * stride + e] = -others;
  }
}

// Of what depends on the rest positions through F(x) alone, by them: by_rest [3 corner + j][element] = -F^T of what
// comes by positions, corner by corner, since dX_a changes F by -F dX_a g_a^T. F of a solid, as strain_at leaves it.
extern "C" __global__ void __launch_bounds__(128)
    rest_through_strain(double* by_rest, const double* __restrict__ strain, const double* __restrict__ by_positions,
                        int corners, int elements, long long stride) {
  const int e = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  for (int s = 0; s < corners; ++s)
    for (int j = 0; j < 3; ++j) {
      double total = 0;
      for (int i = 0; i < 3; ++i) total -= strain[(3 * i + j) * stride + e] * by_positions[(3 * s + i) * stride + e];
      by_rest[(3 * s + j) * stride + e] = total;
    }
}

// rows [component][element] /= weight
extern "C" __global__ void __launch_bounds__(128)
    divide_by_weight(double* rows, const double* __restrict__ weight, int components, int elements, long long stride) {
  const int e = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  for (int c = 0; c < components; ++c) rows[c * stride + e] /= weight[e];
}
