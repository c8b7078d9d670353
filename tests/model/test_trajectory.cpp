#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/hash.hpp"
#include "runtime/model/recording.hpp"
#include "tests/model/scene_folder.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t nodes = 3, frame_bytes = 48 * nodes + 24;
const TrajectoryHeader header{nodes, 0.01, {1, 2}};

std::vector<double> values(double first) {
  std::vector<double> result(3 * nodes);
  for (auto& value : result) value = first += 0.1;
  return result;
}

Frame frame(int k) { return {values(k), values(-k)}; }

class Trajectory : public test::SceneFolder {
 protected:
  void SetUp() override {
    SceneFolder::SetUp();
    file = folder / trajectory_name;
    auto writer = TrajectoryWriter::create(file, header, frame(0));
    for (int k = 1; k < 3; ++k) writer.append(frame(k));
    whole = read_file(file);
  }
  fs::path file;
  std::string whole;
};

TEST_F(Trajectory, IsReadBackAsWritten) {
  const TrajectoryReader reader(folder);  // the folder of a run will do
  EXPECT_EQ(reader.header().nodes, nodes);
  EXPECT_EQ(reader.header().time_step, 0.01);
  EXPECT_EQ(reader.header().fingerprint, header.fingerprint);
  ASSERT_EQ(reader.frames(), 3);
  EXPECT_EQ(reader.read(2).positions, values(2));
  EXPECT_EQ(reader.read(2).velocities, values(-2));
  EXPECT_THAT([&] { reader.read(3); }, ThrowsMessage<Error>(HasSubstr("no frame 3, it has 3 whole frames")));
}

TEST_F(Trajectory, IsAMotionInTime) {
  const Recording recording(folder);
  EXPECT_EQ(recording.positions(0), values(0));
  EXPECT_EQ(recording.positions(0.01), values(1));
  EXPECT_EQ(recording.positions(0.01 * (1 + 1e-12)), values(1));
  const auto between = recording.positions(0.0125);
  for (std::size_t i = 0; i < between.size(); ++i)
    EXPECT_NEAR(between[i], 0.75 * values(1)[i] + 0.25 * values(2)[i], 1e-14);
  EXPECT_TRUE(recording.reaches(0.02));
  EXPECT_FALSE(recording.reaches(0.0201));
  EXPECT_FALSE(recording.reaches(1e30));
  EXPECT_THAT([&] { recording.positions(0.0201); }, ThrowsMessage<Error>(HasSubstr("no frame 3")));
}

TEST_F(Trajectory, KeepsHistories) {
  fs::remove(file);
  TrajectoryHeader with = header;
  with.history = 5;
  const auto state = [&](int k) {
    Frame result = frame(k);
    for (int i = 0; i < 5; ++i) result.history.push_back(k + 0.1 * i);
    return result;
  };
  {
    auto writer = TrajectoryWriter::create(file, with, state(0));
    writer.append(state(1));
    EXPECT_THROW(writer.append(frame(2)), std::invalid_argument);
  }
  EXPECT_EQ(fs::file_size(file), 64 + 2 * (frame_bytes + 40));
  EXPECT_EQ(TrajectoryReader(file).header().history, 5u);
  EXPECT_EQ(TrajectoryReader(file).read(1).history, state(1).history);
  EXPECT_EQ(TrajectoryReader(file).read(1).velocities, state(1).velocities);
  EXPECT_THAT([&] { TrajectoryWriter::resume(file, header); }, ThrowsMessage<Error>(HasSubstr("another scene")));
  EXPECT_EQ(TrajectoryWriter::resume(file, with).frames(), 2);
}

// Cut anywhere, the file is read up to its last whole frame and a resumed writer ends with the bytes of an uncut one.
TEST_F(Trajectory, SurvivesACutAtEveryByteOfItsTail) {
  for (std::size_t size = 64 + frame_bytes; size < whole.size(); ++size) {
    write_file(file, whole.substr(0, size));
    const int frames = static_cast<int>((size - 64) / frame_bytes);
    ASSERT_EQ(TrajectoryReader(file).frames(), frames);
    auto writer = TrajectoryWriter::resume(file, header);
    ASSERT_EQ(writer.frames(), frames);
    for (int k = frames; k < 3; ++k) writer.append(frame(k));
    ASSERT_EQ(read_file(file), whole);
  }
}

