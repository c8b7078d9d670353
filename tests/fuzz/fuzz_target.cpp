// libFuzzer's entry point; PROXIMA_FUZZ_TARGET says which target this program feeds.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto all = proxima::fuzz::targets();
  static const auto target = std::find_if(
      all.begin(), all.end(), [](const proxima::fuzz::Target& each) { return each.name == PROXIMA_FUZZ_TARGET; });
  target->feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
