// The tables of a report: what was simulated, and on what.
#pragma once

#include "apps/proxima/run_folder.hpp"
#include "apps/report/page.hpp"

namespace proxima::app {

report::Section scene_section(const RunFolder& run);

// From summary.json; without it, of what is known of a run that is not finished.
report::Section run_section(const RunFolder& run);

}  // namespace proxima::app
