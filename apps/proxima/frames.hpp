// The pictures of a run: frame_*.vtu with the fields that the scene chose and motion.pvd, which lists them, and
// surface_*.obj where it asks for them; obstacles*.vtu and obstacles.pvd, which lists them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "apps/proxima/fields.hpp"
#include "apps/proxima/surface.hpp"

namespace proxima::app {

class Frames {
 public:
  Frames(const Problem& problem, std::filesystem::path folder);

  bool wanted(int step) const;   // every output.every steps, and the last
  bool written(int step) const;  // all that belongs to the step
  void write(int step, const solve::State& state) const;
  void write_series(int steps) const;  // up to and with step `steps`

 private:
  void write_obstacles(std::span<const std::pair<double, std::string>> frames) const;

  const Problem& problem_;
  std::filesystem::path folder_;
  Surface surface_;  // empty where the scene does not ask for it
};

}  // namespace proxima::app
