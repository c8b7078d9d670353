// The numbers of VTK's files: what their types are called, and arrays of them from bytes. Internal to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace proxima::mesh {

// Whole numbers or real ones, whatever their size in the file.
using VtkValues = std::variant<std::vector<std::int64_t>, std::vector<double>>;

struct VtkType {
  std::string_view name;
  std::size_t size;  // in bytes
  bool whole;
  // Appends the values in `bytes`, a multiple of the size; `swap` where they are in the other byte order.
  void (*append)(std::string_view bytes, bool swap, VtkValues& values);
};

// By the name that either format has for it ("Float64", "double"); null where there is none.
const VtkType* vtk_type(std::string_view name);

// None yet, of the kind that the type has.
VtkValues no_values(const VtkType& type);
std::size_t count_of(const VtkValues& values);
std::vector<double> to_real(VtkValues values);

}  // namespace proxima::mesh
