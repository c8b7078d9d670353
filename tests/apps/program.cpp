#include "tests/apps/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "compiler/support/file.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void become(std::vector<std::string> words, const fs::path& folder, const fs::path& out,
                         const fs::path& err) {
  const auto redirect = [](const fs::path& file, int descriptor) {
    ::dup2(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), descriptor);
  };
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (::chdir(folder.c_str()) != 0) ::_exit(127);
  // One cache for all tests, so that each kernel is compiled once; a test may choose another.
  constexpr int keep = 0;
  ::setenv("PROXIMA_CACHE", PROXIMA_BINARY_DIR "/tests/cache", keep);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

Result run_program(const std::vector<std::string>& arguments, const fs::path& folder,
                   const std::function<bool()>& enough, const std::vector<std::string>& launcher) {
  std::vector<std::string> words = launcher;
  words.emplace_back(PROXIMA_BINARY_DIR "/proxima");
  words.insert(words.end(), arguments.begin(), arguments.end());
  // Beside the folder: what is in it is part of what is tested.
  const fs::path out = folder.string() + ".stdout", err = folder.string() + ".stderr";
  // A child that is killed at once may not have come to making them.
  for (const auto& file : {out, err}) write_file(file, "");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(words, folder, out, err);

  int status = 0;
  while (::waitpid(child, &status, enough ? WNOHANG : 0) == 0) {
    if (enough()) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  Result result{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
  fs::remove(out);
  fs::remove(err);
  return result;
}

}  // namespace proxima::test
