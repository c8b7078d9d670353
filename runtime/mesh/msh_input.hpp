// What the two Gmsh versions have in common below their sections: a file of $Name ... $EndName, whose values are either
// text or binary. A section reader asks for one value after the other and need not know which. Internal to the room.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "runtime/mesh/numbered_mesh.hpp"
#include "runtime/mesh/text_cursor.hpp"

namespace proxima::mesh {

class MshInput {
 public:
  // `content` must outlive the input.
  MshInput(const std::string& file, std::string_view content) : cursor_(file, content) {}

  // Moves to the next section and returns its name without the $; "" at the end of the file.
  std::string next_section();
  void expect_end();    // of the section that is being read
  void skip_section();  // to behind its end

  // In binary files what follows is binary from now on, but for section names and calls to text().
  void set_binary() { binary_ = true; }
  bool binary() const { return binary_; }

  // One value each. Counts never lead to an allocation: a loop over them ends, with an Error, where the file ends.
  std::int32_t integer(std::string_view what);
  std::int64_t size(std::string_view what);  // a count or a tag: Gmsh's size_t; Error when negative or beyond 2^63
  double real(std::string_view what);
  TextCursor& text() { return cursor_; }  // for what is text in both encodings

  // Names file and line where the file is text, file and section where it is binary.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    cursor_.fail(format, std::forward<Args>(args)...);
  }

 private:
  template <class Value>
  Value binary_value(std::string_view what);

  TextCursor cursor_;
  std::string section_;
  bool binary_ = false;
};

// A mesh while its sections are read.
struct MshContent {
  NumberedMesh mesh;                       // 4.1: the tag of an element is its entity until the end of the file
  std::map<Group, std::int32_t> physical;  // 4.1: entity, by dimension and tag -> its first physical group
  std::map<std::string, Group> groups;     // where a name stands for several, the one of the highest dimension
};

using SectionReader = void (*)(MshInput&, MshContent&);
using SectionReaders = std::map<std::string_view, SectionReader>;

// The sections that matter of each version; all others are skipped.
const SectionReaders& sections_of_msh_22();
const SectionReaders& sections_of_msh_41();

void read_physical_names(MshInput& input, MshContent& content);  // the same in both versions, and always text

// Error when `type` is unknown or of higher order.
const ElementKind& msh_element_kind(MshInput& input, std::int32_t type);
// The nodes of any kind fit in.
inline constexpr int kMostMshNodes = 8;

}  // namespace proxima::mesh
