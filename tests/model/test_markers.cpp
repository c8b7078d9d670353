#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/markers.hpp"

namespace proxima::model {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Markers : public testing::Test {
 protected:
  Markers() : folder(std::filesystem::temp_directory_path() / fmt::format("proxima_markers_{}", ::getpid())) {
    std::filesystem::create_directories(folder);
  }
  ~Markers() override { std::filesystem::remove_all(folder); }
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    write_file(folder / name, content);
    return folder / name;
  }
  Sightings seen(const std::string& rows) const {
    return read_sightings(write("seen.csv", "time,marker,x,y,z\n" + rows), 1);
  }
  std::filesystem::path folder;
};

TEST_F(Markers, AreSortedByTimeAndReadBackAsWritten) {
  const auto found = seen("0.5,B,4,5,6\n0,B,1,2,3\n0.5,\"A,1\",7,8,9\n0.1,B,0.1,0.2,0.30000000000000004\n");
  EXPECT_THAT(found.markers, ElementsAre("B", "A,1"));
  ASSERT_EQ(found.all.size(), 4u);
  EXPECT_EQ(found.all[0].position, (Vector3{1, 2, 3}));
  EXPECT_EQ(found.all[1].time, 0.1);
  EXPECT_EQ(found.all[2].marker, 0u);
  EXPECT_EQ(found.all[3].marker, 1u);
  EXPECT_THAT(found.all[3].where, HasSubstr("seen.csv:4"));

  const auto again = read_sightings(write("again.csv", sightings_text(found)), 1);
  EXPECT_EQ(sightings_text(again), sightings_text(found));
  EXPECT_EQ(again.all[1].position, found.all[1].position);
}

TEST_F(Markers, MustBeSeenInTheMotionAndOnceAtATime) {
  EXPECT_THAT([&] { seen("0,A,1,2,3\n-0.1,A,1,2,3\n"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("seen.csv:3: "), HasSubstr("time -0.1 s is negative"))));
  EXPECT_THAT([&] { seen("1,A,1,2,3\n1.25,A,1,2,3\n"); },
              ThrowsMessage<Error>(HasSubstr("seen.csv:3: time 1.25 s is after the end of the motion, 1 s")));
  EXPECT_THAT(
      [&] { seen("0.2,A,1,2,3\n0.3,A,1,2,3\n0.2,A,1,2,4\n"); },
      ThrowsMessage<Error>(AllOf(HasSubstr("seen.csv:4: marker 'A' is seen twice at 0.2 s"), HasSubstr("seen.csv:2"))));
  EXPECT_THAT([&] { seen("0.2,A,1,2,nan\n"); }, ThrowsMessage<Error>(HasSubstr("seen.csv:2: 'z' is 'nan'")));
}

TEST_F(Markers, MayBeInOtherUnitsAndStartLater) {
  const auto read = [&](const std::string& rows, const TableReading& reading) {
    return read_sightings(write("seen.csv", "time,marker,x,y,z\n" + rows), 1, reading);
  };
  const TableReading reading{.length_unit = 0.001, .starts_at = 12.5, .ends_at = 13};
  const auto found = read("12.4,A,1,2,3\n12.5,A,100,200,-300\n13,A,1,2,3\n13.1,A,1,2,3\n20,B,1,2,3\n", reading);
  EXPECT_THAT(found.markers, ElementsAre("A"));
  ASSERT_EQ(found.all.size(), 2u);
  EXPECT_EQ(found.outside, 3u);
  EXPECT_EQ(found.all[0].time, 0);
  EXPECT_EQ(found.all[0].position, (Vector3{0.1, 0.2, -0.3}));
  EXPECT_EQ(found.all[1].time, 0.5);
  const auto table = write("places.csv", "marker,x,y,z\nA,500,0,0\n");
  EXPECT_EQ(marker_places(found, table, 0.001)[0].position[0], 0.5);

  EXPECT_THAT([&] { read("12.5,A,1,2,3\n14,A,1,2,3\n", {.length_unit = 1, .starts_at = 12.5, .ends_at = {}}); },
              ThrowsMessage<Error>(HasSubstr(
                  "seen.csv:3: time 14 s is after the end of the motion, 1 s after it starts at 12.5 s; 'ends_at'")));
  EXPECT_THAT([&] { read("1,A,1,2,3\n", {.length_unit = 1, .starts_at = 12.5, .ends_at = {}}); },
              ThrowsMessage<Error>(HasSubstr("seen.csv: no marker is seen in it: 0 rows are empty or NaN, 1 are")));
  EXPECT_THAT(
      [&] {
        marker_places(read("12.6,A,1,2,3\n", {.length_unit = 1, .starts_at = 12.5, .ends_at = {}}), std::nullopt);
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("first seen at 12.6 s"), HasSubstr("needs a row at time 12.5,"))));
}

TEST_F(Markers, AreHiddenWhereTheirCellsAreEmpty) {
  const auto found = seen("0,A,1,2,3\n0.1,A,,,\n0.1,B,NaN,nan,-nan\n0.2,A,4,5,6\n");
  EXPECT_THAT(found.markers, ElementsAre("A"));
  EXPECT_EQ(found.all.size(), 2u);
  EXPECT_EQ(found.hidden, 2u);
  EXPECT_THAT([&] { seen("0,A,1,2,\n"); }, ThrowsMessage<Error>(HasSubstr("seen.csv:2: 'z' is empty")));
  EXPECT_THAT([&] { seen("0,A,,,\n"); }, ThrowsMessage<Error>(HasSubstr("no marker is seen in it: 1 rows are empty")));
}

TEST_F(Markers, SitWhereTheTableSaysOrWhereTheyWereSeenFirst) {
  const auto sightings = seen("0,A,1,0,0\n0,B,2,0,0\n0.5,C,3,0,0\n");
  EXPECT_THAT([&] { marker_places(sightings, std::nullopt); },
              ThrowsMessage<Error>(AllOf(HasSubstr("seen.csv:4: marker 'C' is first seen at 0.5 s"),
                                         HasSubstr("row at time 0, or one in a table under 'attach'"))));
  const auto table = write("places.csv", "z,y,x,marker\n0,0,8,B\n0,0,9,C\n7,7,7,D\n");
  const auto places = marker_places(sightings, table);
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].position[0], 1);
  EXPECT_EQ(places[0].marker, "A");
  EXPECT_EQ(places[1].position[0], 8);
  EXPECT_EQ(places[2].position[0], 9);
  EXPECT_THAT(places[2].where, HasSubstr("places.csv:3"));

  EXPECT_THAT([&] { marker_places(sightings, write("places.csv", "marker,x,y,z\nB,1,2,3\nB,1,2,3\n")); },
              ThrowsMessage<Error>(HasSubstr("places.csv:3: marker 'B' is there twice")));
  EXPECT_THAT([&] { marker_places(sightings, write("places.csv", "marker,x,y,z\nB,1,2,3\n")); },
              ThrowsMessage<Error>(AllOf(HasSubstr("marker 'C'"), HasSubstr("or one in"), HasSubstr("places.csv"))));
}

}  // namespace
}  // namespace proxima::model
