// Tables as text: a header that names the columns, then a row a line, fields separated by commas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/error.hpp"

namespace proxima {

// What stands between the separators: one part more than there are of them.
std::vector<std::string_view> split(std::string_view text, char separator);

// Nothing where the word as a whole is no number.
std::optional<double> to_number(std::string_view word);

// A text as one field, in quotes where it needs them.
std::string csv_field(const std::string& text);

// A table of these columns and no others, in any order, as spreadsheets and statistics programs write them: lines end
// with \n or \r\n, empty ones are passed over, a mark of UTF-8 may come first, a field in double quotes may have commas
// in it, and a quote as two.
class CsvTable {
 public:
  // `name`: of the file, for messages. Throws Error naming file and line: a column that is missing, unknown or there
  // twice, a row of more or fewer fields, a quote that is not closed; and naming the file where there is nothing in it.
  CsvTable(std::string name, std::string_view text, std::vector<std::string> columns);

  std::size_t rows() const { return rows_.size(); }
  // Columns are counted as they were asked for. Throw Error naming file and line for a field that is empty, and one
  // that is no finite number.
  const std::string& text(std::size_t row, std::size_t column) const;
  double number(std::size_t row, std::size_t column) const;
  bool is_missing(std::size_t row, std::size_t column) const;  // empty, or NaN

  std::string where(std::size_t row) const;  // "FILE:LINE"

 private:
  struct Row {
    int line;
    std::vector<std::string> fields;  // in the order of the file
  };
  void read_header(const Row& header);
  std::string where_line(int line) const;

  std::string file_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> place_;  // of each column in a row
  std::vector<Row> rows_;
};

}  // namespace proxima
