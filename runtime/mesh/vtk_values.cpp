#include "runtime/mesh/vtk_values.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace proxima::mesh {
namespace {

template <class Number>
constexpr bool is_whole = std::is_integral_v<Number>;

template <class Number>
void append(std::string_view bytes, bool swap, VtkValues& values) {
  using Kept = std::conditional_t<is_whole<Number>, std::int64_t, double>;
  auto& kept = std::get<std::vector<Kept>>(values);
  for (; bytes.size() >= sizeof(Number); bytes.remove_prefix(sizeof(Number))) {
    char raw[sizeof(Number)];
    bytes.copy(raw, sizeof raw);
    if (swap) std::reverse(std::begin(raw), std::end(raw));
    Number number;
    std::memcpy(&number, raw, sizeof raw);
    kept.push_back(static_cast<Kept>(number));
  }
}

template <class Number>
constexpr VtkType row(std::string_view name) {
  return {name, sizeof(Number), is_whole<Number>, append<Number>};
}

// "VTK File Formats" (XML types; legacy types). A legacy vtkIdType is written as an int.
constexpr VtkType kTypes[] = {
    row<std::int8_t>("Int8"),
    row<std::uint8_t>("UInt8"),
    row<std::int16_t>("Int16"),
    row<std::uint16_t>("UInt16"),
    row<std::int32_t>("Int32"),
    row<std::uint32_t>("UInt32"),
    row<std::int64_t>("Int64"),
    row<std::uint64_t>("UInt64"),
    row<float>("Float32"),
    row<double>("Float64"),
    row<std::int8_t>("char"),
    row<std::int8_t>("signed_char"),
    row<std::uint8_t>("unsigned_char"),
    row<std::int16_t>("short"),
    row<std::uint16_t>("unsigned_short"),
    row<std::int32_t>("int"),
    row<std::uint32_t>("unsigned_int"),
    row<std::int64_t>("long"),
    row<std::uint64_t>("unsigned_long"),
    row<std::int64_t>("vtktypeint64"),
    row<std::uint64_t>("vtktypeuint64"),
    row<std::int32_t>("vtkIdType"),
    row<float>("float"),
    row<double>("double"),
};

}  // namespace

const VtkType* vtk_type(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const VtkType& type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

VtkValues no_values(const VtkType& type) {
  return type.whole ? VtkValues(std::vector<std::int64_t>()) : VtkValues(std::vector<double>());
}

std::size_t count_of(const VtkValues& values) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, values);
}

std::vector<double> to_real(VtkValues values) {
  if (auto* real = std::get_if<std::vector<double>>(&values)) return std::move(*real);
  const auto& whole = std::get<std::vector<std::int64_t>>(values);
  return {whole.begin(), whole.end()};
}

}  // namespace proxima::mesh
