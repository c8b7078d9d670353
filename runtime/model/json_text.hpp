// JSON with comments, read strictly: a duplicate key is an error (the library would keep the last one silently).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace proxima::model {

// Keys keep the order of the text. Throws Error "FILE:LINE:COLUMN: ..." for a syntax error and "FILE: ..." naming the
// path of a duplicate key. `file` is for messages only.
nlohmann::ordered_json parse_json(const std::string& content, const std::string& file);

}  // namespace proxima::model
