// "Did you mean ...?": the known name closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxima {

// The name in `known` with the smallest edit distance to `found`, or "" when none is close enough to be a
// plausible slip (more than a third of its letters differ).
std::string nearest_name(std::string_view found, const std::vector<std::string>& known);

}  // namespace proxima