TEST_F(Trajectory, StopsAtTheFirstDamagedFrame) {
  auto damaged = whole;
  damaged[64 + frame_bytes + 40] ^= 1;
  write_file(file, damaged);
  EXPECT_EQ(TrajectoryReader(file).frames(), 1);
  EXPECT_EQ(TrajectoryWriter::resume(file, header).frames(), 1);
  EXPECT_EQ(fs::file_size(file), 64 + frame_bytes);
}

TEST_F(Trajectory, RefusesWhatIsNotItsOwn) {
  const auto resume = [&](TrajectoryHeader other) { return [=, this] { TrajectoryWriter::resume(file, other); }; };
  EXPECT_THAT(resume({nodes, 0.01, {1, 3}}), ThrowsMessage<Error>(HasSubstr("another scene")));
  EXPECT_THAT(resume({nodes + 1, 0.01, {1, 2}}), ThrowsMessage<Error>(HasSubstr("another scene")));
  EXPECT_THAT([&] { TrajectoryWriter::create(file, header, frame(0)); }, ThrowsMessage<Error>(HasSubstr("exists")));
  write_file(file, "something else");
  EXPECT_THAT([&] { TrajectoryReader reader(file); }, ThrowsMessage<Error>(HasSubstr("not a trajectory")));
  auto damaged = whole;
  damaged[20] ^= 1;
  write_file(file, damaged);
  EXPECT_THAT([&] { TrajectoryReader reader(file); }, ThrowsMessage<Error>(HasSubstr("header is damaged")));
  // 2^60 nodes have frames of no size, by overflow; the checksum is right.
  damaged = whole;
  const std::uint64_t many = std::uint64_t{1} << 60;
  std::memcpy(damaged.data() + 16, &many, 8);
  const auto checksum = hash_bytes(std::string_view(damaged).substr(0, 48));
  std::memcpy(damaged.data() + 48, &checksum.high, 8);
  std::memcpy(damaged.data() + 56, &checksum.low, 8);
  write_file(file, damaged);
  EXPECT_THAT([&] { TrajectoryReader reader(file); }, ThrowsMessage<Error>(HasSubstr("header is damaged")));
  damaged = whole;
  damaged[8] = 9;
  write_file(file, damaged);
  EXPECT_THAT([&] { TrajectoryReader reader(file); }, ThrowsMessage<Error>(HasSubstr("version 9")));
  write_file(file, whole.substr(0, 70));
  EXPECT_THAT(resume(header), ThrowsMessage<Error>(HasSubstr("no whole frame")));
  EXPECT_THAT([&] { TrajectoryReader reader(folder / "absent"); }, ThrowsMessage<Error>(HasSubstr("absent")));
}

TEST_F(Trajectory, HasOneWriterAtATime) {
  const auto first = TrajectoryWriter::resume(file, header);
  EXPECT_THAT([&] { TrajectoryWriter::resume(file, header); }, ThrowsMessage<Error>(HasSubstr("another run")));
}

TEST(Fingerprint, ChangesWithWhatDeterminesTheStatesOnly) {
  const Model model = test::two_cubes();
  const auto changed = [&](auto change) {
    Model other = test::two_cubes();
    change(other);
    return fingerprint(other) != fingerprint(model);
  };
  EXPECT_FALSE(changed([](Model&) {}));
  EXPECT_FALSE(changed([](Model& m) { m.steps = 999; }));
  EXPECT_FALSE(changed([](Model& m) { m.regions[0].name = "other"; }));
  EXPECT_TRUE(changed([](Model& m) { m.time_step *= 2; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[0].parameters[0][0] += 1e-9; }));
  EXPECT_TRUE(changed([](Model& m) { m.regions[1].density += 1; }));
  EXPECT_TRUE(changed([](Model& m) { m.mesh.nodes[3][1] += 1e-9; }));
  EXPECT_TRUE(changed([](Model& m) { m.gravity[2] = -9.81; }));
  EXPECT_TRUE(changed([](Model& m) { m.dirichlet = {{{1}, {}, {}}}; }));
  EXPECT_TRUE(changed([](Model& m) { m.forces = {{{1}, {}, 0, 1}}; }));
  EXPECT_TRUE(changed([](Model& m) { m.initial_velocities[7] = 1; }));
  EXPECT_TRUE(changed([](Model& m) {
    auto energy = std::make_shared<ir::Energy>(*m.regions[0].energy);
    energy->density = energy->graph.constant(2.0);
    m.regions[0].energy = energy;
  }));
}

}  // namespace
}  // namespace proxima::model
