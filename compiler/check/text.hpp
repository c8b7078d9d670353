// A report as text: a page for people, or JSON for machines.
#pragma once

#include <span>
#include <string>

#include "compiler/check/report.hpp"

namespace proxima::check {

// A page of plain text, findings last, where a terminal shows them.
std::string to_text(const Report& report);

// {"energies": [{"name", "file", "describes", "findings": [{"severity", "check", "sentence", "strain"}],
//   SECTION: {FACT: value, TABLE: [{COLUMN: value}]}, "curves": {CURVE: [{"name", "x", "y"}]}}]}
// Numbers that JSON has no word for are the strings "inf", "-inf" and "nan".
std::string to_json(std::span<const Report> reports);

std::string to_text(const Value& value);

}  // namespace proxima::check
