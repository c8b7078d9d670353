#include "runtime/factor/cuda_factor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_lane.hpp"
#include "runtime/device/cuda_upload.hpp"
#include "runtime/factor/cuda_tiles.hpp"

namespace proxima::factor {
namespace {

// As in kernels/solve.cu.
struct CudaSupernode {
  std::int64_t block;
  std::int32_t rows, columns, pivot, place, border, parent;
};
struct FactorArgument {
  std::uint64_t values, tiles, supernodes, groups, border_pivot, received_first, received_from, order;
  std::int32_t supernode_count, group_count, rows, borders, partials;
};
struct WorkArgument {
  std::uint64_t y, x, border_value, partial, waiting_up, waiting_down, left, next;
};

int set_of(int worlds) { return worlds == 1 ? 1 : kernels::solve_worlds; }

std::shared_ptr<const device::CudaModule> module_for(device::CudaEngine& engine, Storage storage, int set) {
  const std::string store = storage == Storage::fp64 ? "double" : "float", worlds = std::to_string(set);
  return engine.compile_text(
      "solve.cu in " + store + " for " + worlds,
      "#define STORE " + store + "\n#define WORLDS " + worlds + "\n" + std::string(kernels::asset_solve_cu()));
}

std::size_t width_of(Storage storage) { return storage == Storage::fp64 ? sizeof(double) : sizeof(float); }

struct Sides {
  std::uint64_t b = 0, x = 0, y = 0;
};

}  // namespace

class CudaFactor::Solve {
 public:
  Solve(device::CudaEngine& engine, const SupernodalCholesky& pattern, int worlds);

  void copy(const SupernodalCholesky& factor);

  std::int32_t size() const { return size_; }
  std::int64_t entries() const { return offset_.back(); }
  std::int64_t applications() const { return applications_; }
  std::int64_t passes() const { return passes_; }
  const device::CudaDevice& device() const { return engine_->device(); }
  int tiles() const { return tile_count_; }
  int tiles_upward() const { return tiles_upward_; }

  // The tiles from `first` to before `end`.
  void run(int first, int end, const Sides& one, std::uint64_t table, std::size_t worlds) const;

 private:
  device::CudaEngine* engine_;
  Storage storage_;
  std::int32_t size_, supernodes_;
  std::vector<std::int64_t> offset_;  // of each supernode's block
  int worlds_, tile_count_ = 0, tiles_upward_ = 0, group_count_ = 0, borders_ = 0, partials_ = 0;
  device::CudaFunction prepare_, solve_;
  int blocks_;
  device::CudaArray values_, tiles_, nodes_, groups_, border_pivot_, received_first_, received_from_, order_;
  device::CudaArray y_, x_, border_value_, partial_, waiting_up_, waiting_down_, left_, next_;
  device::CudaArray first_waiting_up_, first_waiting_down_;
  mutable std::atomic<std::int64_t> applications_{0}, passes_{0};
};

CudaFactor::Solve::Solve(device::CudaEngine& engine, const SupernodalCholesky& pattern, int worlds)
    : engine_(&engine),
      storage_(pattern.storage()),
      size_(pattern.size()),
      supernodes_(pattern.supernodes().size()),
      worlds_(worlds),
      prepare_(module_for(engine, storage_, set_of(worlds))->function("prepare")),
      solve_(module_for(engine, storage_, set_of(worlds))->function("solve")) {
  const Supernodes& supernodes = pattern.supernodes();
  const CudaTiles tiles = make_tiles(supernodes);
  const Received received = make_received(supernodes);
  std::vector<CudaSupernode> nodes;
  std::int64_t entries = 0;
  for (std::int32_t s = 0; s < supernodes_; ++s) {
    const auto at = static_cast<std::size_t>(s);
    const std::int32_t parent = supernodes.parent[at];
    nodes.push_back({entries, supernodes.rows(s), supernodes.columns(s), supernodes.begin[at], received.place[at],
                     static_cast<std::int32_t>(supernodes.border_begin[at]), parent >= 0 ? parent : supernodes_});
    offset_.push_back(entries);
    entries += std::int64_t{supernodes.rows(s)} * supernodes.columns(s);
  }
  offset_.push_back(entries);
  tile_count_ = static_cast<int>(tiles.tiles.size());
  tiles_upward_ = static_cast<int>(std::ranges::count(tiles.tiles, 1, &CudaTile::upward));
  group_count_ = static_cast<int>(tiles.groups.size());
  borders_ = static_cast<int>(supernodes.border.size());
  partials_ = tiles.partials;
  const std::size_t count = static_cast<std::size_t>(worlds), sets = (count + set_of(worlds) - 1) / set_of(worlds);
  blocks_ =
      std::clamp(tile_count_ * static_cast<int>(sets), 1, std::max(1, solve_.resident_blocks(kernels::solve_block)));
  device::CudaDevice& gpu = engine.device();
  tiles_ = device::uploaded(engine, tiles.tiles);
  nodes_ = device::uploaded(engine, nodes);
  groups_ = device::uploaded(engine, tiles.groups);
  border_pivot_ = device::uploaded(engine, supernodes.border);
  received_first_ = device::uploaded(engine, received.first);
  received_from_ = device::uploaded(engine, received.from);
  order_ = device::uploaded(engine, supernodes.order);
  first_waiting_up_ = device::uploaded(engine, tiles.waiting_up);
  first_waiting_down_ = device::uploaded(engine, tiles.waiting_down);
  values_ = gpu.allocate(static_cast<std::size_t>(entries) * width_of(storage_));
  y_ = gpu.allocate(count * 3 * static_cast<std::size_t>(size_) * sizeof(double));
  x_ = gpu.allocate(y_.bytes());
  border_value_ = gpu.allocate(count * 3 * supernodes.border.size() * sizeof(double));
  partial_ = gpu.allocate(count * static_cast<std::size_t>(tiles.partials) * sizeof(double));
  waiting_up_ = gpu.allocate(sets * first_waiting_up_.bytes());
  waiting_down_ = gpu.allocate(sets * first_waiting_down_.bytes());
  left_ = gpu.allocate(sets * tiles.groups.size() * sizeof(std::int32_t));
  next_ = gpu.allocate(sizeof(std::int32_t));
}

void CudaFactor::Solve::copy(const SupernodalCholesky& factor) {
  std::vector<double> all(static_cast<std::size_t>(offset_.back()));
  for (std::int32_t s = 0; s < supernodes_; ++s) {
    const auto begin = static_cast<std::size_t>(offset_[static_cast<std::size_t>(s)]);
    const auto end = static_cast<std::size_t>(offset_[static_cast<std::size_t>(s) + 1]);
    factor.copy_block(s, std::span(all).subspan(begin, end - begin));
  }
  if (storage_ == Storage::fp64) return values_.write(std::as_bytes(std::span(all)));
  const std::vector<float> single(all.begin(), all.end());
  values_.write(std::as_bytes(std::span(single)));
}

void CudaFactor::Solve::run(int first, int end, const Sides& one, std::uint64_t table, std::size_t worlds) const {
  if (worlds > static_cast<std::size_t>(worlds_))
    throw std::logic_error("CudaFactor: more worlds than it was made for");
  const FactorArgument factor{values_.address(),
                              tiles_.address(),
                              nodes_.address(),
                              groups_.address(),
                              border_pivot_.address(),
                              received_first_.address(),
                              received_from_.address(),
                              order_.address(),
                              supernodes_,
                              group_count_,
                              size_,
                              borders_,
                              partials_};
  const WorkArgument work{y_.address(),       x_.address(),          border_value_.address(),
                          partial_.address(), waiting_up_.address(), waiting_down_.address(),
                          left_.address(),    next_.address()};
  const int count = static_cast<int>(worlds), set = set_of(worlds_);
  prepare_.each(static_cast<std::size_t>(std::max(supernodes_ + 1, group_count_)), kernels::vector_block, factor, work,
                first_waiting_up_, first_waiting_down_, (count + set - 1) / set, first);
  solve_(static_cast<std::size_t>(blocks_), kernels::solve_block, factor, work, one, table, count, end);
  if (first > 0) return;  // the second half of what was counted
  applications_ += count;
  ++passes_;
}

// Both sweeps, or one of them: what worlds do together.
class CudaFactor::Sweeps : public device::CudaTask {
 public:
  Sweeps(std::shared_ptr<const Solve> solve, int first, int end) : solve_(std::move(solve)), first_(first), end_(end) {}
  void run_one(const Sides& sides) const { solve_->run(first_, end_, sides, 0, 1); }
  void run(std::uint64_t table, std::size_t rows, std::size_t, std::size_t) const override {
    solve_->run(first_, end_, {}, table, rows);
  }
  bool waits_for_all() const override { return true; }

