// On what a result was computed: for summaries and reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace proxima::app {

// Processor, cores, threads in use, and the vectors that kernels were compiled for.
nlohmann::ordered_json machine_json();

// Of the program and of the libraries that results depend on.
nlohmann::ordered_json versions_json();

// The most memory this process has had so far, in 10^6 bytes.
double peak_memory();

}  // namespace proxima::app
