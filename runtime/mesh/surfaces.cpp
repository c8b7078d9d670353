// Surfaces as modelling programs write them: Wavefront .obj and .stl, text or binary. They carry no tags.
#include <bit>
#include <cmath>
#include <map>

#include "compiler/support/error.hpp"
#include "runtime/mesh/numbered_mesh.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/text_cursor.hpp"

namespace proxima::mesh {
namespace {

const ElementKind kLine = {0, 2, "lines", Shape::edge, {0, 1}};
const ElementKind kTriangle = {0, 3, "triangles", Shape::triangle, {0, 1, 2}};

// "12", "12/3/4" or "-1": counted from 1, or backwards from the last vertex so far.
std::int64_t obj_vertex(const TextCursor& cursor, std::string_view word, std::int64_t vertices) {
  const auto number = cursor.to_integer(word.substr(0, word.find('/')), "the number of a vertex");
  if (number == 0 || number > vertices || number < -vertices)
    cursor.fail("found vertex {}, {} stand before it", number, vertices);
  return number > 0 ? number : vertices + 1 + number;
}

// A binary file is 80 bytes of anything, the number of triangles, and 50 bytes for each.
constexpr std::size_t kStlHead = 80, kStlTriangle = 50, kStlNormal = 12;

template <class Number>
Number little_endian(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  Number number;
  bytes.copy(reinterpret_cast<char*>(&number), sizeof number);
  return number;
}

bool is_binary_stl(std::string_view content) {
  if (content.size() < kStlHead + 4) return false;
  const auto triangles = little_endian<std::uint32_t>(content.substr(kStlHead, 4));
  return content.size() == kStlHead + 4 + kStlTriangle * std::size_t{triangles};
}

// Triangles by the positions of their corners: equal positions are one node, since STL has no other way to say so.
class Soup {
 public:
  explicit Soup(const std::string& file) : file_(file) {}
  void add(const Vector3& corner) {
    for (const double x : corner)
      if (!std::isfinite(x)) fail("{}: triangle {} has a coordinate that is {}", file_, triangles_, x);
    const auto [known, is_new] = numbers_.try_emplace(corner, static_cast<std::int64_t>(numbers_.size()));
    if (is_new) mesh_.add_node(known->second, corner);
    corners_.push_back(known->second);
    if (corners_.size() < 3) return;
    mesh_.add(kTriangle, triangles_++, corners_, 0);
    corners_.clear();
  }
  Mesh finish() const { return mesh_.finish(file_); }

 private:
  const std::string& file_;
  NumberedMesh mesh_;
  std::map<Vector3, std::int64_t> numbers_;
  std::vector<std::int64_t> corners_;  // of the triangle that is being read
  std::int64_t triangles_ = 0;
};

}  // namespace

Mesh read_obj(const std::string& file, std::string_view content) {
  TextCursor cursor(file, content);
  NumberedMesh mesh;
  std::vector<std::string_view> words;
  std::int64_t vertices = 0, faces = 0;
  while (cursor.record(words)) {
    if (words[0] == "v") {
      if (words.size() < 4) cursor.fail("a vertex needs 3 coordinates, found {}", words.size() - 1);
      mesh.add_node(++vertices,
                    {cursor.to_real(words[1], "x"), cursor.to_real(words[2], "y"), cursor.to_real(words[3], "z")});
    } else if (words[0] == "f" || words[0] == "l") {
      const bool line = words[0] == "l";
      if (words.size() < (line ? 3u : 4u)) cursor.fail("a face needs 3 vertices, a line 2; found {}", words.size() - 1);
      std::vector<std::int64_t> corners;
      for (std::size_t i = 1; i < words.size(); ++i) corners.push_back(obj_vertex(cursor, words[i], vertices));
      for (std::size_t i = line ? 1 : 2; i < corners.size(); ++i)
        mesh.add(line ? kLine : kTriangle, faces,
                 line ? std::vector{corners[i - 1], corners[i]} : std::vector{corners[0], corners[i - 1], corners[i]},
                 0);
      ++faces;
    }
  }
  return mesh.finish(file);
}

Mesh read_stl(const std::string& file, std::string_view content) {
  Soup soup(file);
  if (is_binary_stl(content)) {
    for (auto rest = content.substr(kStlHead + 4); !rest.empty(); rest.remove_prefix(kStlTriangle))
      for (std::size_t corner = 0; corner < 3; ++corner) {
        Vector3 x;
        for (std::size_t i = 0; i < 3; ++i)
          x[i] = little_endian<float>(rest.substr(kStlNormal + 12 * corner + 4 * i, 4));
        soup.add(x);
      }
    return soup.finish();
  }
  TextCursor cursor(file, content);
  if (cursor.at_end() || cursor.word("solid") != "solid")
    cursor.fail("this is no STL file: text should begin with 'solid', binary data should have the size they announce");
  cursor.line();
  while (!cursor.at_end()) {
    const auto word = cursor.word("a word");
    if (word == "solid") cursor.line();  // its name may be any words
    if (word == "vertex") soup.add({cursor.real("x"), cursor.real("y"), cursor.real("z")});
  }
  return soup.finish();
}

}  // namespace proxima::mesh
