// The adjoint of a step, apart from its elements: what mass gathers, and what goes to the state before. Three numbers a
// node; inverse_step: 0 without inertia.

// Of a region's nodes, with its volume there, and a = (x - start - step speed)/step^2 + damping (x - start)/step -
// gravity: five rows of one number a node,
//   volume z . a,   volume z . (x - start)/step,   volume z (three),
// and by_volume -= density z . a.
extern "C" __global__ void __launch_bounds__(256)
    mass_pull_back(double* rows, double* by_volume, const int* nodes, const double* volume, const double* z,
                   const double* x, const double* start, const double* speed, double gx, double gy, double gz,
                   double inverse_step, double density, double damping, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  const long long stride = count;
  double by_mass = 0, by_damping = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int i = 3 * nodes[k] + axis;
    const double gravity = axis == 0 ? gx : axis == 1 ? gy : gz;
    const double velocity = (x[i] - start[i]) * inverse_step;
    by_mass += z[i] * ((velocity - speed[i]) * inverse_step + damping * velocity - gravity);
    by_damping += z[i] * velocity;
    rows[(2 + axis) * stride + k] = volume[k] * z[i];
  }
  rows[k] = volume[k] * by_mass;
  rows[stride + k] = volume[k] * by_damping;
  by_volume[k] -= density * by_mass;
}

// From the derivatives by the state after a step, by_x and by_v, to those by the state before, in place: through
// x* (inertia z - by_v/step, and by_start) and v* (mass/step z), of which `now` goes there, and with what later steps
// have left for it in `earlier`, where `before` of both is left for the state that is one earlier still; null where
// steps are parts of one that starts earlier. One thread an entry.
extern "C" __global__ void __launch_bounds__(256)
    pass_back(double* by_x, double* by_v, double* earlier_x, double* earlier_v, const double* z, const double* by_start,
              const double* inertia, const double* mass, double inverse_step, double now, double before, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const double x = inertia[i / 3] * z[i] - inverse_step * by_v[i] + by_start[i];
  const double v = mass[i / 3] * inverse_step * z[i];
  by_x[i] = now * x;
  by_v[i] = now * v;
  if (earlier_x == nullptr) return;
  by_x[i] += earlier_x[i];
  by_v[i] += earlier_v[i];
  earlier_x[i] = before * x;
  earlier_v[i] = before * v;
}
