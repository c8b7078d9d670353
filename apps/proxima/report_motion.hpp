// The moving body of a report: the surface of the model at some of the steps, with the fields that fit there.
#pragma once

#include "apps/proxima/run_folder.hpp"
#include "apps/report/page.hpp"

namespace proxima::app {

// Puts the motion into the page, of at most `most` frames and as many as the page can carry; says in the page's notes
// what was left out, or in `no_motion` why there is none.
void add_motion(const RunFolder& run, int most, report::Page& page);

}  // namespace proxima::app
