// One HTML file that shows a run and needs nothing else: the moving body, pictures, tables. Opens offline, in any
// browser of the last years; without WebGL a sentence stands where the body would move. Plain data in, text out: no
// files, no simulation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/report/motion.hpp"

namespace proxima::report {

struct Table {
  std::string title;                           // "" for none
  std::vector<std::string> columns;            // "" for no heading
  std::vector<std::vector<std::string>> rows;  // as long as `columns`, plain text
};

// SVG as apps/plot draws it. Where x is a quantity of the run, the frame shown is marked in the picture and a click on
// the picture goes there.
enum class Axis : std::uint8_t { other, step, time };
struct Picture {
  std::string svg;
  Axis x = Axis::other;
};

struct Section {
  std::string title, text;  // plain; no text: ""
  std::vector<Picture> pictures;
  std::vector<Table> tables;
};

struct Page {
  std::string title, summary;
  std::vector<std::string> notes;  // what the reader should know: frames left out, a run that is not complete
  std::optional<Motion> motion;
  std::string no_motion;  // why there is none
  std::vector<Section> sections;
};

std::string to_html(const Page& page);

}  // namespace proxima::report
