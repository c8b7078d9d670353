// Tables of markers, written by proxima markers and read by losses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "compiler/support/csv.hpp"
#include "runtime/model/markers.hpp"
#include "runtime/model/trajectory.hpp"
#include "tests/apps/optimize_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double end = 0.05;  // s, of the bar's five steps

// The folder has the motion of a bar of 0.2 x 0.1 x 0.1 m, recorded.
class MarkerTables : public Optimize {
 protected:
  void SetUp() override {
    Optimize::SetUp();
    write_file(folder / "places.csv", "marker,x,y,z\ntop,0.13,0.04,0.1\nball,0.172,0.061,0.103\nbead,0.19,0.03,0.07\n");
  }
  Result markers(const std::string& table, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"markers", "recorded", "--attach", "places.csv", "-o", table};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return proxima(arguments);
  }
  Json search_by(const Json& term) const {
    auto scene = search(40, 1);
    scene["loss"] = Json::array({term});
    return scene;
  }
  Json by_table() const { return search_by({{"markers", "seen.csv"}, {"attach", "places.csv"}}); }
  // The message with which the table is refused.
  std::string fault(const std::string& table, const Json& more = {}) const {
    write_file(folder / "seen.csv", table);
    Json term = {{"markers", "seen.csv"}};
    if (!more.is_null()) term.update(more);
    write_scene(search_by(term));
    const auto result = proxima({"optimize", "scene.json", "-o", "found"});
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_FALSE(fs::exists(folder / "found"));
    return result.err;
  }
};

TEST_F(MarkerTables, TellTheMaterialThatMadeThem) {
  const auto written = markers("seen.csv", {"--rate", "370"});
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.out,
              AllOf(HasSubstr("3 markers, 0.001 m from the body on average, 'ball' is farthest with 0.003"),
                    HasSubstr("57 sightings at 19 times from 0 to 0.0486486 s, 0 were hidden")));
  write_scene(by_table());
  const auto found = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("loss[0]: 3 markers seen 57 times from 0 to 0.0486486 s; 0.001 m from the body"));
  const auto result = Json::parse(read_file(folder / "found/result.json"));
  EXPECT_LT(result["loss"], 1e-12);
  EXPECT_THAT(found.out, HasSubstr("loss[0]: markers were seen "));
  for (const auto& variable : result["variables"])
    EXPECT_NEAR(variable["found"].get<double>() / variable["truth"].get<double>(), 1, 1e-3) << variable;
}

TEST_F(MarkerTables, HaveTheNoiseAndTheGapsThatAreAskedFor) {
  ASSERT_EQ(markers("exact.csv", {"--rate", "4000"}).status, 0);
  ASSERT_EQ(markers("seen.csv", {"--rate", "4000", "--noise", "2e-4", "--hidden", "0.25", "--seed", "7"}).status, 0);
  const auto exact = model::read_sightings(folder / "exact.csv", end),
             seen = model::read_sightings(folder / "seen.csv", end);
  ASSERT_EQ(exact.all.size(), 3u * 201);
  EXPECT_NEAR(static_cast<double>(seen.all.size()), 0.75 * static_cast<double>(exact.all.size()), 40);
  double squares = 0;
  auto at = exact.all.begin();
  for (const auto& sighting : seen.all) {
    while (at->time != sighting.time || at->marker != sighting.marker) ++at;
    for (std::size_t i = 0; i < 3; ++i) squares += std::pow(sighting.position[i] - at->position[i], 2);
  }
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(3 * seen.all.size())), 2e-4, 1e-5);
  EXPECT_EQ(seen.all[2].time, 0);  // none is hidden then
  ASSERT_EQ(markers("again.csv", {"--rate", "4000", "--noise", "2e-4", "--hidden", "0.25", "--seed", "7"}).status, 0);
  EXPECT_EQ(read_file(folder / "again.csv"), read_file(folder / "seen.csv"));
}

TEST_F(MarkerTables, AreRefusedByFileAndLine) {
  const std::string head = "time,marker,x,y,z\n0,top,0.13,0.04,0.1\n";
  EXPECT_THAT(fault(head + "0.051,top,0.13,0.04,0.1\n"),
              HasSubstr("seen.csv:3: time 0.051 s is after the end of the motion, 0.05"));
  EXPECT_THAT(fault(head + "0.02,bead,0.13,0.04,0.1\n"),
              HasSubstr("seen.csv:3: marker 'bead' is first seen at 0.02 s"));
  EXPECT_THAT(fault(head + "0,far,0.13,0.04,0.12\n"),
              HasSubstr("seen.csv:3: marker 'far' is 0.02 m from the body; 0.0122 m at most, 5 % of its diagonal"));
  EXPECT_THAT(fault(head, {{"attach", "far.csv"}}), HasSubstr("far.csv"));
  write_file(folder / "far.csv", "marker,x,y,z\ntop,0.13,0.04,0.103\n");
  EXPECT_THAT(fault(head, {{"attach", "far.csv"}, {"attach_within", 0.002}}),
              HasSubstr("far.csv:2: marker 'top' is 0.003 m from the body; 0.002 m at most is attach_within"));
  const auto by_command =
      proxima({"markers", "recorded", "--attach", "far.csv", "-o", "seen.csv", "--attach-within", "1e-3"});
  EXPECT_EQ(by_command.status, 2);
  EXPECT_THAT(by_command.err, HasSubstr("far.csv:2: marker 'top' is 0.003 m from the body"));
}

