// A surface that moves, with fields on it, as a report shows it: plain numbers in, compact JSON out. Knows neither
// meshes nor models.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace proxima::report {

enum class On : std::uint8_t { nodes, elements };  // elements: the triangles, then the lines

// What the surface may be coloured by. `frames` has one entry a frame, or one for all where it doesn't change.
struct Field {
  std::string key, label, unit;  // "von_mises", "von Mises stress", "Pa"
  On on = On::nodes;
  std::vector<std::string> categories;     // names of the values 0, 1, 2, ... ; none: a quantity
  std::vector<std::vector<float>> frames;  // values that are no numbers are shown in grey
};

struct Motion {
  std::vector<float> rest;                    // 3 a node, m
  std::vector<std::uint32_t> triangles;       // 3 nodes each, outwards
  std::vector<std::uint32_t> lines;           // 2 nodes each: elements that are edges
  std::array<double, 3> up{0, 0, 1};          // against gravity
  double time_step = 0;                       // s
  std::vector<int> steps;                     // of each frame, increasing; 0 is the start
  std::vector<std::vector<float>> positions;  // a frame: 3 a node, m
  std::vector<Field> fields;
};

// How positions and fields are rounded. Positions are 16-bit integers over the box that holds the whole motion; the
// values of a field in a frame are bytes 0 to 254 between the least and greatest of that frame, 255 stands for no
// number.
struct Rounding {
  double position = 0;  // m, the largest error along an axis
};

// JSON for the page's scripts, with arrays in base64, little-endian. Throws std::logic_error where sizes do not agree.
nlohmann::ordered_json encode(const Motion& motion, Rounding& rounding);

// Bytes that one frame takes in the page: what to reckon with before frames are read.
std::size_t frame_bytes(std::size_t nodes, std::size_t elements, std::size_t node_fields, std::size_t element_fields);

// At most `most` of the frames 0 to `last`, evenly spread, always the first and the last (the last alone if `most` is
// 1).
std::vector<int> spread_frames(int last, int most);

}  // namespace proxima::report
