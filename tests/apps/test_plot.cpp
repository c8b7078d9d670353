// The plots: well-formed XML, points where their ticks say, gaps, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkSmartPointer.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLUtilities.h>

#include <cmath>
#include <map>
#include <sstream>

#include "apps/plot/axis.hpp"
#include "apps/plot/plot.hpp"
#include "compiler/support/error.hpp"

namespace proxima::plot {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

using Element = vtkSmartPointer<vtkXMLDataElement>;

Element parse(const std::string& svg) {
  auto root = Element::Take(vtkXMLUtilities::ReadElementFromString(svg.c_str()));
  EXPECT_NE(root, nullptr) << svg;
  EXPECT_STREQ(root->GetName(), "svg");
  return root;
}

std::vector<vtkXMLDataElement*> all(const Element& root, const std::string& name, const std::string& kind = "") {
  std::vector<vtkXMLDataElement*> found;
  for (int i = 0; i < root->GetNumberOfNestedElements(); ++i) {
    auto* element = root->GetNestedElement(i);
    const char* value = element->GetAttribute("class");
    if (element->GetName() == name && (kind.empty() || (value != nullptr && value == kind))) found.push_back(element);
  }
  return found;
}

double number(vtkXMLDataElement* element, const char* attribute) { return std::stod(element->GetAttribute(attribute)); }

// The pixel at which each plain tick label stands on an axis.
std::map<double, double> tick_places(const Element& root, const std::string& kind, const char* attribute) {
  const auto labels = all(root, "text", kind), lines = all(root, "line", kind);
  EXPECT_EQ(labels.size(), lines.size());
  std::map<double, double> places;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string label = labels[i]->GetCharacterData();
    if (!label.empty()) places[std::stod(label)] = number(lines[i], attribute);
  }
  return places;
}

Plot line(std::vector<double> xs, std::vector<double> ys, bool log_y = false) {
  return {"title", "x", "y", log_y, {{"series", std::move(xs), std::move(ys)}}};
}

TEST(Plot, PutsPointsWhereTheTicksSay) {
  const auto root = parse(to_svg(line({0, 5, 10}, {-1, 0, 1})));
  const auto xs = tick_places(root, "x-tick", "x1"), ys = tick_places(root, "y-tick", "y1");
  const auto points = all(root, "circle");
  ASSERT_THAT(points, SizeIs(3));
  const double given_x[] = {0, 10, 10}, given_y[] = {-1, 0, 1};
  for (const int i : {0, 2}) {
    EXPECT_NEAR(number(points[i], "cx"), xs.at(given_x[i]), 0.011);
    EXPECT_NEAR(number(points[i], "cy"), ys.at(given_y[i]), 0.011);
  }
  EXPECT_GT(ys.at(-1), ys.at(1));  // upwards
  EXPECT_NEAR(number(points[1], "cx"), (xs.at(0) + xs.at(10)) / 2, 0.011);
}

TEST(Plot, PutsPointsWhereTheTicksSayOnALogarithmicAxis) {
  const auto root = parse(to_svg(line({0, 1, 2}, {0.1, 1, 5}, true)));
  const auto ys = tick_places(root, "y-tick", "y1");
  const auto points = all(root, "circle");
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_NEAR(number(points[0], "cy"), ys.at(0.1), 0.011);
  EXPECT_NEAR(number(points[1], "cy"), ys.at(1), 0.011);
  EXPECT_NEAR(number(points[2], "cy"), ys.at(5), 0.011);
  EXPECT_NEAR((ys.at(0.1) - ys.at(1)) * std::log10(5), ys.at(1) - ys.at(5), 0.02);
}

TEST(Plot, StaysInsideItsFrame) {
  for (const bool log_y : {false, true}) {
    const auto root = parse(to_svg(line({-3e7, 2, 4e9}, {1e-12, 3, 1e8}, log_y)));
    for (auto* point : all(root, "circle")) {
      EXPECT_GE(number(point, "cx"), 90);
      EXPECT_LE(number(point, "cx"), 776);
      EXPECT_GE(number(point, "cy"), 48);
      EXPECT_LE(number(point, "cy"), 440);
    }
  }
}

TEST(Plot, LeavesOutWhatIsNotFiniteAndBreaksTheLineThere) {
  const auto root = parse(to_svg(line({0, 1, 2, 3, 4, 5, NAN}, {1, 2, NAN, 4, INFINITY, 6, 7})));
  EXPECT_THAT(all(root, "polyline"), SizeIs(1));  // 0-1; 3 and 5 stand alone
  EXPECT_THAT(all(root, "circle"), SizeIs(4));
  // Even a long series marks a point that would otherwise not be seen.
  Plot lonely = line(std::vector<double>(100, NAN), std::vector<double>(100, NAN));
  lonely.series[0].xs[50] = lonely.series[0].ys[50] = 1;
  EXPECT_THAT(all(parse(to_svg(lonely)), "circle"), SizeIs(1));
}

