// x = A^-1 b for three right-hand sides of each of some worlds with the supernodal factor of runtime/factor, both sweeps
// in one launch, or one of them: y = L^-1 P b, or x = P^T L^-T y.
// Supernode s has the block W = [D^-1 ; R D^-1], column-major, `rows` x `columns`, zero above the diagonal. With b the
// right-hand side of its pivots less what its children send to them,
//   upward:    W b: the first `columns` rows are y = D^-1 b, the others and what children send there go to the parent
//   downward:  x = W^T [y ; -x of the rows below].
// W is cut into tiles of 128 x 32. Blocks of 128 threads take tiles in an order in which each comes after all that it
// waits for, so a launch cannot come to a stop, however many blocks there are; a tile's entries are read into registers
// before its block waits. Sums are taken in a fixed order whoever comes last: the tiles of a group, which add to the
// same rows (downward: columns), write partial sums, and the last one to arrive adds them up. So a result is the same
// from run to run, and that of a world the same whatever others there are.
// Worlds are taken in sets of WORLDS: a tile is read once for a set, and each set has counters of its own. All sets of a
// tile come one after the other, so that the second and further find its entries in the cache.

#ifndef STORE  // what W is stored in
#define STORE double
#endif
#ifndef WORLDS
#define WORLDS 1
#endif

struct Tile {
  int supernode, row, column;  // where it begins in W
  int upward;                  // 1, or 0 for downward
  int group;
  int partial;  // where its partial sum goes, 3 x 128 (downward 3 x 32) numbers; -1: it is alone in its group
};

struct Group {
  int tiles, partial;  // how many, and where the first one's partial sum is; the others follow
};

struct Supernode {
  long long block;           // where W begins
  int rows, columns, pivot;  // its first pivot
  int place;                 // its first row among all rows of all supernodes
  int border;                // its first row below the pivots, among those of all supernodes
  int parent;                // at a root the number of supernodes
};

struct Factor {
  const STORE* values;
  const Tile* tiles;
  const Supernode* supernodes;
  const Group* groups;
  const int* border_pivot;                    // which pivot each row below is
  const int *received_first, *received_from;  // of each row of each supernode: which rows below of children send there
  const int* order;                           // row of the matrix that is pivot k
  int supernode_count, group_count;
  int rows, borders, partials;  // of A; below the pivots, of all supernodes; numbers for partial sums
};

// What a solve works on, one world after the other, and counters that `prepare` sets, one set after the other.
struct Work {
  double *y, *x;         // by pivots, 3 each
  double* border_value;  // what each row below sends, 3 each
  double* partial;
  int* waiting_up;    // of each supernode: groups of its children that are not done; then: those of all roots
  int* waiting_down;  // of each supernode: groups of its own that are not done on the way down
  int* left;          // of each group: tiles that are not done
  int* next;          // tile to be taken
};

// For a launch that begins with the tile `first`, the first of all or the first on the way down: then nothing is left
// to be done on the way up.
extern "C" __global__ void __launch_bounds__(256)
    prepare(Factor factor, Work work, const int* waiting_up, const int* waiting_down, int sets, int first) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  for (int set = 0; set < sets; ++set) {
    if (i <= factor.supernode_count)
      work.waiting_up[set * (factor.supernode_count + 1) + i] = first == 0 ? waiting_up[i] : 0;
    if (i < factor.supernode_count) work.waiting_down[set * factor.supernode_count + i] = waiting_down[i];
    if (i < factor.group_count) work.left[set * factor.group_count + i] = factor.groups[i].tiles;
  }
  if (i == 0) *work.next = first * sets;
}

// A world's right-hand sides and its solutions, 3 numbers a row of A, and what is half-way between them, by pivots; null:
// nobody wants it. They may be the same: a pivot's x is written after everything that reads its b.
struct Sides {
  const double* b;
  double* x;
  double* y;
};

// What a world is worked out with.
struct Vectors {
  Work work;
  const double* b;
  double* x;
};

struct All {
  Work work;
  const Sides* table;  // the sides of each world, where there are several
  Sides one;           // else
};

static __device__ Vectors of_world(const Factor& factor, const All& all, int world) {
  const Sides& sides = WORLDS == 1 ? all.one : all.table[world];
  Vectors own = {all.work, sides.b, sides.x};
  if (sides.y != nullptr) own.work.y = sides.y;
  if (WORLDS == 1) return own;
  const long long numbers = (long long)world * 3 * factor.rows;
  if (sides.y == nullptr) own.work.y += numbers;
  own.work.x += numbers;
  own.work.border_value += (long long)world * 3 * factor.borders;
  own.work.partial += (long long)world * factor.partials;
  return own;
}

