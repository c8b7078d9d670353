#include "apps/plot/plot.hpp"

#include <cmath>
#include <iterator>

#include "apps/plot/axis.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/xml.hpp"

namespace proxima::plot {
namespace {

constexpr double kWidth = 800, kHeight = 500;
constexpr double kLeft = 90, kRight = 24, kTitleHeight = 48, kLegendRow = 22, kBottom = 60;
constexpr double kLetter = 7.2;            // width of a letter at 13 pixels, on the generous side
constexpr std::size_t kMarkedPoints = 60;  // a longer series is a line alone

// Told apart by people with any colour vision (Okabe and Ito, 2008). A second round through them is dashed.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

struct Frame {
  double left, top, right, bottom;  // pixels
  Axis x_axis, y_axis;
  double x(double value) const { return left + x_axis.place(value) * (right - left); }
  double y(double value) const { return bottom - y_axis.place(value) * (bottom - top); }
};

class Svg {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }
  std::string text;
};

bool is_finite(const Series& series, std::size_t i) {
  return std::isfinite(series.xs[i]) && std::isfinite(series.ys[i]);
}

Frame make_frame(const Plot& plot, double top) {
  std::vector<double> xs, ys;
  for (const auto& series : plot.series) {
    if (series.xs.size() != series.ys.size()) {
      fail("plot: series '{}' has {} x and {} y", series.name, series.xs.size(), series.ys.size());
    }
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      if (!is_finite(series, i)) continue;
      if ((plot.log_y && series.ys[i] <= 0) || (plot.log_x && series.xs[i] <= 0)) {
        fail("plot: series '{}' has y = {} at x = {}, which a logarithmic axis cannot show", series.name, series.ys[i],
             series.xs[i]);
      }
      xs.push_back(series.xs[i]);
      ys.push_back(series.ys[i]);
    }
  }
  if (xs.empty()) fail("plot: '{}' has no finite point", plot.title);
  return {kLeft, top, kWidth - kRight, kHeight - kBottom, Axis(xs, plot.log_x, 0.015), Axis(ys, plot.log_y, 0.04)};
}

std::string stroke(std::size_t series) {
  const auto count = std::size(kColours);
  return fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", kColours[series % count],
                     series / count % 2 == 1 ? " stroke-dasharray=\"7 4\"" : "");
}

// Draws the stroke sample and the name of each series, row by row; returns the height taken.
double draw_legend(Svg& svg, const Plot& plot) {
  double x = kLeft, row = 0;
  bool any = false;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const auto& name = plot.series[s].name;
    if (name.empty()) continue;
    const double width = 34 + kLetter * static_cast<double>(name.size()) + 18;
    if (any && x + width > kWidth) {
      x = kLeft;
      ++row;
    }
    any = true;
    const double y = kTitleHeight + row * kLegendRow + 6;
    svg.add(R"(<line class="legend" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)", x, y, x + 26, y, stroke(s));
    svg.add(R"(<text class="legend" x="{:.1f}" y="{:.1f}">{}</text>)", x + 32, y + 4, escape_xml(name));
    x += width;
  }
  return any ? (row + 1) * kLegendRow : 0;
}

void draw_axes(Svg& svg, const Plot& plot, const Frame& frame) {
  for (const auto& [value, label] : frame.x_axis.ticks()) {
    const double x = frame.x(value);
    svg.add(R"(<line class="x-tick" x1="{0:.2f}" y1="{1:.2f}" x2="{0:.2f}" y2="{2:.2f}" stroke="#e3e6ea"/>)", x,
            frame.top, frame.bottom);
    svg.add(R"(<text class="x-tick" x="{:.2f}" y="{:.2f}" text-anchor="middle">{}</text>)", x, frame.bottom + 20,
            label);
  }
  for (const auto& [value, label] : frame.y_axis.ticks()) {
    const double y = frame.y(value);
    svg.add(R"(<line class="y-tick" x1="{1:.2f}" y1="{0:.2f}" x2="{2:.2f}" y2="{0:.2f}" stroke="#e3e6ea"/>)", y,
            frame.left, frame.right);
    svg.add(R"(<text class="y-tick" x="{:.2f}" y="{:.2f}" text-anchor="end">{}</text>)", frame.left - 9, y + 4.5,
            label);
  }
  svg.add(R"(<path class="axis" data-area="{0:.2f} {3:.2f} {1:.2f} {2:.2f} {4} {5}" )"
          R"(d="M{0:.2f} {1:.2f}V{2:.2f}H{3:.2f}" fill="none" stroke="#5b6470"/>)",
          frame.left, frame.top, frame.bottom, frame.right, frame.x_axis.lower(), frame.x_axis.upper());
  const double middle_x = (frame.left + frame.right) / 2, middle_y = (frame.top + frame.bottom) / 2;
  svg.add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="14">{}</text>)", middle_x, kHeight - 16,
          escape_xml(plot.x_label));
  svg.add(
      R"svg(<text x="22" y="{0:.1f}" text-anchor="middle" font-size="14" transform="rotate(-90 22 {0:.1f})">{1}</text>)svg",
      middle_y, escape_xml(plot.y_label));
}

// One polyline for each run of finite points; a run of one point is a marker alone.
void draw_series(Svg& svg, const Frame& frame, const Series& series, std::size_t number) {
  const bool marked = series.xs.size() <= kMarkedPoints;
  std::string run;
  std::size_t length = 0;
  std::string markers;
  const auto finish_run = [&] {
    if (length > 1) {
      svg.add(R"(<polyline points="{}" fill="none" stroke-linejoin="round" {}/>)", run, stroke(number));
    }
    run.clear();
    length = 0;
  };
  const auto count = series.xs.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_finite(series, i)) {
      finish_run();
      continue;
    }
    const double x = frame.x(series.xs[i]), y = frame.y(series.ys[i]);
    fmt::format_to(std::back_inserter(run), "{}{:.2f},{:.2f}", length == 0 ? "" : " ", x, y);
    ++length;
    const bool alone = length == 1 && (i + 1 == count || !is_finite(series, i + 1));
    if (marked || alone) {
      fmt::format_to(std::back_inserter(markers), "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"{}\"/>\n", x, y,
                     kColours[number % std::size(kColours)]);
    }
  }
  finish_run();
  svg.text += markers;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  Svg svg;
  svg.add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" )"
          R"(font-family="system-ui, 'Helvetica Neue', Arial, sans-serif" font-size="13" fill="#2b3138">)",
          kWidth, kHeight);
  svg.add("<title>{}</title>", escape_xml(plot.title));
  svg.add(R"(<rect class="ground" width="100%" height="100%" fill="#ffffff"/>)");
  svg.add(R"(<text x="{}" y="32" font-size="18" font-weight="600">{}</text>)", kLeft, escape_xml(plot.title));
  const double legend = draw_legend(svg, plot);
  const auto frame = make_frame(plot, kTitleHeight + legend + 4);
  draw_axes(svg, plot, frame);
  for (std::size_t s = 0; s < plot.series.size(); ++s) draw_series(svg, frame, plot.series[s], s);
  return svg.text + "</svg>\n";
}

}  // namespace proxima::plot
