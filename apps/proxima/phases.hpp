// Where the seconds of a command go: named phases, each measured by an object that lives as long as it lasts.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace proxima::app {

class Phases {
  using Clock = std::chrono::steady_clock;

 public:
  class Timer {
   public:
    explicit Timer(double& seconds) : seconds_(seconds), begin_(Clock::now()) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    double& seconds_;
    Clock::time_point begin_;
  };

  // Adds to the phase from now to the end of the timer's life. Phases don't overlap.
  [[nodiscard]] Timer measure(std::string_view name) { return Timer(entry(name)); }

  // In the order in which they first began.
  const std::deque<std::pair<std::string, double>>& seconds() const { return seconds_; }
  double since_start() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  double& entry(std::string_view name) {
    for (auto& [known, seconds] : seconds_)
      if (known == name) return seconds;
    return seconds_.emplace_back(name, 0.0).second;
  }

  std::deque<std::pair<std::string, double>> seconds_;  // a timer refers to its entry, which must stay where it is
  Clock::time_point start_ = Clock::now();
};

}  // namespace proxima::app
