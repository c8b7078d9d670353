// proxima report: of a whole run as a browser shows it, of one that was interrupted, and of folders that are damaged or
// hold no run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/scene_folder.hpp"
#include "tests/report/browser.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Report : public SceneFolder {
 protected:
  void run(const Json& scene) const {
    write_scene(scene);
    const Result result = proxima({"run", "scene.json", "-o", "out"});
    ASSERT_EQ(result.status, 0) << result.err;
  }
  Result report(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"report", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return proxima(arguments);
  }
  // Without the scripts: what is in the page itself.
  std::string page() const {
    std::string html = read_file(folder / "out/report.html");
    return html.substr(0, html.find("<script>"));
  }
};

TEST_F(Report, ShowsARunInABrowser) {
  if (const auto why = why_no_browser(); !why.empty()) GTEST_SKIP() << why;
  auto scene = bar(6);
  scene["materials"].push_back(scene["materials"][0]);
  scene["materials"][1]["name"] = "stiff <end>";
  scene["materials"][1]["region"] = Json::parse(R"({"box": {"lower": [0.1, 0, 0], "upper": [0.2, 0.1, 0.1]}})");
  scene["materials"][1]["parameters"]["E"] = 3e5;
  run(scene);
  const Result result = report();
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("written to out/report.html"));
  const OpenedPage opened = open_page(folder / "out/report.html", R"js(
    const state = document.documentElement.dataset;
    state.fields = [...document.getElementById("field").options].map((option) => option.text).join(", ");
    const select = document.getElementById("field");
    select.selectedIndex = select.options.length - 1;
    select.dispatchEvent(new Event("change"));
    state.bar = document.getElementById("bar").textContent;
    state.sections = [...document.querySelectorAll("h2")].map((title) => title.textContent).join(", ");
    state.markers = document.querySelectorAll("svg .marker").length;
  )js");
  EXPECT_THAT(opened.console, IsEmpty());
  EXPECT_EQ(opened.number("errors"), 0);
  EXPECT_EQ(opened.number("requests"), 0);
  EXPECT_EQ(opened.number("frames"), 7);
  EXPECT_EQ(opened.number("triangles"), 80);
  EXPECT_GT(opened.number("pixels"), 5000);
  EXPECT_EQ(opened.data.at("fields"),
            "displacement, speed, von Mises stress, energy density, largest stretch, smallest stretch, material");
  EXPECT_EQ(opened.data.at("bar"), "materialsoftstiff &lt;end&gt;");
  EXPECT_EQ(opened.data.at("sections"), "Energy and momentum, Solving, Materials, Scene, Run and machine");
  EXPECT_EQ(opened.number("markers"), 6);  // one in each picture of the run
}

TEST_F(Report, TellsWhatWasSimulatedAndOnWhat) {
  run(bar(3));
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(),
              AllOf(HasSubstr("45 nodes, 96 tets"), HasSubstr("<td>time.step</td><td>0.01 s</td>"),
                    HasSubstr("<td>soft</td><td>neo_hookean</td><td>E</td><td>30000</td><td>Pa</td>"),
                    HasSubstr("<td>vector_bits</td>"), HasSubstr("<td>factor</td>"),
                    HasSubstr("soft, neo_hookean: Pulled along one axis"), HasSubstr("E = 3e+04 Pa, nu = 0.3")));
  EXPECT_THAT(page(), Not(HasSubstr("class=\"notes\"")));
}

TEST_F(Report, TakesAsManyMomentsAsAskedFor) {
  run(bar(8));
  const Result result = report({"--frames", "3", "-o", "page.html"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("written to page.html"));
  EXPECT_THAT(result.out, HasSubstr("The body is shown at 3 of 9 steps, one of about 3."));
  EXPECT_THAT(read_file(folder / "page.html"), HasSubstr("\"steps\":[0,4,8]"));
  EXPECT_FALSE(fs::exists(folder / "out/report.html"));
  EXPECT_EQ(report({"--frames", "0"}).status, 2);
}

TEST_F(Report, OfAnInterruptedRunShowsWhatIsThere) {
  run(bar(5));
  const fs::path trajectory = folder / "out/trajectory.bin";
  const auto frame = 48 * 45 + 24;
  fs::resize_file(trajectory, 64 + 3 * frame + frame / 2);  // killed while it wrote the state after step 3
  fs::remove(folder / "out/summary.json");
  const Result result = report();
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(page(), AllOf(HasSubstr("The run is not finished: 2 of 5 steps are there."),
                            HasSubstr("There is no summary.json"), HasSubstr("\"steps\":[0,1,2]")));
}

TEST_F(Report, LeavesOutWhatIsDamagedAndSaysSo) {
  run(bar(3));
  write_file(folder / "out/steps.csv", read_file(folder / "out/steps.csv") + "4,what\n");
  write_file(folder / "out/summary.json", "{\"steps\":");
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr("Lines of steps.csv that are damaged and left out: 1."),
                            HasSubstr("summary.json is damaged and left out.")));
  fs::remove(folder / "out/steps.csv");
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr("There is no steps.csv"), Not(HasSubstr("<h2>Solving</h2>"))));
}

