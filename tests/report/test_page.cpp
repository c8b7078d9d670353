// The page as text, and as a browser shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "apps/plot/plot.hpp"
#include "apps/report/assets.hpp"
#include "apps/report/page.hpp"
#include "compiler/support/file.hpp"
#include "tests/report/browser.hpp"
#include "tests/report/strip.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

report::Page page_of(std::optional<report::Motion> motion) {
  report::Page page;
  page.title = "a <strip> & \"more\"";
  page.summary = "four squares";
  page.notes = {"It is not finished."};
  page.motion = std::move(motion);
  page.no_motion = "It is too large to move here.";
  const plot::Plot plot{"Height", "time, s", "m", false, {{"", {0, 0.5, 1}, {0, 1, 0}}}};
  page.sections = {{"Energy",
                    "What is stored.",
                    {{plot::to_svg(plot), report::Axis::time}},
                    {{"Sizes", {"a", "b"}, {{"1", "<2>"}}}}}};
  return page;
}

TEST(Page, IsOneFileThatAsksForNothing) {
  const std::string html = to_html(page_of(strip(3)));
  EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, testing::EndsWith("</html>\n"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  for (const char* elsewhere : {"<script src", "<link", "@import", "<img", "<iframe"})
    EXPECT_THAT(html, Not(HasSubstr(elsewhere)));
  EXPECT_THAT(html, HasSubstr("a &lt;strip&gt; &amp; &quot;more&quot;"));
  EXPECT_THAT(html, HasSubstr("<td>&lt;2&gt;</td>"));
  EXPECT_THAT(html, HasSubstr("Copyright (c) 2010-2019 three.js authors"));
}

TEST(Page, WithoutAMotionSaysWhyAndCarriesNoLibrary) {
  const std::string html = to_html(page_of(std::nullopt));
  EXPECT_THAT(html, HasSubstr("It is too large to move here."));
  EXPECT_LT(html.size(), 60000u);
}

// What would end a script element in the middle of it.
TEST(Page, ScriptsHoldNoMarkup) {
  using namespace report;
  for (const auto text : {asset_three_min_js(), asset_OrbitControls_js(), asset_data_js(), asset_colours_js(),
                          asset_view_js(), asset_player_js(), asset_pictures_js(), asset_main_js()}) {
    EXPECT_GT(text.size(), 500u);
    for (const char* markup : {"</script", "<!--"}) EXPECT_EQ(text.find(markup), text.npos);
  }
  Motion motion = strip(2);
  motion.fields[2].categories[0] = "</script><b>";
  EXPECT_THAT(to_html(page_of(motion)), Not(HasSubstr("</script><b>")));
}

class InBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_browser(); !why.empty()) GTEST_SKIP() << why;
  }
  void TearDown() override { fs::remove(file); }

  OpenedPage open(const report::Page& page, const std::string& script = "", const std::string& flags = "") const {
    write_file(file, to_html(page));
    return open_page(file, script, flags);
  }

  fs::path file = fs::temp_directory_path() / ("proxima_page_" + std::to_string(::getpid()) + ".html");
};

TEST_F(InBrowser, TheBodyIsDrawn) {
  const OpenedPage page = open(page_of(strip(20)));
  EXPECT_THAT(page.console, IsEmpty());
  EXPECT_EQ(page.number("errors"), 0);
  EXPECT_EQ(page.number("requests"), 0);
  EXPECT_EQ(page.number("blocked"), 0);
  EXPECT_EQ(page.number("frames"), 20);
  EXPECT_EQ(page.number("triangles"), 8);
  EXPECT_EQ(page.number("lines"), 1);
  EXPECT_GT(page.number("pixels"), 2000);
  EXPECT_EQ(page.data.at("ready"), "true");
  EXPECT_TRUE(page.shows("step 0, t = 0 s"));
  EXPECT_FALSE(page.shows("id=\"no-view\""));
}

// Each press is an event on the canvas, as a key would make it.
TEST_F(InBrowser, KeysStepTurnAndPlay) {
  const OpenedPage page = open(page_of(strip(20)), R"js(
    const state = document.documentElement.dataset;
    const canvas = document.querySelector("#stage canvas");
    const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const when = () => document.getElementById("when").textContent;
    canvas.focus();
    state.focused = String(document.activeElement === canvas);
    press(".");
    press(".");
    press(",");
    state.stepped = when();
    press("End");
    state.end = when();
    press("ArrowLeft");
    press("+");
    press("Home");
    // The browser's time is made up here and draws no frames by itself.
    window.requestAnimationFrame = (tick) => setTimeout(() => tick(performance.now()), 16);
    press(" ");
    state.playing = document.getElementById("play").textContent;
    setTimeout(() => { state.later = when(); }, 1500);
  )js");
  EXPECT_THAT(page.console, IsEmpty());
  EXPECT_EQ(page.data.at("focused"), "true");
  EXPECT_EQ(page.data.at("stepped"), "step 5, t = 0.05 s");
  EXPECT_EQ(page.data.at("end"), "step 95, t = 0.95 s");
  EXPECT_EQ(page.data.at("playing"), "Pause");
  EXPECT_NE(page.data.at("later"), "step 0, t = 0 s");
}

TEST_F(InBrowser, ColoursAreOfTheFieldChosen) {
  const OpenedPage page = open(page_of(strip(20)), R"js(
    const state = document.documentElement.dataset;
    const choose = (id, index) => {
      const select = document.getElementById(id);
      select.selectedIndex = index;
      select.dispatchEvent(new Event("change"));
    };
    const bar = () => document.getElementById("bar").textContent;
    state.fields = [...document.getElementById("field").options].map((option) => option.text).join(" ");
    choose("field", 1);
    state.whole = bar();
    document.getElementById("scrub").value = 2;
    document.getElementById("scrub").dispatchEvent(new Event("input"));
    choose("range", 1);
    state.frame = bar();
    choose("field", 2);
    state.material = bar();
    document.querySelector("figure svg").dispatchEvent(new MouseEvent("click", { clientX: 1e6 }));
    state.clicked = document.getElementById("when").textContent;
  )js");
  EXPECT_THAT(page.console, IsEmpty());
  EXPECT_EQ(page.data.at("fields"), "height number material");
  EXPECT_EQ(page.data.at("whole"), "number076152");
  EXPECT_EQ(page.data.at("frame"), "number0816");
  EXPECT_EQ(page.data.at("material"), "materialsoftstiff");
  EXPECT_EQ(page.data.at("clicked"), "step 95, t = 0.95 s");
}

TEST_F(InBrowser, WithoutWebGLASentenceStandsThere) {
  const OpenedPage page = open(page_of(strip(3)), "", "--disable-3d-apis");
  EXPECT_THAT(page.console, IsEmpty());
  EXPECT_EQ(page.number("errors"), 0);
  EXPECT_EQ(page.data.at("ready"), "true");
  EXPECT_TRUE(
      page.shows("<p id=\"no-view\">The body would move here, but this browser has no WebGL. All else is below."));
  EXPECT_TRUE(page.shows("What is stored."));
}

// The policy is what keeps the page from asking: what is put in against it is refused, and seen.
TEST_F(InBrowser, NothingIsFetched) {
  const OpenedPage page = open(page_of(strip(3)), R"js(
    const image = document.createElement("img");
    image.src = "http://127.0.0.1:9/none.png";
    document.body.append(image);
  )js");
  EXPECT_EQ(page.number("blocked"), 1);
  EXPECT_THAT(page.console, Not(IsEmpty()));
}

}  // namespace
}  // namespace proxima::test
