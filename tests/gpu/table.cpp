#include "tests/gpu/table.hpp"

#include <fmt/format.h>

namespace proxima::gpu {
namespace {

// Times of the rival, or of what the copy takes for the kernel's bytes.
double ratio(const Timings& timings, const Measured& measured) {
  if (measured.rival.median > 0) return measured.device.median / measured.rival.median;
  return measured.device.median * timings.bandwidth / (measured.bytes * static_cast<double>(measured.elements));
}

}  // namespace

std::string table_of(const Timings& timings) {
  std::string text =
      "| kernel | precision | ns an element | spread | bytes an element | share of copy | registers | local bytes | by "
      "hand, ns | generated / by hand | CPU, ns |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Measured& measured : timings.kernels) {
    const auto elements = static_cast<double>(measured.elements);
    const auto each = [&](const Time& time) { return 1e3 * time.median / elements; };
    const bool rival = measured.rival.median > 0;
    text +=
        fmt::format("| {} | {} | {:.4f} | {:.1f} % | {:.0f} | {:.0f} % | {} | {} | {} | {} | {:.2f} |\n",
                    measured.title, measured.precision == emit::Precision::fp64 ? "fp64" : "fp32",
                    each(measured.device), 100 * measured.device.spread, measured.bytes,
                    100 * measured.bytes * elements / measured.device.median / timings.bandwidth, measured.registers,
                    measured.local_bytes, rival ? fmt::format("{:.4f}", each(measured.rival)) : "-",
                    rival ? fmt::format("{:.2f}", ratio(timings, measured)) : "-", each(measured.processor));
  }
  return text;
}

std::string targets_of(const Timings& timings) {
  std::string text = "| target | at most | found | |\n|---|---|---|---|\n";
  for (const Measured& measured : timings.kernels) {
    if (measured.at_most == 0) continue;
    const double found = ratio(timings, measured);
    text += fmt::format("| {}: times {} | {:.2f} | {:.2f} | {} |\n", measured.title,
                        measured.rival.median > 0 ? "that by hand" : "what copying its bytes takes", measured.at_most,
                        found, found <= measured.at_most ? "met" : "**not met**");
  }
  return text;
}

}  // namespace proxima::gpu
