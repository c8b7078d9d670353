// Seconds of the clock and of the processor over repetitions.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace proxima::bench {

inline double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Times {
  std::vector<double> wall, processor;

  template <class Work>
  void add(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    work();
    processor.push_back(processor_seconds() - before);
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::string text() {
    std::sort(wall.begin(), wall.end());
    std::sort(processor.begin(), processor.end());
    return fmt::format("{:6.2f} ({:.2f} {:.2f}) {:6.2f}", wall[wall.size() / 2], wall.front(), wall.back(),
                       processor[processor.size() / 2]);
  }
};

}  // namespace proxima::bench
