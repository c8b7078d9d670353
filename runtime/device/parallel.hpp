// Threads. Work is split into chunks whose boundaries depend on the problem only, never on the number of threads, and
// sums are taken in a fixed order: every result is the same to the last bit for any thread count.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace proxima::device {

// Threads used from now on by this process; 0 means all cores. Throws Error when negative.
void set_threads(int threads);
int threads();

// Calls body(begin, end) for consecutive chunks of [0, count), `chunk` long but for the last; at the same time where
// there are threads. An exception from a body reaches the caller (the first one; the rest are dropped).
void parallel_chunks(std::size_t count, std::size_t chunk, const std::function<void(std::size_t, std::size_t)>& body);

// Dot product, sum and largest magnitude, in fixed order. Sizes must agree.
double dot(std::span<const double> a, std::span<const double> b);
double sum(std::span<const double> a);
double largest(std::span<const double> a);
double norm(std::span<const double> a);

// What solvers do with vectors; cuda_vector.hpp has the same names.
std::vector<double> like(std::span<const double> a);  // of zeros, as many
void copy(std::span<const double> from, std::span<double> to);
void set_zero(std::span<double> y);
void negate(std::span<double> y);
void divide(std::span<double> y, double divisor);
void add_scaled(std::span<double> y, double scale, std::span<const double> x);     // y += scale x
void scale_and_add(std::span<double> y, double scale, std::span<const double> x);  // y = x + scale y
void combine(std::span<double> y, std::span<const double> a, double scale,
             std::span<const double> b);  // y = a + scale b

}  // namespace proxima::device
