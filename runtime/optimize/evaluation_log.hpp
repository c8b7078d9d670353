// The file that an interrupted optimisation goes on from: every evaluation so far. A minimiser that is told them again
// asks for the same points and ends where it was, to the last bit, whatever its method keeps inside; and the file does
// not depend on the rules that stop it, so that a finished optimisation can be given more evaluations.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/hash.hpp"
#include "runtime/optimize/record.hpp"

namespace proxima::optimize {

inline constexpr const char* evaluation_log_name = "evaluations.bin";

class EvaluationLog {
 public:
  // Of the problem with this fingerprint. Reads what the file has, if there is one; writes nothing yet. Throws Error
  // naming the file when it is damaged, of another problem, or no such file at all.
  EvaluationLog(std::filesystem::path file, const Hash& fingerprint);

  const std::vector<Record>& records() const { return records_; }
  // Writes the file anew: it is there with this evaluation, or as it was.
  void append(const Record& record);

 private:
  std::filesystem::path file_;
  std::string body_;  // of the file, without its checksum
  std::vector<Record> records_;
};

// All of them, for another process.
std::string pack(const std::vector<Record>& records);
std::vector<Record> unpack_all(std::string_view bytes);

}  // namespace proxima::optimize
