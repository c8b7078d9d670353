// Runs the real program in a folder of its own, as a user would.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace proxima::test {

struct Result {
  int status = -1;  // exit status; 128 + signal when it was killed
  std::string out, err;
};

// Waits for the end, or kills it (SIGKILL, as the machine would) as soon as `enough` is true, which is asked all the
// time. `launcher` are words before the program, as mpirun -n 2.
Result run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                   const std::function<bool()>& enough = {}, const std::vector<std::string>& launcher = {});

}  // namespace proxima::test
