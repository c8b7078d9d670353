// The range of one axis, its ticks, and where a value lies on it. Internal to the room.
#pragma once

#include <string>
#include <vector>

namespace proxima::plot {

struct Tick {
  double value;
  std::string label;  // SVG: may hold a <tspan>
};

class Axis {
 public:
  // Spans the values, which are finite, at least one, and positive if `logarithmic`, with `margin` (a fraction of the
  // span) to spare at both ends.
  Axis(const std::vector<double>& values, bool logarithmic, double margin);

  double lower() const { return lower_; }  // ends of the axis; of a logarithmic one those of the logarithm
  double upper() const { return upper_; }
  double place(double value) const;  // 0 at the lower end, 1 at the upper
  std::vector<Tick> ticks() const;   // at round values; "" labels a line between labelled ones

 private:
  double coordinate(double value) const;
  std::vector<Tick> decade_ticks() const;

  bool logarithmic_;
  double lower_, upper_;  // of the coordinate: the value, or its logarithm to base 10
};

}  // namespace proxima::plot
