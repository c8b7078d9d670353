#include "runtime/optimize/evaluation_log.hpp"

#include "compiler/support/bytes.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::optimize {
namespace {

constexpr std::string_view magic = "PRXEVAL\n";
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 8 + 4 + 16;

std::string header(const Hash& fingerprint) {
  Packer packer;
  packer.put(magic);
  packer.put(version);
  packer.put(fingerprint.high);
  packer.put(fingerprint.low);
  return std::move(packer).bytes();
}

}  // namespace

EvaluationLog::EvaluationLog(std::filesystem::path file, const Hash& fingerprint)
    : file_(std::move(file)), body_(header(fingerprint)) {
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return;
  const std::string content = read_file(file_);
  const std::string_view text = content;
  if (!text.starts_with(magic) || text.size() < header_size + checksum_size)
    fail("{}: is not what an optimisation of Proxima leaves to be resumed", file_.string());
  if (const auto found = take<std::uint32_t>(text, magic.size()); found != version)
    fail("{}: is in version {} of the format, this program reads version {}", file_.string(), found, version);
  if (!intact(text)) fail("{}: is damaged; to start again use --overwrite", file_.string());
  if (!text.starts_with(body_))
    fail(
        "{}: was written for another scene (other mesh, material, boundary, loss, variables, method, starts, "
        "solver settings or device); to start again use --overwrite",
        file_.string());
  body_ = text.substr(0, text.size() - checksum_size);
  records_ = unpack_all(std::string_view(body_).substr(header_size));
}

void EvaluationLog::append(const Record& record) {
  Packer packer;
  packer.put_counted(pack(record));
  body_ += std::move(packer).bytes();
  records_.push_back(record);
  Packer whole;
  whole.put(std::string_view(body_));
  write_file(file_, std::move(whole).sealed());
}

std::string pack(const std::vector<Record>& records) {
  Packer packer;
  for (const auto& record : records) packer.put_counted(pack(record));
  return std::move(packer).bytes();
}

std::vector<Record> unpack_all(std::string_view bytes) {
  std::vector<Record> records;
  for (Unpacker unpacker(bytes); !unpacker.done();) records.push_back(unpack(unpacker.get_text()));
  return records;
}

}  // namespace proxima::optimize