// Worlds begin .. end - 1, and the counters of their set.
struct Set {
  int begin, end;
  int *waiting_up, *waiting_down, *left;
};

static __device__ Set set_of(const Factor& factor, const Work& work, int set, int worlds) {
  if (WORLDS == 1) return {0, 1, work.waiting_up, work.waiting_down, work.left};
  const int begin = set * WORLDS, end = begin + WORLDS < worlds ? begin + WORLDS : worlds;
  return {begin, end, work.waiting_up + set * (factor.supernode_count + 1),
          work.waiting_down + set * factor.supernode_count, work.left + set * factor.group_count};
}

static __device__ void wait_for(const int* counter) {
  if (threadIdx.x == 0) {
    while (*(const volatile int*)counter > 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Says that this block's writes are done; to be called by all its threads. Returns whether it was the last of
// `counter`.
static __device__ bool arrive(int* counter) {
  __shared__ int before;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    before = atomicAdd(counter, -1);
    __threadfence();
  }
  __syncthreads();
  return before == 1;
}

// What the children of a supernode send to its row `place`.
static __device__ double received(const Factor& factor, const Work& work, int place, int axis) {
  double total = 0;
  for (int k = factor.received_first[place]; k < factor.received_first[place + 1]; ++k)
    total += work.border_value[3 * factor.received_from[k] + axis];
  return total;
}

// What the row `row` of a supernode sends, or of a pivot is.
static __device__ void send(const Factor& factor, const Work& work, const Supernode& s, int row, const double* sum) {
  if (row >= s.rows) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (row < s.columns)
      work.y[3 * (s.pivot + row) + axis] = sum[axis];
    else
      work.border_value[3 * (s.border + row - s.columns) + axis] =
          sum[axis] + received(factor, work, s.place + row, axis);
  }
}

static __device__ void upward(const Factor& factor, const All& all, const Set& set, const Tile& tile) {
  __shared__ double values[32 * 3];
  const Supernode s = factor.supernodes[tile.supernode];
  const int row = tile.row + (int)threadIdx.x, width = s.columns - tile.column < 32 ? s.columns - tile.column : 32;
  const bool inside = row < s.rows;
  STORE entries[32];
  const STORE* w = factor.values + s.block + (long long)tile.column * s.rows + row;
#pragma unroll
  for (int c = 0; c < 32; ++c) entries[c] = inside && c < width ? w[(long long)c * s.rows] : (STORE)0;

  wait_for(&set.waiting_up[tile.supernode]);
#pragma unroll 1
  for (int world = set.begin; world < set.end; ++world) {
    const Vectors own = of_world(factor, all, world);
    if (threadIdx.x < 32 * 3) {
      const int column = tile.column + (int)threadIdx.x / 3, axis = (int)threadIdx.x % 3;
      values[threadIdx.x] = (int)threadIdx.x / 3 < width ? own.b[3 * factor.order[s.pivot + column] + axis] -
                                                               received(factor, own.work, s.place + column, axis)
                                                         : 0;
    }
    __syncthreads();
    double sum[3] = {0, 0, 0};
#pragma unroll
    for (int c = 0; c < 32; ++c)
      for (int axis = 0; axis < 3; ++axis) sum[axis] += (double)entries[c] * values[3 * c + axis];
    if (tile.partial < 0)
      send(factor, own.work, s, row, sum);
    else
      for (int axis = 0; axis < 3; ++axis) own.work.partial[tile.partial + 128 * axis + (int)threadIdx.x] = sum[axis];
    if (WORLDS > 1) __syncthreads();  // nobody is still at the values
  }
  if (tile.partial >= 0) {
    if (!arrive(&set.left[tile.group])) return;
    const Group group = factor.groups[tile.group];
#pragma unroll 1
    for (int world = set.begin; world < set.end; ++world) {
      const Vectors own = of_world(factor, all, world);
      double sum[3] = {0, 0, 0};
      for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < group.tiles; ++k)
          sum[axis] += own.work.partial[group.partial + 128 * (3 * k + axis) + (int)threadIdx.x];
      send(factor, own.work, s, row, sum);
    }
  }
  arrive(&set.waiting_up[s.parent]);
}

// Thread 32 axis + column has a pivot's x.
static __device__ void settle(const Factor& factor, const Vectors& own, const Tile& tile, const Supernode& s,
                              double sum) {
  const int axis = (int)threadIdx.x / 32, column = tile.column + (int)threadIdx.x % 32;
  if (axis >= 3 || column >= s.columns) return;
  own.work.x[3 * (s.pivot + column) + axis] = sum;
  own.x[3 * factor.order[s.pivot + column] + axis] = sum;
}

