#include "apps/proxima/run_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/proxima/machine.hpp"

namespace proxima::app {
namespace {

using Json = nlohmann::ordered_json;

// A count is written without a decimal point.
Json number(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

struct Total {
  const char* key;
  const char* column;
  double (StepLog::*over_steps)(std::string_view) const;
};

constexpr Total totals[] = {
    {"seconds", "seconds", &StepLog::total},
    {"iterations", "iterations", &StepLog::total},
    {"a_solves", "a_solves", &StepLog::total},
    {"hessian_products", "hessian_products", &StepLog::total},
    {"gradients", "gradients", &StepLog::total},
    {"line_search_halvings", "line_search_halvings", &StepLog::total},
    {"steps_with_negative_curvature", "negative_curvature", &StepLog::total},
    {"largest_residual", "residual", &StepLog::largest},
};

// Of this process: a resumed run has those of its last part. Kernels are compiled when they are first needed, within
// other phases.
Json phases(const Problem& problem) {
  Json json;
  for (const auto& [name, seconds] : problem.phases->seconds()) json[name] = seconds;
  json["compile"] = problem.engine->statistics().compile_seconds;
  json["total"] = problem.phases->since_start();
  return json;
}

}  // namespace

Json run_summary(const Problem& problem, const StepLog& log, int steps) {
  Json json = {{"steps", steps}};
  for (const Total& total : totals) json[total.key] = number((log.*total.over_steps)(total.column));
  Json& last = json["last_step"] = Json::object();
  for (const auto& [name, value] : log.last()) last[name] = number(value);
  json["seconds_by_phase"] = phases(problem);
  json["peak_memory_MB"] = peak_memory();
  json["machine"] = machine_json();
  json["versions"] = versions_json();
  return json;
}

}  // namespace proxima::app