// What a laboratory's software writes: millimetres, a clock that began earlier, a recording that goes on, empty cells.
TEST_F(MarkerTables, MayBeWhatSoftwareExports) {
  ASSERT_EQ(markers("seen.csv", {"--rate", "370"}).status, 0);
  std::string rows = "time,marker,x,y,z\n12.25,top,-1,-1,-1\n12.5625,top,,,\n99,ball,0,0,0\n";
  for (const auto& [time, marker, at, where] : model::read_sightings(folder / "seen.csv", end).all)
    rows += fmt::format("{},{},{},{},{}\n", 12.5 + time, (std::array{"top", "ball", "bead"})[marker], 1000 * at[0],
                        1000 * at[1], 1000 * at[2]);
  write_file(folder / "exported.csv", rows);
  write_file(folder / "in_mm.csv", "marker,x,y,z\ntop,130,40,100\nball,172,61,103\nbead,190,30,70\n");
  Json term = Json::parse(R"({"markers": "exported.csv", "attach": "in_mm.csv", "length_unit": 0.001,
                              "starts_at": 12.5, "ends_at": 12.55})");
  write_scene(search_by(term));
  const auto found = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.out, AllOf(HasSubstr("loss[0]: 3 markers seen 57 times from 0 to 0.0486"),
                               HasSubstr("; rows left out, before starts_at or after ends_at: 3")));
  EXPECT_EQ(found.err.find("warning"), std::string::npos) << found.err;
  for (const auto& variable : Json::parse(read_file(folder / "found/result.json"))["variables"])
    EXPECT_NEAR(variable["found"].get<double>() / variable["truth"].get<double>(), 1, 1e-3) << variable;

  term["ends_at"] = 12;
  write_scene(search_by(term));
  expect_refused({"optimize", "scene.json", "-o", "other"}, "loss[0].ends_at: is before the motion starts, at 12.5 s");
  term["ends_at"] = 12.55;
  term["attach"] = "places.csv";  // in metres
  term["attach_within"] = 1;
  write_scene(search_by(term));
  EXPECT_THAT(proxima({"optimize", "scene.json", "-o", "other"}).err,
              AllOf(HasSubstr("warning: "), HasSubstr("loss[0]: markers were seen 0.1"),
                    HasSubstr("more than 5 % of the body's diagonal: are units (length_unit)")));
}