TEST(Plot, PutsDecadesAtEqualDistances) {
  Plot plot = line({1e4, 1e5, 1e6}, {1, 10, 100}, true);
  plot.log_x = true;
  const auto root = parse(to_svg(plot));
  std::vector<double> x, y;
  for (auto* point : all(root, "circle")) {
    x.push_back(number(point, "cx"));
    y.push_back(number(point, "cy"));
  }
  ASSERT_THAT(x, SizeIs(3));
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.02);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.02);
  EXPECT_GT(x[1] - x[0], 100);
}

TEST(Plot, EscapesWhatTheCallerNames) {
  Plot plot = line({0, 1}, {1, 2});
  plot.title = "a < b & \"c\"";
  plot.x_label = plot.y_label = plot.series[0].name = "<script>";
  const auto root = parse(to_svg(plot));
  EXPECT_STREQ(all(root, "title").at(0)->GetCharacterData(), "a < b & \"c\"");
  EXPECT_STREQ(all(root, "text", "legend").at(0)->GetCharacterData(), "<script>");
  EXPECT_THAT(all(root, "script"), SizeIs(0));
}

TEST(Plot, ShowsManySeriesApart) {
  Plot plot = line({0, 1}, {0, 1});
  for (int i = 0; i < 7; ++i) plot.series.push_back({fmt::format("another series {}", i), {0, 1}, {0, 1. + i}});
  const auto root = parse(to_svg(plot));
  std::map<std::string, int> strokes;
  for (auto* element : all(root, "polyline")) {
    const char* dashes = element->GetAttribute("stroke-dasharray");
    ++strokes[std::string(element->GetAttribute("stroke")) + (dashes != nullptr ? dashes : "")];
  }
  EXPECT_THAT(strokes, SizeIs(8));
  for (auto* element : all(root, "text", "legend")) EXPECT_LT(number(element, "x"), 700);
}

TEST(Plot, RefusesWhatCannotBeShown) {
  const auto complaint = [](const Plot& plot) -> std::string {
    try {
      to_svg(plot);
    } catch (const Error& error) {
      return error.what();
    }
    return "no complaint";
  };
  EXPECT_THAT(complaint(line({0, 1, 2}, {1, 0, 2}, true)), HasSubstr("series 'series' has y = 0 at x = 1"));
  Plot logarithmic = line({0, 1, 2}, {1, 3, 2});
  logarithmic.log_x = true;
  EXPECT_THAT(complaint(logarithmic), HasSubstr("series 'series' has y = 1 at x = 0"));
  EXPECT_THAT(complaint(line({0, 1}, {1, 2, 3})), HasSubstr("has 2 x and 3 y"));
  EXPECT_THAT(complaint(line({0, 1}, {NAN, NAN})), HasSubstr("no finite point"));
  EXPECT_THAT(complaint(line({}, {})), HasSubstr("no finite point"));
  EXPECT_THAT(complaint(line({0, 1}, {-1e308, 1e308})), HasSubstr("span too much"));
  EXPECT_EQ(complaint(line({7}, {0})), "no complaint");
  EXPECT_EQ(complaint(line({7, 8}, {1e-300, 1e300}, true)), "no complaint");
}

TEST(Axis, HasAFewRoundTicksWhateverItsRange) {
  for (const bool logarithmic : {false, true}) {
    for (const double from : {1e-9, 0.37, 4e5}) {
      for (const double factor : {1., 1.001, 1.7, 25., 3e4, 1e17}) {
        const Axis axis({from, from * factor}, logarithmic, 0.04);
        std::size_t labelled = 0;
        for (const auto& tick : axis.ticks()) {
          EXPECT_GE(axis.place(tick.value), -1e-9);
          EXPECT_LE(axis.place(tick.value), 1 + 1e-9);
          labelled += !tick.label.empty();
        }
        EXPECT_GE(labelled, 2u) << from << " x " << factor << (logarithmic ? " log" : "");
        EXPECT_LE(labelled, 10u) << from << " x " << factor << (logarithmic ? " log" : "");
      }
    }
  }
}

TEST(Axis, WritesShortLabels) {
  EXPECT_EQ(Axis({0, 1}, false, 0).ticks()[1].label, "0.2");
  EXPECT_EQ(Axis({-30, 30}, false, 0).ticks()[0].label, "-30");
  EXPECT_EQ(Axis({0, 3e9}, false, 0).ticks()[0].label, "0");
  EXPECT_THAT(Axis({0, 3e9}, false, 0).ticks()[1].label, HasSubstr("5·10<tspan"));
  EXPECT_THAT(Axis({1e-8, 1}, true, 0).ticks()[0].label, HasSubstr(">-8<"));
}

}  // namespace
}  // namespace proxima::plot
