#include "runtime/optimize/minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/support/error.hpp"

namespace proxima::optimize {
namespace {

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// Largest component of the way to the bounds or of the gradient, whichever is shorter, where the gradient points
// downhill.
double projected_gradient(std::span<const double> x, std::span<const double> g, const Box& box) {
  double result = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    result = std::max(result, g[i] > 0 ? std::min(g[i], x[i] - box.lower[i]) : std::min(-g[i], box.upper[i] - x[i]));
  return result;
}

// Largest component of the gradient that does not point out of the bounds.
double steepest_way(std::span<const double> x, std::span<const double> g, const Box& box) {
  double result = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (g[i] > 0 ? x[i] > box.lower[i] : x[i] < box.upper[i]) result = std::max(result, std::abs(g[i]));
  return result;
}

void check(std::span<const double> start, const Box& box) {
  if (start.empty() || box.lower.size() != start.size() || box.upper.size() != start.size())
    fail("minimise: {} start values, {} lower and {} upper bounds are given", start.size(), box.lower.size(),
         box.upper.size());
  for (std::size_t i = 0; i < start.size(); ++i)
    if (!(box.lower[i] <= start[i] && start[i] <= box.upper[i]))
      fail("minimise: start value {} is {}, outside its bounds {} to {}", i, start[i], box.lower[i], box.upper[i]);
}

}  // namespace

std::string describe(Stop stop) {
  static const std::map<Stop, std::string> words = {
      {Stop::projected_gradient, "the projected gradient has fallen as far as asked"},
      {Stop::flat, "the start is a minimum within the bounds, or the loss does not depend there on what varies"},
      {Stop::relative_decrease, "the last iterations hardly lowered the value"},
      {Stop::value, "the value is as low as asked"},
      {Stop::max_evaluations, "the evaluations allowed are used up"},
      {Stop::user, "stopped on request"},
      {Stop::line_search, "the line search found nothing lower: rounding, or a gradient that does not fit the value"},
      {Stop::start_failed, "there is no value at the start"}};
  return words.at(stop);
}

Minimiser::Minimiser(std::span<const double> start, std::span<const double> lower, std::span<const double> upper,
                     const MinimiseSettings& settings)
    : settings_(settings), box_{{lower.begin(), lower.end()}, {upper.begin(), upper.end()}} {
  check(start, box_);
  const MethodRow& row = method_named(settings.method);
  if (settings_.patience == 0) settings_.patience = row.patience;
  method_ = row.make(start, box_, settings.of_method);
  minimum_.point.assign(start.begin(), start.end());
  method_->next();  // the start
}

void Minimiser::begin_evaluation() {
  progress_ = {};
  progress_.evaluation = ++minimum_.evaluations;
  progress_.iteration = minimum_.iterations;
  progress_.point.assign(point().begin(), point().end());
}

void Minimiser::tell(const Evaluation& found) {
  if (!std::isfinite(found.value)) return tell_failure("the value is not finite");
  begin_evaluation();
  const bool first = minimum_.evaluations == 1;
  // The first step is then as long as asked, whatever the unit of the value.
  if (const double size = largest(found.gradient); first && size > 0) scale_ = settings_.first_step / size;
  std::vector<double> gradient = found.gradient;
  for (double& entry : gradient) entry *= scale_;
  gradient_ = projected_gradient(progress_.point, gradient, box_);
  progress_.value = found.value;
  progress_.steepest = steepest_way(progress_.point, found.gradient, box_);
  if (first || found.value < minimum_.value) {
    minimum_.point = progress_.point;
    minimum_.value = found.value;
    minimum_.gradient = found.gradient;
  }
  if (first) {
    first_gradient_ = gradient_;
    best_values_.push_back(found.value);
  }
  if (minimum_.value <= settings_.value) return finish(Stop::value);
  if (first_gradient_ == 0) return finish(Stop::flat);
  method_->tell(scale_ * found.value, gradient);
  go_on();
}

void Minimiser::tell_failure(const std::string& why) {
  begin_evaluation();
  ++minimum_.failures;
  progress_.failure = why;
  if (minimum_.evaluations == 1) return finish(Stop::start_failed);
  method_->tell_failure();
  go_on();
}

void Minimiser::go_on() {
  while (!finished_) {
    switch (method_->next()) {
      case Method::Next::trial:
        if (minimum_.evaluations >= settings_.max_evaluations) finish(Stop::max_evaluations);
        return;
      case Method::Next::iterate:
        accept_iterate();
        break;
      case Method::Next::converged:
        finish(Stop::projected_gradient);
        break;
      case Method::Next::stuck:
        finish(Stop::line_search);
        break;
    }
  }
}

void Minimiser::accept_iterate() {
  if (!progress_.failure.empty()) return finish(Stop::line_search);  // what was made up for a failed trial
  if (minimum_.evaluations == 1) return;  // a method may name the start as its first iterate; it is no iteration
  best_values_.push_back(minimum_.value);
  ++minimum_.iterations;
  if (gradient_ <= settings_.projected_gradient * first_gradient_) return finish(Stop::projected_gradient);
  const auto patience = static_cast<std::size_t>(settings_.patience);
  if (best_values_.size() > patience + 1) best_values_.pop_front();
  if (best_values_.size() == patience + 1 &&
      best_values_.front() - best_values_.back() <= settings_.relative_decrease * std::abs(best_values_.front()))
    finish(Stop::relative_decrease);
}

void Minimiser::finish(Stop stop) {
  if (finished_) return;
  finished_ = true;
  minimum_.stop = stop;
}

Minimum minimise(const Function& function, std::span<const double> start, std::span<const double> lower,
                 std::span<const double> upper, const MinimiseSettings& settings, const ProgressCallback& each) {
  Minimiser minimiser(start, lower, upper, settings);
  while (!minimiser.finished()) {
    try {
      minimiser.tell(function(minimiser.point()));
    } catch (const Error& error) {
      minimiser.tell_failure(error.what());
    }
    if (minimiser.minimum().stop == Stop::start_failed) fail("{}", minimiser.progress().failure);
    if (each && !each(minimiser.progress())) minimiser.stop();
  }
  return minimiser.minimum();
}

}  // namespace proxima::optimize
