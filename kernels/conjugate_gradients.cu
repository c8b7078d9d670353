// Conjugate gradients whose numbers stay on the GPU, so that iterations can be queued before anybody knows whether they
// are needed: those after the end leave z, r and p as they are. Behind sum.cu in one text; products of vectors are its
// dot and what total_of makes of it, so that all numbers have the bits that they have when the host asks for each.

// The host looks at the first four (runtime/solve/objective/cuda_cg_recurrence.cpp).
struct CgState {
  double start, residual;  // |r| at first and now
  int iterations;
  int end;  // 0: not yet, 1: no more is needed, 2: negative curvature
  double tolerance;
  double rs;     // r.s
  double scale;  // of p in the next direction, then of p in the step
};

// Launched as one block, as are find_direction, find_step and end_iteration. `partial`, of `blocks` blocks: r.r
extern "C" __global__ void __launch_bounds__(256)
    begin_solve(CgState* state, const double* partial, int blocks, double tolerance) {
  const double residual = sqrt(total_of(partial, blocks));
  if (threadIdx.x == 0) *state = {residual, residual, 0, residual > tolerance ? 0 : 1, tolerance, 0, 0};
}

// `partial`: r.s
extern "C" __global__ void __launch_bounds__(256) find_direction(CgState* state, const double* partial, int blocks) {
  if (state->end != 0) return;
  const double rs = total_of(partial, blocks);
  if (threadIdx.x != 0) return;
  state->scale = rs / state->rs;
  state->rs = rs;
  ++state->iterations;
}

// p = s, then p = s + scale p; one thread an entry.
extern "C" __global__ void __launch_bounds__(256)
    set_direction(double* p, const double* s, const CgState* state, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count && state->end == 0) p[i] = state->iterations == 1 ? s[i] : s[i] + state->scale * p[i];
}

// `partial`: p.q
extern "C" __global__ void __launch_bounds__(256) find_step(CgState* state, const double* partial, int blocks) {
  if (state->end != 0) return;
  const double curvature = total_of(partial, blocks);
  if (threadIdx.x != 0) return;
  if (curvature > 0)
    state->scale = state->rs / curvature;
  else
    state->end = 2;
}

// z += scale p, r -= scale q, and r.r to `partial`: chunks as those of dot.
extern "C" __global__ void __launch_bounds__(256)
    descend(double* z, double* r, double* partial, const double* p, const double* q, const CgState* state, int count) {
  if (state->end != 0) return;
  const double scale = state->scale;
  double total = 0;
  for (int i = chunk_begin(); i < chunk_end(count); i += 256) {
    z[i] += scale * p[i];
    const double left = r[i] + -scale * q[i];
    r[i] = left;
    total += left * left;
  }
  write_sum(partial, total);
}

extern "C" __global__ void __launch_bounds__(256) clear_after_end(double* y, const CgState* state, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count && state->end != 0) y[i] = 0;
}

// `partial`: r.r
extern "C" __global__ void __launch_bounds__(256) end_iteration(CgState* state, const double* partial, int blocks) {
  if (state->end != 0) return;
  const double residual = sqrt(total_of(partial, blocks));
  if (threadIdx.x != 0) return;
  state->residual = residual;
  if (!(residual > state->tolerance)) state->end = 1;
}
