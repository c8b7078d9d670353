#include "apps/report/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/report/base64.hpp"

namespace proxima::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double position_levels = 65535;
constexpr double value_levels = 254;
constexpr std::uint8_t no_number = 255;
// A few elements far beyond all others would leave one colour for the rest: where the greatest value is more than
// `tail_factor` times the `tail_share` quantile, the colours end at that quantile.
constexpr double tail_share = 0.995, tail_factor = 2;

struct Range {
  double lower = std::numeric_limits<double>::infinity(), upper = -std::numeric_limits<double>::infinity();
  void include(double value) {
    if (!std::isfinite(value)) return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  double span() const { return upper > lower ? upper - lower : 1; }
};

std::array<Range, 3> box_of(const Motion& motion) {
  std::array<Range, 3> box;
  for (const auto& frame : motion.positions)
    for (std::size_t i = 0; i < frame.size(); ++i) box[i % 3].include(frame[i]);
  return box;
}

std::string encode_positions(const std::vector<float>& frame, const std::array<Range, 3>& box) {
  std::vector<std::uint16_t> levels(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Range& axis = box[i % 3];
    levels[i] = static_cast<std::uint16_t>(std::lround((frame[i] - axis.lower) / axis.span() * position_levels));
  }
  return base64(levels);
}

Json encode_values(const std::vector<float>& values) {
  Range range;
  for (const float value : values) range.include(value);
  if (range.upper < range.lower) range = {0, 0};  // no number among them
  std::vector<std::uint8_t> levels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    levels[i] = std::isfinite(values[i])
                    ? static_cast<std::uint8_t>(std::lround((values[i] - range.lower) / range.span() * value_levels))
                    : no_number;
  return {{"lower", range.lower}, {"upper", range.upper}, {"values", base64(levels)}};
}

// Of all values of all frames; see tail_share.
double colour_limit(const Field& field, double greatest) {
  std::vector<float> all;
  for (const auto& frame : field.frames)
    std::ranges::copy_if(frame, std::back_inserter(all), [](float value) { return std::isfinite(value); });
  if (all.empty()) return greatest;
  const auto place = all.begin() + static_cast<std::ptrdiff_t>(tail_share * static_cast<double>(all.size() - 1));
  std::ranges::nth_element(all, place);
  return *place > 0 && greatest > tail_factor * *place ? *place : greatest;
}

Json encode_field(const Field& field) {
  Json json = {{"key", field.key},
               {"label", field.label},
               {"unit", field.unit},
               {"on", field.on == On::nodes ? "nodes" : "elements"}};
  Range range;
  for (const auto& frame : field.frames)
    for (const float value : frame) range.include(value);
  if (range.upper < range.lower) range = {0, 0};
  if (field.categories.empty()) {
    json["lower"] = range.lower;
    json["upper"] = colour_limit(field, range.upper);
    json["greatest"] = range.upper;
  } else {
    json["categories"] = field.categories;
  }
  auto& frames = json["frames"] = Json::array();
  for (const auto& frame : field.frames) frames.push_back(encode_values(frame));
  return json;
}

void require_sizes(const Motion& motion) {
  const std::size_t elements = motion.triangles.size() / 3 + motion.lines.size() / 2;
  bool fit = motion.positions.size() == motion.steps.size() && !motion.steps.empty();
  for (const auto& frame : motion.positions) fit &= frame.size() == motion.rest.size();
  for (const Field& field : motion.fields) {
    fit &= field.frames.size() == 1 || field.frames.size() == motion.steps.size();
    for (const auto& frame : field.frames)
      fit &= frame.size() == (field.on == On::nodes ? motion.rest.size() / 3 : elements);
  }
  if (!fit) throw std::logic_error("a motion whose sizes do not agree");
}

}  // namespace

Json encode(const Motion& motion, Rounding& rounding) {
  require_sizes(motion);
  const auto box = box_of(motion);
  double widest = 0;
  for (const Range& axis : box) widest = std::max(widest, axis.span());
  rounding.position = widest / position_levels / 2;

  Json json = {{"rest", base64(motion.rest)},
               {"triangles", base64(motion.triangles)},
               {"lines", base64(motion.lines)},
               {"up", motion.up},
               {"time_step", motion.time_step},
               {"lower", {box[0].lower, box[1].lower, box[2].lower}},
               {"span", {box[0].span(), box[1].span(), box[2].span()}},
               {"steps", motion.steps}};
  auto& frames = json["positions"] = Json::array();
  for (const auto& frame : motion.positions) frames.push_back(encode_positions(frame, box));
  auto& fields = json["fields"] = Json::array();
  for (const Field& field : motion.fields) fields.push_back(encode_field(field));
  return json;
}

std::size_t frame_bytes(std::size_t nodes, std::size_t elements, std::size_t node_fields, std::size_t element_fields) {
  return (nodes * (6 + node_fields) + elements * element_fields) * 4 / 3;
}

std::vector<int> spread_frames(int last, int most) {
  if (most <= 1) return {last};
  const int count = std::min(last + 1, most);
  std::vector<int> frames;
  frames.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k)
    frames.push_back(count == 1 ? 0 : static_cast<int>(std::lround(static_cast<double>(k) * last / (count - 1))));
  return frames;
}

}  // namespace proxima::report
