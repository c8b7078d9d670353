#include "runtime/device/cuda_batch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/kernels.hpp"

namespace proxima::device {
namespace {

constexpr std::size_t number = sizeof(std::uint64_t);

std::size_t numbers_of(std::size_t bytes) { return (bytes + number - 1) / number; }

// Room for so many bytes; not fewer than there was.
void reserve(CudaDevice& device, CudaArray& array, std::size_t bytes) {
  if (array.bytes() < bytes) array = device.allocate(std::max(bytes, 2 * array.bytes()));
}

CudaLane::Words words_by(CudaEngine& engine) {
  const auto text = engine.compile_text("memory.cu", kernels::asset_memory_cu());
  return {text->task("copy_words"), text->task("clear_words")};
}

// While it lives, what the thread asks for goes to the stream.
struct OutsideLanes {
  CudaLane* const before = CudaLane::enter(nullptr);
  OutsideLanes() = default;
  ~OutsideLanes() { CudaLane::enter(before); }
  OutsideLanes(const OutsideLanes&) = delete;
  OutsideLanes& operator=(const OutsideLanes&) = delete;
};

}  // namespace

CudaBatch::CudaBatch(CudaEngine& engine, int worlds, int at_a_time)
    : engine_(&engine), words_(words_by(engine)), meeting_(worlds, at_a_time, [this] { flush(); }) {
  engine.device().memory().hold();
}

CudaBatch::~CudaBatch() { engine_->device().memory().unhold(); }

CudaLane& CudaBatch::add_lane() {
  const std::scoped_lock lock(mutex_);
  return *lanes_.emplace_back(std::make_unique<CudaLane>(engine_->device(), words_));
}

CudaBatch::Seat::Seat(CudaBatch& batch) : seat_(batch.meeting_), lane_(&batch.add_lane()) {
  lane_->set_wait([this] { seat_.wait({}, [lane = lane_] { return lane->requests_.empty(); }); });
  CudaLane::enter(lane_);
}

CudaBatch::Seat::~Seat() {
  CudaLane::enter(nullptr);
  lane_->present_ = false;
}

// A request that waits for all comes last: when nothing else is left, and every world that takes part has come to one.
// Else the longest queue goes first, so that one with something more than the others waits for nobody, and they end
// together.
CudaLane* CudaBatch::next() const {
  CudaLane *longest = nullptr, *waiting = nullptr;
  bool all = true;
  for (const auto& lane : lanes_) {
    const bool empty = lane->requests_.empty(), waits = !empty && lane->requests_.front().task->waits_for_all();
    if (lane->present_ && !waits) all = false;
    if (empty) continue;
    CudaLane*& found = waits ? waiting : longest;
    if (found == nullptr || found->requests_.size() < lane->requests_.size()) found = lane.get();
  }
  return longest != nullptr ? longest : all ? waiting : nullptr;
}

void CudaBatch::merge(Sending& sending) {
  while (const CudaLane* first = next()) {
    const CudaRequest lead = first->requests_.front();
    Launch& launch =
        sending.launches.emplace_back(Launch{lead.task, lead.blocks, lead.threads, sending.table.size(), 0});
    for (const auto& lane : lanes_) {
      if (lane->requests_.empty() || !lane->requests_.front().like(lead)) continue;
      const CudaRequest& request = lane->requests_.front();
      if (!request.data.empty()) sending.places.emplace_back(sending.table.size() + 2, sending.data.size());
      sending.table.insert(sending.table.end(), request.row.begin(), request.row.end());
      sending.data.insert(sending.data.end(), request.data.begin(), request.data.end());
      launch.blocks = std::max(launch.blocks, request.blocks);
      ++launch.rows;
      lane->requests_.pop_front();
    }
    requests_ += static_cast<std::int64_t>(launch.rows);
  }
}

std::size_t CudaBatch::ask_for_reads() {
  std::vector<CudaLane*> asking;
  std::size_t bytes = 0;
  for (const auto& lane : lanes_) {
    if (!lane->requests_.empty() || lane->read_to_.empty()) continue;
    asking.push_back(lane.get());
    bytes += number * numbers_of(lane->read_to_.size());
  }
  reserve(engine_->device(), answers_, bytes);
  std::uint64_t place = answers_.address();
  for (CudaLane* lane : asking) {
    lane->copy_words(place, lane->read_from_, lane->read_to_.size());
    place += number * numbers_of(lane->read_to_.size());
  }
  return bytes;
}

void CudaBatch::flush() {
  const OutsideLanes directly;
  try {
    send();
  } catch (...) {  // of what was asked for nothing is asked for again
    for (const auto& lane : lanes_) {
      lane->requests_.clear();
      lane->read_to_ = {};
    }
    throw;
  }
}

void CudaBatch::send() {
  CudaDevice& device = engine_->device();
  Sending sending;
  merge(sending);
  const std::size_t read = ask_for_reads();
  merge(sending);
  std::vector<std::uint64_t>& table = sending.table;
  const std::size_t rows = table.size();
  table.insert(table.end(), sending.data.begin(), sending.data.end());
  reserve(device, table_, number * table.size());
  for (const auto& [place, data] : sending.places) table[place] = table_.address() + number * (rows + data);
  table_.write_first(std::as_bytes(std::span(table)));
  for (const Launch& launch : sending.launches)
    launch.task->run(table_.address() + number * launch.first, launch.rows, launch.blocks, launch.threads);
  launches_ += static_cast<std::int64_t>(sending.launches.size());

  std::vector<std::byte> answers(read);
  answers_.read(answers);
  const std::byte* answer = answers.data();
  for (const auto& lane : lanes_) {
    if (!lane->requests_.empty() || lane->read_to_.empty()) continue;
    const std::span<std::byte> to = std::exchange(lane->read_to_, {});
    std::memcpy(to.data(), answer, to.size());
    answer += number * numbers_of(to.size());
  }
  if (std::ranges::all_of(lanes_, [](const auto& lane) { return lane->requests_.empty(); })) device.memory().settle();
}

}  // namespace proxima::device
