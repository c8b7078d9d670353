#include "runtime/device/cuda_lane.hpp"

#include <cstring>
#include <utility>

#include "kernels/kernels.hpp"

namespace proxima::device {
namespace {

// Bytes up to which it pays to copy twice.
constexpr std::size_t most = 64 * 1024, word = 4;

thread_local CudaLane* current = nullptr;

}  // namespace

CudaLane* CudaLane::of(const CudaDevice& device) {
  return current != nullptr && current->device_ == &device ? current : nullptr;
}

CudaLane* CudaLane::enter(CudaLane* lane) { return std::exchange(current, lane); }

void CudaLane::launch(const std::shared_ptr<const CudaTask>& task, std::size_t blocks, std::size_t threads,
                      std::span<const std::uint64_t> row) {
  requests_.push_back({task, blocks, threads, {row.begin(), row.end()}});
}

CudaRequest& CudaLane::copy_words(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  constexpr std::size_t block = kernels::vector_block;
  const std::size_t blocks = (bytes / word + block - 1) / block;
  return requests_.emplace_back(CudaRequest{words_.copy, blocks, block, {blocks, to, from, bytes / word}});
}

bool CudaLane::takes(std::size_t bytes) { return bytes <= most && bytes % word == 0; }

bool CudaLane::write(std::uint64_t to, std::span<const std::byte> from) {
  if (!takes(from.size())) return wait(), false;
  std::vector<std::uint64_t>& data = copy_words(to, 0, from.size()).data;
  data.resize((from.size() + 7) / 8);
  std::memcpy(data.data(), from.data(), from.size());
  return true;
}

bool CudaLane::read(std::span<std::byte> to, std::uint64_t from) {
  const bool small = takes(to.size());
  if (small) {
    read_from_ = from;
    read_to_ = to;
  }
  wait();
  return small;
}

bool CudaLane::copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  if (bytes % word != 0) return wait(), false;
  copy_words(to, from, bytes);
  return true;
}

bool CudaLane::clear(std::uint64_t at, std::size_t bytes) {
  if (bytes % word != 0) return wait(), false;
  constexpr std::size_t block = kernels::vector_block;
  const std::size_t blocks = (bytes / word + block - 1) / block;
  requests_.push_back({words_.clear, blocks, block, {blocks, at, bytes / word}});
  return true;
}

}  // namespace proxima::device
