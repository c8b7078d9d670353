// Bytes of a graph and of what goes around it. Internal to this room.
#pragma once

#include <bit>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

static_assert(std::endian::native == std::endian::little, "the byte format is little-endian");

inline constexpr std::string_view magic = "PXIR";
inline constexpr std::uint32_t format_version = 2;
enum class Content : std::uint8_t { kernel_key, kernel, energy, function };

// Changes with every change of the operator table that would make old bytes mean something else.
std::uint64_t table_fingerprint();

class Writer {
 public:
  explicit Writer(Content content) {
    bytes = magic;
    put(format_version);
    put(table_fingerprint());
    put(content);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  std::string bytes;
};

class Malformed : public std::exception {};

class Reader {
 public:
  Reader(std::string_view bytes, Content content) : rest_(bytes) {
    if (take(magic.size()) != magic || get<std::uint32_t>() != format_version ||
        get<std::uint64_t>() != table_fingerprint() || get<Content>() != content)
      throw Malformed();
  }
  template <class T>
  T get() {
    T value;
    const std::string_view source = take(sizeof value);
    std::memcpy(&value, source.data(), source.size());
    return value;
  }
  bool truth() {  // any other byte is no bool
    const auto byte = get<std::uint8_t>();
    if (byte > 1) throw Malformed();
    return byte == 1;
  }
  std::string text() { return std::string(take(get<std::uint32_t>())); }
  // The number of entries that follow, each of at least one byte.
  std::uint32_t count() {
    const auto count = get<std::uint32_t>();
    if (count > rest_.size()) throw Malformed();
    return count;
  }
  void expect_end() const {
    if (!rest_.empty()) throw Malformed();
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw Malformed();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest_;
};

enum class Locations : bool { omit, keep };

// Only what `roots` need, each node after its operands, in the order a depth-first walk from the roots leaves them.
void put_graph(Writer& out, const Graph& graph, std::span<const NodeId> roots, Locations locations);

// Rebuilds through Graph::apply, which checks arities and types; nodes come out as they were, being canonical already.
// Returns the roots. Throws Malformed, or what Graph::apply throws.
std::vector<NodeId> get_graph(Reader& in, Graph& graph);

// Bytes from a file may be anything: whatever does not rebuild into a well-formed graph counts as unreadable.
template <class Read>
auto read_or_nothing(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Malformed&) {
    return std::nullopt;
  } catch (const std::logic_error&) {  // from Graph::apply
    return std::nullopt;
  }
}

}  // namespace proxima::ir
