#include "apps/proxima/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace proxima::app {
namespace {

constexpr int bar_width = 30;
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds line_interval{10};

// "40 s", "3 min", "2.5 h": as exact as it can be known.
std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress(std::string label, int total, int begun)
    : label_(std::move(label)),
      total_(total),
      begun_(begun),
      terminal_(::isatty(STDERR_FILENO)),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_ && terminal_) std::fputc('\n', stderr);
}

void Progress::update(int done, const std::string& note) {
  const auto now = Clock::now();
  const bool due = now - last_ >= (terminal_ ? Clock::duration(redraw_interval) : Clock::duration(line_interval));
  if (!due && done < total_) return;
  last_ = now;
  draw(done, note);
}

// "12.3 s, 40 s left", by the mean of what has been done so far.
std::string Progress::time_text(int done) const {
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  if (done <= begun_ || done >= total_) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.1f} s, {} left", seconds, duration_text(seconds * (total_ - done) / (done - begun_)));
}

void Progress::draw(int done, const std::string& note) {
  if (terminal_) {
    const int filled = total_ > 0 ? bar_width * std::min(done, total_) / total_ : bar_width;
    // "\033[K" clears what a longer line left behind.
    fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {}/{}  {}  {}\033[K", label_, "", filled, "", bar_width - filled, done,
               total_, time_text(done), note);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{} {}/{}  {}  {}\n", label_, done, total_, time_text(done), note);
  }
  drawn_ = true;
}

}  // namespace proxima::app
