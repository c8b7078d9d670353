// summary.json: what a finished run took and where it ended.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apps/proxima/problem.hpp"
#include "apps/proxima/step_log.hpp"

namespace proxima::app {

nlohmann::ordered_json run_summary(const Problem& problem, const StepLog& log, int steps);

}  // namespace proxima::app
