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

}  // namespace

Progress::Progress(std::string label, int total)
    : label_(std::move(label)),
      total_(total),
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

void Progress::draw(int done, const std::string& note) {
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  if (terminal_) {
    const int filled = total_ > 0 ? bar_width * std::min(done, total_) / total_ : bar_width;
    // "\033[K" clears what a longer line left behind.
    fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {}/{}  {:.1f} s  {}\033[K", label_, "", filled, "", bar_width - filled,
               done, total_, seconds, note);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{} {}/{}  {:.1f} s  {}\n", label_, done, total_, seconds, note);
  }
  drawn_ = true;
}

}  // namespace proxima::app
