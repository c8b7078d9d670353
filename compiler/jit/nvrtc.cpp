#include "compiler/jit/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "compiler/jit/nvrtc_api.hpp"
#include "compiler/support/error.hpp"

namespace proxima::jit {
namespace {

// No fast-math, whatever the defaults of a version; a product that feeds a sum may be fused, as on the CPU.
constexpr std::array options = {"--fmad=true", "--ftz=false", "--prec-div=true", "--prec-sqrt=true",
                                "--ptxas-options=-v"};

std::vector<std::string> candidates() {
  if (const char* chosen = std::getenv("PROXIMA_NVRTC"); chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<std::string> paths;
  const std::array names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  paths.insert(paths.end(), names.begin(), names.end());  // where the system's loader looks
  std::vector<std::string> roots;
  if (const char* root = std::getenv("CUDA_PATH"); root != nullptr) roots.emplace_back(root);
  roots.emplace_back("/usr/local/cuda");
  for (const std::string& root : roots)
    for (const char* name : names)
      for (const char* folder : {"/lib64/", "/targets/x86_64-linux/lib/"}) paths.push_back(root + folder + name);
  return paths;
}

void* symbol_in(void* library, const char* name) {
  if (void* found = dlsym(library, name)) return found;
  fail("the NVRTC that was found lacks the function {}; CUDA 12 or 13 is needed", name);
}

template <class F>
void bind(F& function, void* library, const char* name) {
  function = reinterpret_cast<F>(symbol_in(library, name));
}

// The number before `words` in the text, 0 where there is none.
int number_before(std::string_view text, std::string_view words) {
  std::size_t end = text.find(words);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  int number = 0;
  std::from_chars(text.data() + begin, text.data() + end, number);
  return number;
}

}  // namespace

struct Nvrtc::Library {
  explicit Library(void* handle_) : handle(handle_) {
    bind(f.error_string, handle, "nvrtcGetErrorString");
    bind(f.version, handle, "nvrtcVersion");
    bind(f.supported_count, handle, "nvrtcGetNumSupportedArchs");
    bind(f.supported, handle, "nvrtcGetSupportedArchs");
    bind(f.create, handle, "nvrtcCreateProgram");
    bind(f.destroy, handle, "nvrtcDestroyProgram");
    bind(f.compile, handle, "nvrtcCompileProgram");
    bind(f.log_size, handle, "nvrtcGetProgramLogSize");
    bind(f.log, handle, "nvrtcGetProgramLog");
    bind(f.cubin_size, handle, "nvrtcGetCUBINSize");
    bind(f.cubin, handle, "nvrtcGetCUBIN");
    bind(f.ptx_size, handle, "nvrtcGetPTXSize");
    bind(f.ptx, handle, "nvrtcGetPTX");
  }
  // Never closed: the library keeps threads and state of its own.
  void* handle;
  nvrtc::Functions f{};

