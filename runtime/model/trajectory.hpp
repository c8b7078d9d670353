// The states of a run on disk: a checksummed header, then one frame of fixed size after another, each with its number,
// all positions, velocities and history variables in double precision and a checksum. A run that is killed leaves whole
// frames and perhaps part of one; readers ignore the part, a resumed run cuts it off. Little-endian.
//
//   header, 64 bytes: "PRXTRAJ\n", u32 version, u32 history, u64 nodes, f64 time step, fingerprint (u64 high, u64 low),
//                     checksum of what precedes (u64 high, u64 low), all XXH3-128
//   frame k, 48 nodes + 8 history + 24 bytes: u64 k, positions (3 nodes f64), velocities (3 nodes f64), history
//   variables
//                     (f64), checksum of what precedes
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "compiler/support/hash.hpp"
#include "runtime/model/model.hpp"

namespace proxima::model {

struct TrajectoryHeader {
  std::size_t nodes = 0;
  double time_step = 0;
  Hash fingerprint;         // of what determines the states; see fingerprint()
  std::size_t history = 0;  // numbers that energies carry from step to step
};

struct Frame {
  std::vector<double> positions, velocities;  // 3 a node
  std::vector<double> history{};
};

// Frame 0 is the initial state, frame k the state after step k.
class TrajectoryReader {
 public:
  // `path` is a trajectory file or a folder that has trajectory_name in it. Throws Error when it is missing, not a
  // trajectory, of another version, or its header is damaged.
  explicit TrajectoryReader(const std::filesystem::path& path);
  ~TrajectoryReader();

  const TrajectoryHeader& header() const;
  // Whole frames from the start of the file; what follows the first damaged one does not count.
  int frames() const;
  // Whether as much follows them as a frame has, but is none; else the file ends there, as a killed run leaves it.
  bool damaged() const;
  // Throws Error when there is no such frame.
  Frame read(int frame) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Appends frames. One writer a file: a second one, in this process or another, is refused.
class TrajectoryWriter {
 public:
  // A new file with frame 0, which appears whole or not at all; throws Error when there is one.
  static TrajectoryWriter create(const std::filesystem::path& file, const TrajectoryHeader& header,
                                 const Frame& initial);
  // Goes on with a file that has at least one whole frame, after cutting off a damaged tail. Throws Error when the
  // header differs: it was another scene.
  static TrajectoryWriter resume(const std::filesystem::path& file, const TrajectoryHeader& header);
  ~TrajectoryWriter();
  TrajectoryWriter(TrajectoryWriter&&) noexcept;

  int frames() const;
  // Handed to the operating system before it returns, so it outlives this process but not a power cut.
  void append(const Frame& frame);

 private:
  struct State;
  explicit TrajectoryWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

inline constexpr const char* trajectory_name = "trajectory.bin";

// Hash of everything in a model that determines its states; the number of steps is left out, so that a run can be
// resumed to more of them.
Hash fingerprint(const Model& model);

}  // namespace proxima::model
