#include "runtime/factor/cuda_delassus.hpp"

#include <algorithm>
#include <tuple>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::factor {
namespace {

// As in kernels/columns.cu.
struct CudaColumn {
  std::uint64_t end;
  std::int32_t first, runs;
};
struct CudaPiece {
  std::int32_t begin, end, first, users, after;
};
struct CudaUser {
  std::int32_t column, from;
};

// A run of one of the chosen columns, and how many values the column has after it. Runs of several columns with the
// same end are in one supernode, and go on alike to the root.
struct OwnedRun {
  std::int32_t end, column, begin, after;
};

device::CudaFunction function_of(const device::CudaAlgebra& algebra, const char* symbol) {
  return algebra.engine().compile_text("columns.cu", kernels::asset_columns_cu())->function(symbol);
}

std::int32_t number(std::size_t count) { return static_cast<std::int32_t>(count); }

}  // namespace

CudaDelassus::CudaDelassus(std::shared_ptr<device::CudaAlgebra> algebra, const Delassus& host)
    : algebra_(std::move(algebra)),
      host_(host),
      gather_(function_of(*algebra_, "gather_columns")),
      scatter_(function_of(*algebra_, "scatter_columns")),
      followed_(host.stamp()) {}

void CudaDelassus::choose(std::span<const std::int32_t> indices) {
  if (followed_ != host_.stamp()) {
    values_.clear();
    end_.clear();
    chosen_.clear();
    followed_ = host_.stamp();
  }
  if (std::ranges::equal(indices, chosen_)) return;
  copy_columns(indices);
  chosen_.assign(indices.begin(), indices.end());
  make_tables();
}

void CudaDelassus::copy_columns(std::span<const std::int32_t> indices) {
  end_.resize(static_cast<std::size_t>(host_.size()));
  std::vector<double> values;
  std::vector<std::pair<std::size_t, std::size_t>> fresh;  // index, and where its values end
  for (const std::int32_t index : indices) {
    if (end_[static_cast<std::size_t>(index)] != 0) continue;
    const auto column = host_.values(index);
    values.insert(values.end(), column.begin(), column.end());
    fresh.emplace_back(index, values.size());
  }
  if (fresh.empty()) return;
  values_.push_back(device::uploaded_own(algebra_->engine(), values));
  for (const auto& [index, end] : fresh) end_[index] = values_.back().address() + end * sizeof(double);
}

void CudaDelassus::make_tables() {
  std::vector<CudaColumn> columns;
  std::vector<PivotRun> runs;
  std::vector<OwnedRun> owned;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const auto own = host_.runs(chosen_[k]);
    columns.push_back({end_[static_cast<std::size_t>(chosen_[k])], number(runs.size()), number(own.size())});
    runs.insert(runs.end(), own.begin(), own.end());
    std::int32_t after = 0;
    for (std::size_t r = own.size(); r-- > 0; after += own[r].size)
      owned.push_back({own[r].begin + own[r].size, number(k), own[r].begin, after});
  }
  std::ranges::sort(owned, {}, [](const OwnedRun& run) { return std::tuple(run.end, run.column); });
  std::vector<CudaPiece> pieces;
  std::vector<CudaUser> users;
  for (std::size_t at = 0; at < owned.size();) {
    const std::int32_t end = owned[at].end, after = owned[at].after, first = number(users.size());
    std::int32_t begin = end;
    for (; at < owned.size() && owned[at].end == end; ++at) {
      users.push_back({owned[at].column, owned[at].begin});
      begin = std::min(begin, owned[at].begin);
    }
    for (; begin < end; begin += kernels::piece_pivots) {
      const std::int32_t last = std::min(end, begin + kernels::piece_pivots);
      pieces.push_back({begin, last, first, number(users.size()) - first, after + end - last});
    }
  }
  device::CudaEngine& engine = algebra_->engine();
  columns_ = device::uploaded_own(engine, columns);
  runs_ = device::uploaded_own(engine, runs);
  pieces_ = device::uploaded_own(engine, pieces);
  users_ = device::uploaded_own(engine, users);
  piece_count_ = pieces.size();
}

void CudaDelassus::gather(const device::CudaVector& y, device::CudaVector& out) const {
  if (chosen_.empty()) return;
  gather_(chosen_.size(), kernels::column_block, out.array(), columns_, runs_, y.array());
}

void CudaDelassus::scatter(const device::CudaVector& l, device::CudaVector& y) const {
  if (chosen_.empty()) return;
  scatter_(piece_count_, kernels::piece_block, y.array(), pieces_, users_, columns_, l.array());
}

}  // namespace proxima::factor
