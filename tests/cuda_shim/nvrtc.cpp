// A stand-in for NVRTC, with its C interface: compiles a kernel's text as host C++ behind prelude.hpp. Its "cubin" is a
// shared library, which driver.cpp beside it loads. The kernels that $PROXIMA_FAKE_FLAW names compute one wrong
// number each.
// For machines without a GPU; nothing about a GPU's compiler is shown.
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

struct Program {
  std::string text, log, image;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

int give(const std::string& from, char* to) { return std::memcpy(to, from.c_str(), from.size() + 1), 0; }

std::string launchers(const std::string& text) {
  static const std::regex kernel(R"(__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\()");
  const char* names = std::getenv("PROXIMA_FAKE_FLAW");
  std::istringstream words(names == nullptr ? "" : names);
  const std::set<std::string> flawed{std::istream_iterator<std::string>(words), {}};
  std::string result;
  for (std::sregex_iterator at(text.begin(), text.end(), kernel), end; at != end; ++at)
    result += (flawed.contains((*at)[1]) ? "PROXIMA_FLAWED_LAUNCHER(" : "PROXIMA_LAUNCHER(") + (*at)[1].str() + ")\n";
  return result;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(int result) { return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS"; }
// Other preludes make other code, and the version is part of a cache's key.
int nvrtcVersion(int* major, int* minor) {
  static const std::size_t content = std::hash<std::string>()(read(PROXIMA_SHIM_PRELUDE));
  return *major = 0, *minor = static_cast<int>(content % 1000000007), 0;
}
int nvrtcGetNumSupportedArchs(int* count) { return *count = 1, 0; }
int nvrtcGetSupportedArchs(int* architectures) { return *architectures = 90, 0; }
int nvrtcCreateProgram(Program** program, const char* text, const char*, int, const char* const*, const char* const*) {
  return *program = new Program{text, "", ""}, 0;
}
int nvrtcDestroyProgram(Program** program) { return delete *program, *program = nullptr, 0; }
int nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  std::string defines;
  for (int k = 0; k < count; ++k)
    if (std::strncmp(options[k], "-D", 2) == 0) defines += std::string(" ") + options[k];
  const std::string& text = program->text;
  if (text.find("__syncthreads") != std::string::npos || text.find("__shfl") != std::string::npos)
    defines += " -DPROXIMA_FIBERS";
  char folder[] = "/tmp/proxima_shim_XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  const std::filesystem::path path(folder);
  std::ofstream(path / "kernel.cpp") << "#include \"" PROXIMA_SHIM_PRELUDE "\"\n" << text << launchers(text);
  const std::string command = std::string(PROXIMA_CXX) + " -std=c++20 -O1 -w -ffp-contract=off -fPIC -shared" +
                              defines + " -o " + folder + "/kernel.so " + folder + "/kernel.cpp 2> " + folder + "/log";
  const int failed = std::system(command.c_str());
  program->log = read(path / "log");
  program->image = read(path / "kernel.so");
  std::filesystem::remove_all(path);
  return failed != 0 ? 6 : 0;
}
int nvrtcGetProgramLogSize(Program* program, std::size_t* size) { return *size = program->log.size() + 1, 0; }
int nvrtcGetProgramLog(Program* program, char* log) { return give(program->log, log); }
int nvrtcGetCUBINSize(Program* program, std::size_t* size) { return *size = program->image.size() + 1, 0; }
int nvrtcGetCUBIN(Program* program, char* image) { return give(program->image, image); }
int nvrtcGetPTXSize(Program* program, std::size_t* size) { return nvrtcGetCUBINSize(program, size); }
int nvrtcGetPTX(Program* program, char* image) { return nvrtcGetCUBIN(program, image); }

}  // extern "C"
