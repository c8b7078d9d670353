#include "runtime/mesh/text_cursor.hpp"

#include <algorithm>
#include <charconv>

namespace proxima::mesh {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

template <class Number>
bool parse(std::string_view word, Number& number) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* begin = word.data();
  const char* end = begin + word.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

std::string printable(std::string_view word) {
  std::string shown(word.substr(0, 40));
  for (auto& letter : shown) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return shown;
}

void TextCursor::advance(std::size_t count) {
  line_ += static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + count, '\n'));
  text_.remove_prefix(count);
}

void TextCursor::skip_blanks() { advance(std::min(text_.find_first_not_of(kBlanks), text_.size())); }

bool TextCursor::at_end() {
  skip_blanks();
  return text_.empty();
}

bool TextCursor::more_on_line() {
  const auto rest = text_.substr(0, text_.find('\n'));
  return rest.find_first_not_of(kBlanks) != rest.npos;
}

std::string_view TextCursor::word(std::string_view what) {
  if (at_end()) fail("the file ends where {} should follow; it is cut short", what);
  const auto found = text_.substr(0, text_.find_first_of(kBlanks));
  text_.remove_prefix(found.size());
  return found;
}

std::string_view TextCursor::line() {
  auto found = text_.substr(0, text_.find('\n'));
  advance(std::min(found.size() + 1, text_.size()));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string_view TextCursor::bytes(std::size_t count, std::string_view what) {
  if (text_.size() < count) fail("the file ends where {} should follow; it is cut short", what);
  const auto found = text_.substr(0, count);
  text_.remove_prefix(count);  // lines are not counted in binary data
  return found;
}

bool TextCursor::skip_past(std::string_view mark) {
  const auto place = text_.find(mark);
  if (place == text_.npos) return false;
  advance(place + mark.size());
  return true;
}

bool TextCursor::record(std::vector<std::string_view>& words) {
  words.clear();
  while (!text_.empty()) {
    skip_blanks();  // so that the line number stays at this record until the next one is asked for
    auto content = text_.substr(0, text_.find('\n'));
    text_.remove_prefix(content.size());
    content = content.substr(0, content.find('#'));
    for (;;) {
      content.remove_prefix(std::min(content.find_first_not_of(kBlanks), content.size()));
      if (content.empty()) break;
      words.push_back(content.substr(0, content.find_first_of(kBlanks)));
      content.remove_prefix(words.back().size());
    }
    if (!words.empty()) return true;
  }
  return false;
}

std::int64_t TextCursor::to_integer(std::string_view word, std::string_view what) const {
  std::int64_t number;
  if (!parse(word, number)) fail("found '{}' where {} should stand, a whole number", printable(word), what);
  return number;
}

double TextCursor::to_real(std::string_view word, std::string_view what) const {
  double number;
  if (!parse(word, number)) fail("found '{}' where {} should stand, a number", printable(word), what);
  return number;
}

}  // namespace proxima::mesh
