// "VTK File Formats", "XML File Formats"; the layout of compressed data is that of vtkXMLWriter::WriteBinaryData.
#include "runtime/mesh/vtu_data.hpp"

#include <zlib.h>

#include <charconv>
#include <cstring>

#include "compiler/support/error.hpp"
#include "runtime/mesh/text_cursor.hpp"

namespace proxima::mesh {
namespace {

// zlib makes at most 1032 bytes of one (zlib.net, "Technical Details"): what promises more is damaged.
constexpr std::uint64_t kMostExpansion = 1032, kSlack = 64;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The bytes of one array from the front, raw or base64. In base64 each call of take() reads a unit of its own, with its
// own padding.
class Source {
 public:
  Source(std::string_view data, bool base64, std::string name) : data_(data), base64_(base64), name_(std::move(name)) {
    if (base64_) data_.remove_prefix(std::min(data_.find_first_not_of(" \t\r\n"), data_.size()));
  }

  std::string peek(std::uint64_t count) const {
    if (count > left()) complain("end before their announced size");
    return base64_ ? decode(count) : std::string(data_.substr(0, count));
  }
  std::string take(std::uint64_t count) {
    auto result = peek(count);
    data_.remove_prefix(base64_ ? letters(count) : count);
    return result;
  }
  std::uint64_t left() const { return base64_ ? data_.size() / 4 * 3 : data_.size(); }

  [[noreturn]] void complain(std::string_view what) const { fail("{}: the data {}; the file is damaged", name_, what); }

 private:
  static std::uint64_t letters(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

  std::string decode(std::uint64_t count) const {
    std::string result;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; result.size() < count; ++i) {
      const auto digit = kDigits.find(data_[i]);
      // Padding stands only behind the last byte, where it is not asked for.
      if (digit == kDigits.npos) complain("are no base64");
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      if (i % 4 > 0) result += static_cast<char>(bits >> (6 - 2 * (i % 4)) & 0xff);
    }
    return result;
  }

  std::string_view data_;
  bool base64_;
  std::string name_;
};

// How the numbers that stand before the data of an array are written.
struct Header {
  const VtkType* type;
  bool swap;

  std::vector<std::uint64_t> numbers(std::string_view bytes) const {
    VtkValues values = no_values(*type);
    type->append(bytes, swap, values);
    const auto& whole = std::get<std::vector<std::int64_t>>(values);
    return {whole.begin(), whole.end()};
  }
};

std::string uncompressed(Source& source, const Header& header) {
  const auto size = header.numbers(source.peek(header.type->size)).front();
  if (size > source.left()) source.complain("end before their announced size");
  return source.take(header.type->size + size).substr(header.type->size);
}

std::string inflate(std::string_view block, std::uint64_t size, const Source& source) {
  if (size > kMostExpansion * block.size() + kSlack) source.complain("announce more than they can hold");
  std::string result(size, '\0');
  uLongf written = size;
  const auto status = ::uncompress(reinterpret_cast<Bytef*>(result.data()), &written,
                                   reinterpret_cast<const Bytef*>(block.data()), block.size());
  if (status != Z_OK || written != size) source.complain("cannot be decompressed");
  return result;
}

// The number of blocks, the size of each and of the last (0: like the others), their compressed sizes, the blocks.
std::string compressed(Source& source, const Header& header) {
  constexpr std::uint64_t kBefore = 3;  // numbers before the compressed sizes
  const auto blocks = header.numbers(source.peek(header.type->size)).front();
  if (blocks == 0) return {};
  if (blocks > source.left() / header.type->size) source.complain("end before their announced blocks");
  const auto numbers = header.numbers(source.take((kBefore + blocks) * header.type->size));
  std::uint64_t sum = 0;
  for (auto size = numbers.begin() + kBefore; size != numbers.end(); ++size) {
    if (*size > source.left() - sum) source.complain("end before their announced size");
    sum += *size;
  }
  const auto bytes = source.take(sum);
  std::string result;
  std::string_view rest = bytes;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const bool partial = b + 1 == blocks && numbers[2] > 0;
    result += inflate(rest.substr(0, numbers[kBefore + b]), partial ? numbers[2] : numbers[1], source);
    rest.remove_prefix(numbers[kBefore + b]);
  }
  return result;
}

VtkValues text_values(const VtkType& type, std::string_view text, const std::string& file, const std::string& name) {
  TextCursor cursor(file, text);
  cursor.set_place(name);
  auto values = no_values(type);
  while (!cursor.at_end()) {
    if (auto* whole = std::get_if<std::vector<std::int64_t>>(&values))
      whole->push_back(cursor.integer("a value"));
    else
      std::get<std::vector<double>>(values).push_back(cursor.real("a value"));
  }
  return values;
}

Source appended_source(const VtuDocument& document, const VtuArray& array, const std::string& name) {
  const auto text = attribute(array.attributes, "offset");
  std::uint64_t offset = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  if (error != std::errc() || stop != text.data() + text.size())
    fail("{}: its offset into the appended data is '{}', a whole number is needed", name, printable(text));
  if (offset > document.appended.size())
    fail("{}: its offset {} is beyond the {} bytes of appended data; the file is damaged or cut short", name, offset,
         document.appended.size());
  return {document.appended.substr(offset), document.appended_encoding == "base64", name};
}

VtkValues binary_values(const VtuDocument& document, Source source, const VtkType& type) {
  const auto header_name = attribute(document.attributes, "header_type", "UInt32");
  const Header header{vtk_type(header_name), attribute(document.attributes, "byte_order") == "BigEndian"};
  if (header_name != "UInt32" && header_name != "UInt64") source.complain("have headers of a type that is not known");
  const auto compressor = attribute(document.attributes, "compressor");
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
    source.complain("are not compressed by zlib, which alone is read (save with vtkZLibDataCompressor or without)");
  const auto bytes = compressor.empty() ? uncompressed(source, header) : compressed(source, header);
  if (bytes.size() % type.size != 0) source.complain("are no whole number of values");
  auto values = no_values(type);
  type.append(bytes, header.swap, values);
  return values;
}

}  // namespace

std::string_view attribute(const XmlAttributes& attributes, std::string_view name, std::string_view otherwise) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : std::string_view(found->second);
}

VtkValues vtu_values(const VtuDocument& document, const VtuArray& array, const std::string& file) {
  const auto own_name = attribute(array.attributes, "Name", "without a name");
  const auto array_name = fmt::format("array {} of {}", printable(own_name), array.section);
  const auto name = fmt::format("{}: {}", file, array_name);
  const auto type_name = attribute(array.attributes, "type");
  const auto* type = vtk_type(type_name);
  if (type == nullptr) fail("{}: its type is '{}', which is not known", name, printable(type_name));
  const auto format = attribute(array.attributes, "format", "ascii");
  if (format == "ascii") return text_values(*type, array.text, file, array_name);
  if (format == "binary") return binary_values(document, {array.text, true, name}, *type);
  if (format == "appended") return binary_values(document, appended_source(document, array, name), *type);
  fail("{}: its format is '{}', which is not known", name, printable(format));
}

}  // namespace proxima::mesh
