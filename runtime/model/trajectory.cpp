#include "runtime/model/trajectory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "compiler/support/bytes.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "PRXTRAJ\n";
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 64;

std::size_t frame_size(const TrajectoryHeader& header) {
  return 8 + 48 * header.nodes + 8 * header.history + checksum_size;
}

std::string pack_header(const TrajectoryHeader& header) {
  Packer packer;
  packer.put(magic);
  packer.put(version);
  packer.put(static_cast<std::uint32_t>(header.history));
  packer.put(static_cast<std::uint64_t>(header.nodes));
  packer.put(header.time_step);
  packer.put(header.fingerprint.high);
  packer.put(header.fingerprint.low);
  return std::move(packer).sealed();
}

std::string pack_frame(const TrajectoryHeader& header, int number, const Frame& frame) {
  const std::size_t scalars = 3 * header.nodes;
  if (frame.positions.size() != scalars || frame.velocities.size() != scalars ||
      frame.history.size() != header.history) {
    throw std::invalid_argument("a frame has another size than its trajectory");
  }
  Packer packer;
  packer.put(static_cast<std::uint64_t>(number));
  packer.put(std::span<const double>(frame.positions));
  packer.put(std::span<const double>(frame.velocities));
  packer.put(std::span<const double>(frame.history));
  return std::move(packer).sealed();
}

// A descriptor with the file's name for messages. Reads are whole or refused; what is no file has the size 0, and a
// pipe is not waited for.
class File {
 public:
  File(const fs::path& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) refuse();
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[noreturn]] void refuse() const { fail("{}: {}", path_.string(), std::strerror(errno)); }

  std::size_t size() const {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) refuse();
    return static_cast<std::size_t>(status.st_size);
  }

  std::string read(std::size_t at, std::size_t count) const {
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
      const auto got = ::pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse();
      if (got == 0) fail("{}: ends in the middle of a frame", path_.string());
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  void write(std::size_t at, std::string_view bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const auto put = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) refuse();
      done += static_cast<std::size_t>(put);
    }
  }

  void truncate(std::size_t count) const {
    if (::ftruncate(descriptor_, static_cast<off_t>(count)) != 0) refuse();
  }

  void lock() const {
    // Some network file systems have no locks; then there is no guard, which is no reason not to run.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      fail("{}: another run is writing to it", path_.string());
    }
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  int descriptor_;
};

TrajectoryHeader read_header(const File& file) {
  const auto bytes = file.size() >= header_size ? file.read(0, header_size) : std::string();
  if (!bytes.starts_with(magic)) fail("{}: is not a trajectory of Proxima", file.path().string());
  const auto found = take<std::uint32_t>(bytes, 8);
  if (found != version) {
    fail("{}: is in version {} of the format, this program reads version {}", file.path().string(), found, version);
  }
  // More nodes than can be numbered would overflow the size of a frame.
  if (!intact(bytes) || take<std::uint64_t>(bytes, 16) > INT32_MAX)
    fail("{}: its header is damaged", file.path().string());
  return {static_cast<std::size_t>(take<std::uint64_t>(bytes, 16)),
          take<double>(bytes, 24),
          {take<std::uint64_t>(bytes, 32), take<std::uint64_t>(bytes, 40)},
          static_cast<std::size_t>(take<std::uint32_t>(bytes, 12))};
}

std::size_t offset(const TrajectoryHeader& header, int frame) {
  return header_size + static_cast<std::size_t>(frame) * frame_size(header);
}

int whole_frames(const File& file, const TrajectoryHeader& header) {
  const std::size_t size = file.size();
  int count = 0;
  for (; offset(header, count + 1) <= size; ++count) {
    const auto bytes = file.read(offset(header, count), frame_size(header));
    if (!intact(bytes) || take<std::uint64_t>(bytes, 0) != static_cast<std::uint64_t>(count)) break;
  }
  return count;
}

fs::path trajectory_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? path / trajectory_name : path;
}

}  // namespace

struct TrajectoryReader::State {
  explicit State(const fs::path& path)
      : file(trajectory_file(path), O_RDONLY), header(read_header(file)), frames(whole_frames(file, header)) {}
  File file;
  TrajectoryHeader header;
  int frames;
};

TrajectoryReader::TrajectoryReader(const fs::path& path) : state_(std::make_unique<State>(path)) {}
TrajectoryReader::~TrajectoryReader() = default;
const TrajectoryHeader& TrajectoryReader::header() const { return state_->header; }
int TrajectoryReader::frames() const { return state_->frames; }
bool TrajectoryReader::damaged() const { return state_->file.size() >= offset(state_->header, state_->frames + 1); }

Frame TrajectoryReader::read(int frame) const {
  if (frame < 0 || frame >= state_->frames) {
    fail("{}: there is no frame {}, it has {} whole frames", state_->file.path().string(), frame, state_->frames);
  }
  const std::size_t scalars = 3 * state_->header.nodes;
  const auto bytes = state_->file.read(offset(state_->header, frame), frame_size(state_->header));
  Frame result{std::vector<double>(scalars), std::vector<double>(scalars), std::vector<double>(state_->header.history)};
  std::size_t at = 8;
  for (auto* values : {&result.positions, &result.velocities, &result.history}) {
    if (!values->empty()) std::memcpy(values->data(), bytes.data() + at, 8 * values->size());
    at += 8 * values->size();
  }
  return result;
}

struct TrajectoryWriter::State {
  explicit State(const fs::path& path) : file(path, O_RDWR) { file.lock(); }
  File file;
  TrajectoryHeader header;
  int frames = 0;
};

TrajectoryWriter::TrajectoryWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TrajectoryWriter::~TrajectoryWriter() = default;
TrajectoryWriter::TrajectoryWriter(TrajectoryWriter&&) noexcept = default;

TrajectoryWriter TrajectoryWriter::create(const fs::path& file, const TrajectoryHeader& header, const Frame& initial) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) fail("{}: exists already", file.string());
  write_file(file, pack_header(header) + pack_frame(header, 0, initial));
  return resume(file, header);
}

TrajectoryWriter TrajectoryWriter::resume(const fs::path& file, const TrajectoryHeader& header) {
  auto state = std::make_unique<State>(file);
  state->header = read_header(state->file);
  if (pack_header(state->header) != pack_header(header)) {
    fail(
        "{}: was written for another scene (other mesh, material, boundary, time step, solver settings or device); to "
        "start again use --overwrite",
        file.string());
  }
  state->frames = whole_frames(state->file, header);
  if (state->frames == 0) fail("{}: has no whole frame to resume from; to start again use --overwrite", file.string());
  state->file.truncate(offset(header, state->frames));
  return TrajectoryWriter(std::move(state));
}

int TrajectoryWriter::frames() const { return state_->frames; }

void TrajectoryWriter::append(const Frame& frame) {
  state_->file.write(offset(state_->header, state_->frames), pack_frame(state_->header, state_->frames, frame));
  ++state_->frames;
}

}  // namespace proxima::model
