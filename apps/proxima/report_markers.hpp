// Of a report of an identification: how far markers were seen from the motion that was found.
#pragma once

#include "apps/proxima/run_folder.hpp"
#include "apps/report/page.hpp"

namespace proxima::app {

// From marker_distances.csv: the root mean square over time, the markers that are farthest, and a table of all. Nothing
// where the run has no such file; a note where it is damaged.
void add_markers(const RunFolder& run, report::Page& page);

}  // namespace proxima::app
