#include "apps/proxima/machine.hpp"

#include <llvm/Config/llvm-config.h>
#include <sys/resource.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "compiler/jit/jit.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::app {
namespace {

// "Intel(R) Xeon(R) ...", or "unknown" where the system does not say.
std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(": ") + 2));
  return "unknown";
}

}  // namespace

nlohmann::ordered_json machine_json() {
  const auto target = jit::Target::host();
  return {{"processor", processor_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"threads", device::threads()},
          {"level", target.cpu},
          {"vector_bits", target.vector_bits}};
}

nlohmann::ordered_json versions_json() {
  return {{"proxima", PROXIMA_VERSION}, {"llvm", LLVM_VERSION_STRING}, {"compiler", __VERSION__}};
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;  // Linux counts in units of 1024 bytes
}

}  // namespace proxima::app
