// The stand-in's part of the driver that has graphs: work in the order in which it was captured, with the arguments
// that it had then.
#include "tests/cuda_shim/capture.hpp"

using proxima::shim::Capture;
using proxima::shim::capturing;
using proxima::shim::Work;

extern "C" {

int cuStreamBeginCapture_v2(void* stream, int mode) {
  if (stream != &proxima::shim::captures || mode != 1) return proxima::shim::invalid_handle;
  if (capturing != nullptr) return proxima::shim::illegal_state;
  capturing = new Capture{std::this_thread::get_id()};
  return 0;
}
int cuStreamEndCapture(void* stream, void** graph) {
  *graph = nullptr;
  if (stream != &proxima::shim::captures || capturing == nullptr) return proxima::shim::illegal_state;
  const Capture captured = *capturing;
  delete capturing;
  capturing = nullptr;
  if (!captured.valid) return proxima::shim::capture_invalidated;
  *graph = new std::vector<Work>(captured.work);
  return 0;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  ++proxima::shim::calls.made;
  *executable = new std::vector<Work>(*static_cast<std::vector<Work>*>(graph));
  return 0;
}
int cuGraphLaunch(void* executable, void* stream) {
  if (stream != &proxima::shim::blocks_run) return proxima::shim::invalid_handle;
  ++proxima::shim::calls.graphs;
  for (const Work& work : *static_cast<std::vector<Work>*>(executable)) work();
  return 0;
}
int cuGraphExecDestroy(void* executable) { return delete static_cast<std::vector<Work>*>(executable), 0; }
int cuGraphDestroy(void* graph) { return delete static_cast<std::vector<Work>*>(graph), 0; }

}  // extern "C"
