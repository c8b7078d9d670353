// What the stand-in for the CUDA driver knows of work that is captured in the place of being done.
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace proxima::shim {

using Work = std::function<void()>;

struct Capture {
  std::thread::id thread;  // that began it, and alone is kept from what would have to be done at once
  bool valid = true;
  std::vector<Work> work{};
};

// Of the stream for it; null: nothing is captured.
extern Capture* capturing;
extern int captures;  // its address stands for that stream

extern int blocks_run;  // its address stands for the stream of work
struct Calls {
  long launches = 0, graphs = 0, waits = 0, made = 0, lookups = 0;  // of kernels, of graphs; graphs made
};
extern Calls calls;

inline constexpr int invalid_handle = 400, capture_unsupported = 900, capture_invalidated = 901, illegal_state = 401;

}  // namespace proxima::shim