TEST_F(MarkerTables, AreComparedByWhatIsInThemOnResuming) {
  ASSERT_EQ(markers("seen.csv").status, 0);
  auto scene = by_table();
  scene["optimize"]["max_evaluations"] = 2;
  write_scene(scene);
  ASSERT_EQ(proxima({"optimize", "scene.json", "-o", "found"}).status, 0);
  for (const char* name : {"seen.csv", "places.csv"}) {
    const auto content = read_file(folder / name);
    auto changed = content;
    char& digit = changed[changed.size() - 2];
    digit = digit == '5' ? '6' : '5';
    write_file(folder / name, changed);
    expect_refused({"optimize", "scene.json", "-o", "found", "--resume"}, "was written for another scene");
    write_file(folder / name, content);
  }
  fs::create_directories(folder / "elsewhere");
  for (const char* name : {"seen.csv", "places.csv"}) fs::rename(folder / name, folder / "elsewhere" / name);
  for (const char* key : {"markers", "attach"})
    scene["loss"][0][key] = "elsewhere/" + scene["loss"][0][key].get<std::string>();
  scene["optimize"]["max_evaluations"] = 4;
  write_scene(scene);
  const auto resumed = proxima({"optimize", "scene.json", "-o", "found", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("resumed after 2 evaluations"));
  expect_refused({"optimize", "scene.json", "-o", "elsewhere", "--overwrite"},
                 "loss[0].markers lies in the output folder");
}

// The loss of the scene's own values.
class LossOf : public MarkerTables {
 protected:
  double loss(const Json& term) const {
    auto scene = search_by(term);
    scene["optimize"]["variables"] = Json::parse(R"([{"parameter": "E", "lower": 1e3, "upper": 1e6}])");
    scene["optimize"]["max_evaluations"] = 1;
    write_scene(scene);
    const auto result = proxima({"optimize", "scene.json", "-o", "found", "--overwrite"});
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(read_file(folder / "found/result.json"))["loss"];
  }
};

TEST_F(LossOf, MarkersGrowsByTheNoiseThatIsAdded) {
  ASSERT_EQ(markers("seen.csv", {"--rate", "2000"}).status, 0);
  const auto noisy = [&](double noise) {
    return loss({{"markers", "seen.csv"}, {"attach", "places.csv"}, {"noise", noise}, {"seed", 3}});
  };
  EXPECT_LT(noisy(0), 1e-20);
  write_file(folder / "moved.csv", "marker,x,y,z\ntop,0.13,0.043,0.1\nball,0.172,0.065,0.103\n");
  write_scene(search_by({{"markers", "seen.csv"}, {"attach", "moved.csv"}}));
  EXPECT_THAT(proxima({"optimize", "scene.json", "-o", "moved"}).out,
              HasSubstr("; seen 0.00289 m from there at time 0 (root mean square of 3)"));  // 3, 4 and 0 mm
  const auto seen = model::read_sightings(folder / "seen.csv", end);
  double squares = 0;  // of the ways from where they start
  for (const auto& sighting : seen.all)
    for (std::size_t i = 0; i < 3; ++i)
      squares += std::pow(sighting.position[i] - seen.all[sighting.marker].position[i], 2);
  EXPECT_NEAR(noisy(0.1) / (0.01 * squares / static_cast<double>(seen.all.size())), 1, 0.15);
}

TEST_F(LossOf, MarkersIsTheMeanOfTheirSquaredDistances) {
  ASSERT_EQ(markers("seen.csv", {"--rate", "370", "--noise", "1e-3"}).status, 0);
  auto scene = search(3, 1);
  scene["loss"] =
      Json::parse(R"([{"centre_of_mass": [0.1, 0.05, 0.05]}, {"markers": "seen.csv", "attach": "places.csv"}])");
  scene["loss"][0]["weight"] = 1e-300;
  write_scene(scene);
  const auto found = proxima({"optimize", "scene.json", "-o", "found"});
  ASSERT_EQ(found.status, 0) << found.err;
  const CsvTable table("", read_file(folder / "found/marker_distances.csv"),
                       {"loss", "time", "marker", "x", "y", "z", "distance"});
  ASSERT_EQ(table.rows(), 57u);
  const auto seen = model::read_sightings(folder / "seen.csv", end);
  double squares = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    EXPECT_EQ(table.number(row, 0), 1);
    EXPECT_EQ(table.number(row, 1), seen.all[row].time);
    EXPECT_EQ(table.text(row, 2), seen.markers[seen.all[row].marker]);
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) square += std::pow(table.number(row, 3 + i) - seen.all[row].position[i], 2);
    EXPECT_NEAR(table.number(row, 6), std::sqrt(square), 1e-12);
    squares += square;
  }
  const double loss = Json::parse(read_file(folder / "found/result.json"))["loss"];
  EXPECT_NEAR(squares / 57, loss, 1e-6 * loss);
  EXPECT_THAT(found.out, HasSubstr(fmt::format("loss[1]: markers were seen {:.3g} m from where", std::sqrt(loss))));
}

TEST_F(LossOf, RecordingsOfOtherStepsIsTakenBetweenTheirFrames) {
  EXPECT_EQ(loss({{"trajectory", "recorded"}}), 0);
  auto scene = bar(8);
  scene["time"]["step"] = 0.007;
  write_scene(scene, "other.json");
  ASSERT_EQ(proxima({"run", "other.json", "-o", "other"}).status, 0);
  const model::TrajectoryReader other(folder / "other");
  const auto before = other.read(5).positions, after = other.read(6).positions;
  const auto own = model::TrajectoryReader(folder / "recorded").read(4).positions;
  const double share = 0.04 / 0.007 - 5;
  double squares = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    squares += std::pow(own[i] - share * after[i] - (1 - share) * before[i], 2);
  const double expected = squares / (static_cast<double>(own.size()) / 3);
  EXPECT_GT(expected, 1e-8);
  EXPECT_NEAR(loss({{"trajectory", "other"}, {"frames", {4}}}) / expected, 1, 1e-6);

  scene["time"]["steps"] = 7;
  write_scene(scene, "other.json");
  ASSERT_EQ(proxima({"run", "other.json", "-o", "other", "--overwrite"}).status, 0);
  write_scene(search_by({{"trajectory", "other"}}));
  expect_refused({"optimize", "scene.json", "-o", "missing"},
                 "ends after 0.049 s, 7 steps of 0.007 s; step 5 of the scene, after 0.05 s, is asked for");
}

// Held nodes, an obstacle that the bar falls on, BDF2.
TEST_F(MarkerTables, HaveTheGradientOfWhatTheyMeasure) {
  auto scene = bar(5);
  scene["time"]["integrator"] = "bdf2";
  scene["obstacles"] = Json::parse(R"([{"name": "floor", "plane": {}, "place": {"translate": [0, 0, -0.003]}}])");
  write_scene(scene, "touching.json");
  ASSERT_EQ(proxima({"run", "touching.json", "-o", "recorded", "--overwrite"}).status, 0);
  ASSERT_EQ(markers("seen.csv", {"--rate", "370", "--noise", "1e-3"}).status, 0);
  scene["loss"] = by_table()["loss"];
  scene["gradcheck"]["inputs"] = {"parameters", "velocities", "density"};
  write_scene(scene);
  const auto result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("E[soft]: passed"), Not(HasSubstr("FAILED"))));
}

}  // namespace
}  // namespace proxima::test
