// Text inside XML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace proxima {

// The text with & < > " as entities: fit for an element's content and for an attribute in double quotes.
std::string escape_xml(std::string_view text);

}  // namespace proxima
