#include "tests/gpu/state_check.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "runtime/device/parallel.hpp"
#include "tests/gpu/cases.hpp"
#include "tests/gpu/device_run.hpp"
#include "tests/jit/energy_batches.hpp"

namespace proxima::gpu {
namespace {

using emit::Precision;

// The device's functions are right to 2 units in the last place in double and 4 in single precision (CUDA C++
// Programming Guide, mathematical functions); the comparison counts half a unit an operation.
double slack(Precision precision) { return precision == Precision::fp64 ? 4 : 8; }

jit::testing::Comparison compare(const Case& one, Precision precision, std::vector<std::vector<double>> found) {
  for (std::size_t f = one.kernel.outputs.size(); f-- > 0;)
    if (jit::testing::is_report(one.kernel.outputs[f])) found.erase(found.begin() + static_cast<std::ptrdiff_t>(f));
  const ir::Kernel kernel = jit::testing::without_reports(one.kernel);
  return jit::testing::compare_with_interpreter(kernel, precision, found, one.batch, slack(precision));
}

}  // namespace

StateCheck check_states(const std::shared_ptr<device::CudaDevice>& device, const jit::CudaStore& store,
                        const std::vector<ir::Energy>& energies, Precision precision) {
  const auto start = std::chrono::steady_clock::now();
  const std::string architecture = store.nvrtc().architecture_for(device->capability());
  StateCheck check;
  std::mutex mutex;  // of `check`
  device::parallel_chunks(energies.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::vector<Case> cases = cases_of(energies[k]);
      device::parallel_chunks(cases.size(), 1, [&](std::size_t first, std::size_t last) {
        for (const Case& one : std::span(cases).subspan(first, last - first)) {
          const device::CudaKernel loaded(device->load(one.kernel.name, store.get(one.kernel, precision, architecture)),
                                          one.kernel, precision);
          const DeviceRun run(*device, one.kernel, precision, one.batch);
          run.launch(loaded);
          const auto comparison = compare(one, precision, run.results());
          const std::scoped_lock lock(mutex);
          ++check.kernels;
          check.numbers += comparison.numbers;
          check.cancelled += comparison.cancelled;
          check.largest = std::max(check.largest, comparison.largest);
          if (!comparison.difference.empty()) check.differences.push_back(comparison.difference);
        }
      });
    }
  });
  std::ranges::sort(check.differences);
  check.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return check;
}

}  // namespace proxima::gpu
