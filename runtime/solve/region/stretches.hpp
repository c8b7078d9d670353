// What a deformation gradient does to lengths and to the measure of an element.
#pragma once

#include <span>
#include <vector>

namespace proxima::solve {

// F: 3 rows of one column for each dimension of an element's rest coordinates (none for stencils), row by row.

// Its singular values, decreasing; the last of three is negative where a solid is inside out.
std::vector<double> principal_stretches(std::span<const double> F);
// By what volume, area or length grow; of a solid that is inside out it is negative. 1 where there are no columns.
double measure_ratio(std::span<const double> F);

}  // namespace proxima::solve