 private:
  std::shared_ptr<const Solve> solve_;
  int first_, end_;  // tiles
};

CudaFactor::CudaFactor(device::CudaEngine& engine, const SupernodalCholesky& pattern, int worlds)
    : solve_(std::make_shared<Solve>(engine, pattern, worlds)),
      both_(std::make_shared<Sweeps>(solve_, 0, solve_->tiles())),
      upward_(std::make_shared<Sweeps>(solve_, 0, solve_->tiles_upward())),
      downward_(std::make_shared<Sweeps>(solve_, solve_->tiles_upward(), solve_->tiles())) {}

void CudaFactor::copy(const SupernodalCholesky& factor) { solve_->copy(factor); }
std::int64_t CudaFactor::entries() const { return solve_->entries(); }
std::int64_t CudaFactor::applications() const { return solve_->applications(); }
std::int64_t CudaFactor::passes() const { return solve_->passes(); }

void CudaFactor::solve(const device::CudaVector& b, device::CudaVector& x) { run(both_, &b, &x, nullptr); }
void CudaFactor::forward(const device::CudaVector& b, device::CudaVector& y) { run(upward_, &b, nullptr, &y); }
void CudaFactor::backward(const device::CudaVector& y, device::CudaVector& x) { run(downward_, nullptr, &x, &y); }

void CudaFactor::run(const std::shared_ptr<const Sweeps>& sweeps, const device::CudaVector* b,
                     const device::CudaVector* x, const device::CudaVector* y) {
  const std::size_t numbers = 3 * static_cast<std::size_t>(solve_->size());
  for (const device::CudaVector* v : std::array<const device::CudaVector*, 3>{b, x, y})
    if (v != nullptr && v->size() != numbers) throw std::logic_error("CudaFactor: three values a row are needed");
  if (numbers == 0) return;
  const auto address = [](const device::CudaVector* v) { return v == nullptr ? 0 : v->array().address(); };
  const Sides sides{address(b), address(x), address(y)};
  if (device::CudaLane* lane = device::CudaLane::of(solve_->device()))
    lane->launch(sweeps, 0, 0, std::array{sides.b, sides.x, sides.y});
  else
    sweeps->run_one(sides);
}

}  // namespace proxima::factor
