// How far a long command is, on stderr: a bar that is redrawn on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace proxima::app {

class Progress {
 public:
  Progress(std::string label, int total);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total`; `note` is shown behind.
  void update(int done, const std::string& note);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(int done, const std::string& note);

  std::string label_;
  int total_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace proxima::app