// Of an identification from two tables of markers.
TEST_F(Report, ShowsWhereMarkersAndTheMotionPart) {
  run(bar(2));
  const std::string head = "loss,time,marker,x,y,z,distance\n",
                    rows =
                        "0,0,tip,1,0,0,0.003\n0,0,side,1,0,0,0.004\n0,0.01,tip,1,0,0,0.001\n"
                        "0,0.02,\"<side, 2>\",1,0,0,0.5\n";
  write_file(folder / "out/marker_distances.csv", head + rows);
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr("<h2>Markers</h2>"), HasSubstr(">Markers, root mean square of all<"),
                            HasSubstr(">Each marker<"), Not(HasSubstr("loss[0]")),
                            HasSubstr("<td>tip</td><td>2</td><td>0.00224</td><td>0.003</td><td>0</td>"),
                            HasSubstr("<td>&lt;side, 2&gt;</td><td>1</td><td>0.5</td><td>0.5</td><td>0.02</td>")));
  EXPECT_LT(page().find("<td>&lt;side, 2&gt;</td>"), page().find("<td>side</td>"));  // the farthest first
  EXPECT_LT(page().find("<td>side</td>"), page().find("<td>tip</td>"));

  std::string more;
  for (int k = 0; k < 7; ++k) more += fmt::format("1,0.01,m{},0,0,0,{}\n", k, 0.1 * k);
  write_file(folder / "out/marker_distances.csv", head + rows + more);
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr(">Each marker, loss[0]<"), HasSubstr(">The farthest first, loss[1]<"),
                            HasSubstr(">The 6 markers that are farthest, loss[1]<")));

  write_file(folder / "out/marker_distances.csv", head + rows + "0,0.02,tip\n");
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr("marker_distances.csv is damaged and left out."), Not(HasSubstr(">Markers<"))));
}

// As after an identification, or where somebody has edited the scene.
TEST_F(Report, OfOtherValuesShowsNoStress) {
  run(bar(2));
  auto scene = Json::parse(read_file(folder / "out/scene.json"));
  scene["materials"][0]["parameters"]["E"] = 5e4;
  write_file(folder / "out/scene.json", scene.dump());
  ASSERT_EQ(report().status, 0);
  EXPECT_THAT(page(), AllOf(HasSubstr("made with other values than those of scene.json"), HasSubstr("\"speed\""),
                            Not(HasSubstr("\"von_mises\""))));
}

TEST_F(Report, OfWhatIsNoRunIsRefused) {
  const auto refused = [&](const std::string& with) {
    const Result result = report();
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(with));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_FALSE(fs::exists(folder / "out/report.html"));
  };
  refused("out: does not exist; the folder of a proxima run is needed");
  fs::create_directories(folder / "out");
  refused("out: is not the folder of a run: it has no scene.json");
  fs::remove(folder / "out");
  run(bar(2));
  write_file(folder / "out/trajectory.bin", "not a trajectory, whatever its name says, and long enough for a header");
  refused("trajectory.bin");
  fs::remove(folder / "out/trajectory.bin");
  refused("out: is not the folder of a run: it has no trajectory.bin");
}

TEST_F(Report, OfATrajectoryOfAnotherMeshIsRefused) {
  run(bar(2));
  auto scene = Json::parse(read_file(folder / "out/scene.json"));
  scene["mesh"]["box"]["cells"] = {3, 2, 2};
  write_file(folder / "out/scene.json", scene.dump());
  const Result result = report();
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              HasSubstr("trajectory.bin: has 45 nodes and 0 history variables, the scene beside it 36 and 0"));
}

TEST_F(Report, ThatCannotBeWrittenLeavesNothing) {
  run(bar(1));
  const Result result = report({"-o", "nowhere/page.html"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("nowhere/page.html"));
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

}  // namespace
}  // namespace proxima::test
