// How far a long command is, on stderr: a bar that is redrawn on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace proxima::app {

class Progress {
 public:
  // `begun` of the `total` were done before: they say nothing about the time that is left.
  Progress(std::string label, int total, int begun = 0);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total`; `note` is shown behind.
  void update(int done, const std::string& note);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(int done, const std::string& note);
  std::string time_text(int done) const;

  std::string label_;
  int total_, begun_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace proxima::app