static __device__ void downward(const Factor& factor, const All& all, const Set& set, const Tile& tile) {
  __shared__ double values[128 * 3], sums[32 * 3];
  const Supernode s = factor.supernodes[tile.supernode];
  const int row = tile.row + (int)threadIdx.x;
  const int width = s.columns - tile.column < 32 ? s.columns - tile.column : 32;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  // A warp has eight columns of the tile, a lane every 32nd of its rows.
  STORE entries[8][4];
#pragma unroll
  for (int c = 0; c < 8; ++c)
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int r = tile.row + lane + 32 * q, column = 8 * warp + c;
      entries[c][q] = r < s.rows && column < width
                          ? factor.values[s.block + (long long)(tile.column + column) * s.rows + r]
                          : (STORE)0;
    }

  // A parent is done after all that is above it, and a root's way down begins when all ways up have ended.
  const bool root = s.parent == factor.supernode_count;
  wait_for(root ? &set.waiting_up[s.parent] : &set.waiting_down[s.parent]);
#pragma unroll 1
  for (int world = set.begin; world < set.end; ++world) {  // the two barriers do for the next world, too
    const Vectors own = of_world(factor, all, world);
    double mine[3] = {0, 0, 0};
    if (row < s.columns)
      for (int axis = 0; axis < 3; ++axis) mine[axis] = own.work.y[3 * (s.pivot + row) + axis];
    else if (row < s.rows)
      for (int axis = 0; axis < 3; ++axis)
        mine[axis] = -own.work.x[3 * factor.border_pivot[s.border + row - s.columns] + axis];
    for (int axis = 0; axis < 3; ++axis) values[3 * threadIdx.x + axis] = mine[axis];
    __syncthreads();

    double of_lane[8][3];  // a lane's rows of the warp's columns
#pragma unroll
    for (int c = 0; c < 8; ++c)
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        of_lane[c][axis] = 0;
#pragma unroll
        for (int q = 0; q < 4; ++q) of_lane[c][axis] += (double)entries[c][q] * values[3 * (lane + 32 * q) + axis];
      }
    // Over the lanes: thrice, each lane keeps half of its columns and hands the other half to its partner; then four
    // lanes are left with one column, lane / 4.
#pragma unroll
    for (int half = 4, distance = 16; half > 0; half /= 2, distance /= 2)
#pragma unroll
      for (int c = 0; c < half; ++c)
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const bool upper = (lane & distance) != 0;
          const double kept = upper ? of_lane[c + half][axis] : of_lane[c][axis],
                       given = upper ? of_lane[c][axis] : of_lane[c + half][axis];
          of_lane[c][axis] = kept + __shfl_xor_sync(0xffffffffu, given, distance, 32);
        }
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      double sum = of_lane[0][axis];
      sum += __shfl_xor_sync(0xffffffffu, sum, 2, 32);
      sum += __shfl_xor_sync(0xffffffffu, sum, 1, 32);
      if (lane % 4 == 0) sums[axis * 32 + 8 * warp + lane / 4] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32 * 3) {
      if (tile.partial < 0)
        settle(factor, own, tile, s, sums[threadIdx.x]);
      else
        own.work.partial[tile.partial + (int)threadIdx.x] = sums[threadIdx.x];
    }
  }
  if (tile.partial >= 0) {
    if (!arrive(&set.left[tile.group])) return;
    const Group group = factor.groups[tile.group];
#pragma unroll 1
    for (int world = set.begin; world < set.end; ++world) {
      const Vectors own = of_world(factor, all, world);
      double sum = 0;
      for (int k = 0; threadIdx.x < 32 * 3 && k < group.tiles; ++k)
        sum += own.work.partial[group.partial + 96 * k + (int)threadIdx.x];
      settle(factor, own, tile, s, sum);
    }
  }
  arrive(&set.waiting_down[tile.supernode]);
}

// All tiles before `end` that `prepare` has left. `table`: the sides of each world; null for one world whose sides are
// `one`.
extern "C" __global__ void __launch_bounds__(128)
    solve(Factor factor, Work work, Sides one, const Sides* table, int worlds, int end) {
  __shared__ int taken;
  const int sets = WORLDS == 1 ? 1 : (worlds + WORLDS - 1) / WORLDS;
  const All all = {work, table, WORLDS == 1 && table != nullptr ? *table : one};
  for (;;) {
    __syncthreads();  // nobody is still at the tile before
    if (threadIdx.x == 0) taken = atomicAdd(work.next, 1);
    __syncthreads();
    if (taken >= end * sets) return;
    const Tile tile = factor.tiles[taken / sets];
    const Set set = set_of(factor, work, taken % sets, worlds);
    if (tile.upward)
      upward(factor, all, set, tile);
    else
      downward(factor, all, set, tile);
  }
}
