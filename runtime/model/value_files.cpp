#include "runtime/model/value_files.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::model {

std::vector<double> read_numbers(const std::filesystem::path& file) {
  const auto content = read_regular_file(file);
  std::vector<double> result;
  int line = 1;
  const char* at = content.data();
  const char* const end = at + content.size();
  while (true) {
    for (; at < end && std::isspace(static_cast<unsigned char>(*at)); ++at) line += *at == '\n';
    if (at == end) return result;
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (after < end && !std::isspace(static_cast<unsigned char>(*after)))) {
      const auto* word_end = std::find_if(at, end, [](unsigned char letter) { return std::isspace(letter); });
      fail("{}:{}: found '{}', needed is a number", file.string(), line, std::string(at, word_end));
    }
    result.push_back(value);
    at = after;
  }
}

}  // namespace proxima::model