  void check(nvrtc::Result result, const std::string& what) const {
    if (result != 0) fail("{}: NVRTC says {}", what, f.error_string(result));
  }
};

std::shared_ptr<const Nvrtc> Nvrtc::load() {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::shared_ptr<const Nvrtc>> loaded;
  const auto paths = candidates();
  const std::scoped_lock lock(mutex);
  auto& nvrtc = loaded[paths];
  for (std::size_t k = 0; !nvrtc && k < paths.size(); ++k)
    if (void* library = dlopen(paths[k].c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr)
      nvrtc.reset(new Nvrtc(library, paths[k]));
  if (nvrtc) return nvrtc;
  fail(
      "CUDA kernels are compiled by NVRTC, which is not to be found: looked for {}; install the CUDA toolkit 12 or 13, "
      "or set PROXIMA_NVRTC to the library's path",
      paths.size() == 1 ? paths[0] : "libnvrtc.so in the system's folders, $CUDA_PATH and /usr/local/cuda");
}

Nvrtc::Nvrtc(void* library, const std::string& path) : functions_(std::make_shared<Library>(library)), library_(path) {
  const nvrtc::Functions& f = functions_->f;
  functions_->check(f.version(&major_, &minor_), path);
  int count = 0;
  functions_->check(f.supported_count(&count), path);
  architectures_.resize(static_cast<std::size_t>(count));
  functions_->check(f.supported(architectures_.data()), path);
  std::ranges::sort(architectures_);
}

std::string Nvrtc::version() const { return fmt::format("{}.{}", major_, minor_); }

void Nvrtc::require(const std::string& architecture) const {
  for (const int known : architectures_)
    if (architecture == fmt::format("sm_{}", known) || architecture == fmt::format("compute_{}", known)) return;
  fail("architecture \"{}\": NVRTC {} has machine code for sm_{}, and PTX for compute_ with the same numbers",
       architecture, version(), fmt::join(architectures_, ", sm_"));
}

std::string Nvrtc::architecture_for(int capability) const {
  if (std::ranges::find(architectures_, capability) != architectures_.end()) return fmt::format("sm_{}", capability);
  if (capability > architectures_.back()) return fmt::format("compute_{}", architectures_.back());
  // One between two known ones runs the PTX of the older.
  const auto above = std::ranges::upper_bound(architectures_, capability);
  if (above == architectures_.begin())
    fail("a GPU of compute capability {}.{} is too old for NVRTC {}, which begins with {}.{}", capability / 10,
         capability % 10, version(), architectures_.front() / 10, architectures_.front() % 10);
  return fmt::format("compute_{}", *(above - 1));
}

std::string Nvrtc::key() const { return fmt::format("NVRTC {}, {}", version(), fmt::join(options, " ")); }

CudaCode Nvrtc::compile(const std::string& name, const std::string& text, const std::string& symbol,
                        const std::string& architecture) const {
  require(architecture);
  const nvrtc::Functions& f = functions_->f;
  const auto start = std::chrono::steady_clock::now();
  nvrtc::Program created = nullptr;
  const std::string file = symbol.empty() ? name : symbol + ".cu";
  functions_->check(f.create(&created, text.c_str(), file.c_str(), 0, nullptr, nullptr), name);
  const auto destroy = [&](nvrtc::Program program) { f.destroy(&program); };
  const std::unique_ptr<nvrtc::OpaqueProgram, decltype(destroy)> program(created, destroy);

  const std::string target = "-arch=" + architecture;
  std::vector<const char*> arguments(options.begin(), options.end());
  arguments.push_back(target.c_str());
  const nvrtc::Result result = f.compile(program.get(), static_cast<int>(arguments.size()), arguments.data());
  const auto fetch = [&](auto size_of, auto content) {
    std::size_t size = 0;
    functions_->check(size_of(program.get(), &size), name);
    std::string bytes(size, '\0');
    functions_->check(content(program.get(), bytes.data()), name);
    return bytes;
  };
  std::string log = fetch(f.log_size, f.log);
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  if (result != 0) fail("{}: NVRTC {} for {} says {}\n{}", name, version(), architecture, f.error_string(result), log);

  CudaCode code;
  const bool ptx = architecture.starts_with("compute_");
  code.image = ptx ? fetch(f.ptx_size, f.ptx) : fetch(f.cubin_size, f.cubin);
  code.symbol = symbol;
  if (!ptx && !symbol.empty()) code.usage = usage_of(log, symbol);
  code.compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  code.log = std::move(log);
  return code;
}

CudaUsage usage_of(std::string_view log, const std::string& symbol) {
  constexpr std::string_view entry = "Compiling entry function '";
  if (const std::size_t at = log.find(std::string(entry) + symbol + "'"); at != std::string_view::npos)
    log = log.substr(at, log.find(entry, at + 1) - at);
  // "Function properties for SYMBOL" and its numbers on the next line; then, of the whole kernel, "Used 84 registers".
  // Functions that are called have lines of their own, which come before or after.
  CudaUsage usage;
  const std::string head = "Function properties for " + symbol + "\n";
  if (const std::size_t at = log.find(head); at != std::string_view::npos) {
    const std::string_view rest = log.substr(at + head.size());
    const std::string_view line = rest.substr(0, rest.find('\n'));
    usage.stack_bytes = number_before(line, " bytes stack frame");
    usage.spill_stores = number_before(line, " bytes spill stores");
    usage.spill_loads = number_before(line, " bytes spill loads");
  }
  usage.registers = number_before(log, " registers");
  usage.stack_bytes = std::max(usage.stack_bytes, number_before(log, " bytes cumulative stack size"));
  return usage;
}

}  // namespace proxima::jit
