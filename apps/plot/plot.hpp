// Line plots as self-contained SVG text: for the loss of an identification and for pictures in the docs. No scripts,
// no fonts from elsewhere, always on a light ground. Nothing else: no bars, no surfaces, no files.
#pragma once

#include <string>
#include <vector>

namespace proxima::plot {

struct Series {
  std::string name;  // for the legend; "" leaves it out there
  std::vector<double> xs, ys;
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_y = false;
  std::vector<Series> series;
  bool log_x = false;
};

// The plot, 800 x 500 pixels. For pages that show it: the ground has the class "ground", the lines of the axes "axis",
// "x-tick" and "y-tick", and the axis an attribute data-area: left, right, top and bottom of the area in pixels and the
// x, or its logarithm to base 10, at its left and right. Points that are not finite are left out, and the line is
// broken there. Throws Error: xs and ys of different lengths, no finite point at all, an x or y that is not positive on
// a logarithmic axis.
std::string to_svg(const Plot& plot);

}  // namespace proxima::plot
