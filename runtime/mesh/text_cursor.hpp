// Walks through the text of a mesh file and reads words and numbers, knowing the line it is at. Every complaint is an
// Error that begins with "file:line: ", or with "file: place: " in files that are partly binary. Internal to the room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/error.hpp"

namespace proxima::mesh {

class TextCursor {
 public:
  // `text` must outlive the cursor.
  TextCursor(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  // The next word, across line ends. `what` says in a complaint what should have stood there.
  std::string_view word(std::string_view what);
  std::int64_t integer(std::string_view what) { return to_integer(word(what), what); }
  double real(std::string_view what) { return to_real(word(what), what); }

  // The rest of the current line, without its end; the cursor moves to the next line.
  std::string_view line();
  // The next `count` bytes as they are; Error when there are fewer.
  std::string_view bytes(std::size_t count, std::string_view what);
  // Moves behind the next place where `mark` stands; false, without moving, where there is none.
  bool skip_past(std::string_view mark);
  // The words of the next line that has any, with what follows a # left out; false at the end of the text.
  bool record(std::vector<std::string_view>& words);
  bool at_end();                                     // nothing but blanks is left
  bool more_on_line();                               // before the next line end there is something else than blanks
  std::size_t left() const { return text_.size(); }  // bytes still to be read

  std::int64_t to_integer(std::string_view word, std::string_view what) const;
  double to_real(std::string_view word, std::string_view what) const;

  // Complaints name this place from now on, instead of the line.
  void set_place(std::string place) { place_ = std::move(place); }
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    const auto where = place_.empty() ? fmt::format("{}:{}", file_, line_) : fmt::format("{}: {}", file_, place_);
    throw Error(fmt::format("{}: {}", where, fmt::format(format, std::forward<Args>(args)...)));
  }

 private:
  void skip_blanks();
  void advance(std::size_t count);

  std::string file_;
  std::string_view text_;  // what is still to be read
  std::size_t line_ = 1;
  std::string place_;
};

// What is shown of a word in a message: its beginning, without what a terminal could not print.
std::string printable(std::string_view word);

}  // namespace proxima::mesh
