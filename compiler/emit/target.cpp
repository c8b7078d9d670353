#include "compiler/emit/target.hpp"

namespace proxima::emit {

Target Target::avx512() { return {"x86-64-v4", 512}; }
Target Target::avx2() { return {"x86-64-v3", 256}; }
Target Target::portable() { return {"x86-64", 128}; }

Target Target::host() {
  for (const Target& target : {avx512(), avx2()})
    if (target.runs_here()) return target;
  return portable();
}

bool Target::runs_here() const {
  // The builtin also asks whether the operating system saves the wide registers.
  if (cpu == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
  if (cpu == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  return cpu == "x86-64";
}

}  // namespace proxima::emit
