// What a step does besides solving: forces on nodes, nodes that are held and moved, where the body flies to, velocities
// and momenta at its end. Three numbers a node; `count`: of what one thread each works on.

// y of some nodes, given by their numbers, += share x force; share: null for 1.
extern "C" __global__ void __launch_bounds__(256)
    add_force(double* y, const int* nodes, const double* share, double fx, double fy, double fz, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  const double part = share == nullptr ? 1 : share[k];
  double* at = y + 3 * nodes[k];
  at[0] += part * fx;
  at[1] += part * fy;
  at[2] += part * fz;
}

// Weight, and what mass brings along from the step before: y += mass (gravity + velocity / step); inverse_step: 0
// without inertia. One thread an entry.
extern "C" __global__ void __launch_bounds__(256)
    add_body_force(double* y, const double* mass, const double* velocity, double gx, double gy, double gz,
                   double inverse_step, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const int axis = i % 3;
  const double gravity = axis == 0 ? gx : axis == 1 ? gy : gz;
  y[i] += mass[i / 3] * gravity + mass[i / 3] * inverse_step * velocity[i];
}

extern "C" __global__ void __launch_bounds__(256) clear_nodes(double* y, const int* nodes, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < count)
    for (int axis = 0; axis < 3; ++axis) y[3 * nodes[k] + axis] = 0;
}

// Where held nodes that turn about a pivot are to be: pivot + R (rest - pivot) + translation.
struct Pose {
  double pivot[3], rotation[9], translation[3];
};
extern "C" __global__ void __launch_bounds__(256) pose(double* target, const double* rest, Pose pose, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  double arm[3];
  for (int axis = 0; axis < 3; ++axis) arm[axis] = rest[3 * k + axis] - pose.pivot[axis];
  for (int axis = 0; axis < 3; ++axis) {
    const double* row = pose.rotation + 3 * axis;
    target[3 * k + axis] =
        pose.pivot[axis] + (row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2]) + pose.translation[axis];
  }
}

// Puts nodes at `fraction` of the way from where `from` has them to their targets.
extern "C" __global__ void __launch_bounds__(256)
    place(double* x, const double* from, const double* target, const int* nodes, double fraction, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  for (int axis = 0; axis < 3; ++axis) {
    const int i = 3 * nodes[k] + axis;
    const double to = target[3 * k + axis];
    x[i] = fraction == 1 ? to : from[i] + fraction * (to - from[i]);
  }
}

// Without its elements: y = start + force / inertia, where there is inertia. One thread an entry.
extern "C" __global__ void __launch_bounds__(256)
    free_flight(double* y, const double* start, const double* inertia, const double* force, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = start[i] + (inertia[i / 3] > 0 ? force[i] / inertia[i / 3] : 0);
}

// v = (x - start) / step. One thread an entry.
extern "C" __global__ void __launch_bounds__(256)
    velocities(double* v, const double* x, const double* start, double step, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) v[i] = (x[i] - start[i]) / step;
}

// Seven rows of one number a node: kinetic energy, momentum, angular momentum about the origin.
extern "C" __global__ void __launch_bounds__(256)
    motion(double* rows, const double* mass, const double* x, const double* v, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  const long long stride = count;
  const double m = mass[k], *r = x + 3 * k, *u = v + 3 * k;
  rows[k] = m * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 2;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    rows[(1 + i) * stride + k] = m * u[i];
    rows[(4 + i) * stride + k] = m * (r[j] * u[l] - r[l] * u[j]);
  }
}

// Of some nodes, given by their numbers: three rows of one number a node, its share of y there.
extern "C" __global__ void __launch_bounds__(256)
    share_rows(double* rows, const double* y, const int* nodes, const double* share, int count) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  const long long stride = count;
  for (int axis = 0; axis < 3; ++axis) rows[axis * stride + k] = share[k] * y[3 * nodes[k] + axis];
}
