// The Taylor test of a gradient: f(x + e d) - f(x) - e g.d must fall like e^2, and central differences must agree with
// g.d. Knows nothing of where f comes from.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace proxima::optimize {

struct TaylorSettings {
  double largest = 1e-1;  // e; x and d should be scaled so that e = 1 is a large change
  double smallest = 1e-7;
  int per_decade = 2;
  double decades = 2;  // over which the order must hold
  // End the table as soon as it shows a right gradient; a wrong one is always followed down to `smallest`.
  bool stop_when_passed = false;
};

struct TaylorRow {
  double epsilon = 0;
  double zeroth = 0;   // |f(x + e d) - f(x)|
  double first = 0;    // |f(x + e d) - f(x) - e g.d|
  double order = 0;    // of `first`, from the row above to this one; NaN in the first row
  double central = 0;  // |(f(x + e d) - f(x - e d)) / 2e - g.d| / |g.d|
};

struct TaylorReport {
  double slope = 0;  // g.d
  std::vector<TaylorRow> rows;
  double order = 0;                       // the least order in the best stretch of rows that spans `decades`
  double order_begin = 0, order_end = 0;  // that stretch, e
  // |central difference - g.d| / |g.d|, the difference extrapolated to a step of zero; and by how much the numbers it
  // was extrapolated from differ, relative likewise: a wrong gradient has the first far above the second.
  double central = 0, central_doubt = 0;
  double central_rounding = 0;  // what one rounding of f makes of that difference, relative likewise
  bool order_shows = true;  // whether the largest remainder can be followed over two decades before rounding ends it
  // Where differences are themselves not good to `largest_central`, but nearly, agreement within what they are good to
  // is all that they can show. Where they agree a hundred times better than they need to, no order is asked for: of a
  // loss that is nearly linear, or nearly odd, the second-order part is too small to be seen. A loss that hardly moves
  // may leave differences no more digits than its roundings do, of which a rollout has some hundred: agreement within
  // four times what they are good to is then all that there is to see.
  bool passed(double least_order = 1.9, double largest_central = 1e-6) const {
    if (std::max(central, central_doubt) <= largest_central / 100) return true;
    const bool nearly = central_doubt <= 10 * largest_central;
    const bool faint = !nearly && central_doubt <= std::min(100 * central_rounding, 0.03);
    const double needed = std::max(largest_central, nearly ? central_doubt : faint ? 4 * central_doubt : 0);
    return central <= needed && (order >= least_order || (!order_shows && (nearly || faint)));
  }
};

// A factor for a direction that hardly moves f: how far one has to go, in powers of ten from `largest`, until the
// remainder is 1e-7 of f, so that its fall can be followed over the decades before rounding takes over. 1 when
// that is so at once; the last one at which f is finite (and does not throw an Error) when it never is.
double telling_distance(const std::function<double(std::span<const double>)>& f, std::span<const double> x,
                        std::span<const double> gradient, std::span<const double> direction,
                        const TaylorSettings& settings = {});

// Distances from the largest on at which f is not finite, or throws an Error, are left out, as long as there are
// others. Throws Error when f is not finite then, and when g.d or the second-order part is zero, so that there is
// nothing to see: choose another direction, or a point where f is not linear.
TaylorReport taylor_test(const std::function<double(std::span<const double>)>& f, std::span<const double> x,
                         std::span<const double> gradient, std::span<const double> direction,
                         const TaylorSettings& settings = {});

// The report as a table for people.
std::string table(const TaylorReport& report);

}  // namespace proxima::optimize
