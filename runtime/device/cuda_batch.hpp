// Several threads, one a world, whose work on a GPU is done together: each queues what it likes in its lane, and
// waits where it reads a number. When all that still take part wait, their queues go to the stream: requests at their
// heads that are alike become one launch, whose arguments lie in a table in the GPU's memory, a row a world. One copy
// takes the tables and all that is written to the GPU, and one brings back all that is read. A world gets the bits that
// it has alone: a row is worked on as a launch of its own would.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "runtime/device/cuda_engine.hpp"
#include "runtime/device/cuda_lane.hpp"
#include "runtime/device/meeting.hpp"

namespace proxima::device {

class CudaBatch {
 public:
  // `worlds`: as many seats will be taken. No more than `at_a_time` of their threads run at the same time.
  CudaBatch(CudaEngine& engine, int worlds, int at_a_time);
  ~CudaBatch();
  CudaBatch(const CudaBatch&) = delete;
  CudaBatch& operator=(const CudaBatch&) = delete;

  // A world's part in it: while it lives, all that its thread does with the GPU goes through a lane. Has to be taken
  // before the world does anything, by each of the worlds. What throws in the work of all throws in each that waits.
  class Seat {
   public:
    explicit Seat(CudaBatch& batch);  // waits for its turn
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

   private:
    Meeting::Seat seat_;
    CudaLane* lane_;
  };

  void dismiss() { meeting_.dismiss(); }  // as of Meeting
  // Does what seats that are gone have left in their lanes. To be called when all are.
  void finish() { flush(); }

  // So far: what was asked for, copies among it, and the launches that it took.
  std::int64_t requests() const { return requests_; }
  std::int64_t launches() const { return launches_; }

 private:
  struct Launch {
    std::shared_ptr<const CudaTask> task;
    std::size_t blocks, threads, first, rows;  // `first`: where its rows begin in the table
  };
  // Launches on their way, their rows, and data that some of them copy.
  struct Sending {
    std::vector<Launch> launches;
    std::vector<std::uint64_t> table, data;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // in the table and in the data whose address goes there
  };
  CudaLane& add_lane();
  void flush();
  void send();
  void merge(Sending& sending);
  CudaLane* next() const;       // whose request is to be done first; null: nothing can be
  std::size_t ask_for_reads();  // of those with nothing else left, as copies; returns the bytes

  CudaEngine* engine_;
  CudaLane::Words words_;
  std::mutex mutex_;  // of the list
  std::vector<std::unique_ptr<CudaLane>> lanes_;
  CudaArray table_, answers_;
  std::int64_t requests_ = 0, launches_ = 0;
  Meeting meeting_;
};

}  // namespace proxima::device
