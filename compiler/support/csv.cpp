#include "compiler/support/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "compiler/support/nearest.hpp"

namespace proxima {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// What a terminal can print of a field.
std::string shown(std::string_view field) {
  std::string result(field.substr(0, 40));
  for (char& letter : result)
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
  return result;
}

// Takes the first field and the comma behind it off the line. Nothing where a quote is not closed, or where something
// follows it.
std::optional<std::string> take_field(std::string_view& line, bool& last) {
  const auto ends_at = [&](std::size_t end) {
    last = end >= line.size();
    line.remove_prefix(last ? line.size() : end + 1);
  };
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  if (!line.substr(begin).starts_with('"')) {
    const std::size_t end = std::min(line.find(','), line.size());
    std::string field(trimmed(line.substr(0, end)));
    ends_at(end);
    return field;
  }
  std::string field;
  for (std::size_t at = begin + 1;; ++at) {
    const std::size_t quote = line.find('"', at);
    if (quote == line.npos) return std::nullopt;
    field += line.substr(at, quote - at);
    at = quote + 1;
    if (!line.substr(at).starts_with('"')) {
      const std::size_t end = std::min(line.find_first_not_of(" \t", at), line.size());
      if (end < line.size() && line[end] != ',') return std::nullopt;
      ends_at(end);
      return field;
    }
    field += '"';
  }
}

std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (bool last = false; !last;) {
    auto field = take_field(line, last);
    if (!field) return std::nullopt;
    fields.push_back(std::move(*field));
  }
  return fields;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> to_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double number = 0;
  const auto [after, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || after != word.data() + word.size()) return std::nullopt;
  return number;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"") == text.npos && trimmed(text).size() == text.size()) return text;
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + '"';
}

CsvTable::CsvTable(std::string name, std::string_view text, std::vector<std::string> columns)
    : file_(std::move(name)), columns_(std::move(columns)) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  int line = 0;
  for (auto row : split(text, '\n')) {
    ++line;
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (trimmed(row).empty()) continue;
    auto fields = fields_of(row);
    if (!fields) fail("{}: a double quote is not closed, or not in front of a comma", where_line(line));
    if (place_.empty()) {
      read_header({line, std::move(*fields)});
      continue;
    }
    if (fields->size() != columns_.size())
      fail("{}: has {} field{}, the header names {} columns{}", where_line(line), fields->size(),
           fields->size() == 1 ? "" : "s", columns_.size(),
           fields->size() > columns_.size() ? "; numbers have points, no commas" : "");
    rows_.push_back({line, std::move(*fields)});
  }
  if (place_.empty()) fail("{}: is empty; its first line should be {}", file_, fmt::join(columns_, ","));
  if (rows_.empty()) fail("{}: has a header and no rows", file_);
}

void CsvTable::read_header(const Row& header) {
  const auto& names = header.fields;
  const auto where = where_line(header.line);
  if (names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos)
    fail("{}: columns are separated by commas here, and numbers have points: {}", where, fmt::join(columns_, ","));
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (std::ranges::find(columns_, names[k]) == columns_.end()) {
      const auto nearest = nearest_name(names[k], columns_);
      fail("{}: column '{}' is none of {}{}", where, shown(names[k]), fmt::join(columns_, ","),
           nearest.empty() ? "; others are to be left out" : fmt::format("; did you mean '{}'?", nearest));
    }
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]) !=
        names.begin() + static_cast<std::ptrdiff_t>(k))
      fail("{}: column '{}' is there twice", where, names[k]);
  }
  for (const auto& column : columns_) {
    const auto found = std::ranges::find(names, column);
    if (found == names.end())
      fail("{}: there is no column '{}'; {} are needed", where, column, fmt::join(columns_, ","));
    place_.push_back(static_cast<std::size_t>(found - names.begin()));
  }
}

const std::string& CsvTable::text(std::size_t row, std::size_t column) const {
  const auto& field = rows_[row].fields[place_[column]];
  if (field.empty()) fail("{}: '{}' is empty", where(row), columns_[column]);
  return field;
}

bool CsvTable::is_missing(std::size_t row, std::size_t column) const {
  const auto& field = rows_[row].fields[place_[column]];
  const auto number = to_number(field);
  return field.empty() || (number && std::isnan(*number));
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  const auto& field = text(row, column);
  const auto number = to_number(field);
  if (!number || !std::isfinite(*number))
    fail("{}: '{}' is '{}', a finite number is needed{}", where(row), columns_[column], shown(field),
         row == 0 && !number ? "; a line of units below the header is to be left out" : "");
  return *number;
}

std::string CsvTable::where(std::size_t row) const { return where_line(rows_[row].line); }

std::string CsvTable::where_line(int line) const { return fmt::format("{}:{}", file_, line); }

}  // namespace proxima
