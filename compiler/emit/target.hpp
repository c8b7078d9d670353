// What generated code may use: the width of the vector registers and the instructions. Three levels of the x86-64
// psABI rather than every processor model, so that a kernel has the same bits on every machine of one level.
#pragma once

#include <cstdint>
#include <string>

namespace proxima::emit {

enum class Precision : std::uint8_t { fp64, fp32 };

struct Target {
  std::string cpu;        // LLVM's name: "x86-64-v4" (AVX-512), "x86-64-v3" (AVX2 and FMA), "x86-64" (SSE2)
  int vector_bits = 128;  // 512, 256 or 128

  static Target avx512();
  static Target avx2();
  static Target portable();
  static Target host();  // the best of the three that this processor runs

  bool runs_here() const;
  int lanes(Precision precision) const { return vector_bits / (precision == Precision::fp64 ? 64 : 32); }
  bool operator==(const Target&) const = default;
};

}  // namespace proxima::emit
