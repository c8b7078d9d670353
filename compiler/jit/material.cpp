#include "compiler/jit/material.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <vector>

#include "compiler/dsl/registry.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/ir/serialize.hpp"
#include "compiler/jit/clang.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::jit {
namespace {

using Definitions = std::vector<dsl::Registered>;
using Clock = std::chrono::steady_clock;

// What a file may be asked for.
template <class Formula>
struct Kind;
template <>
struct Kind<ir::Energy> {
  static constexpr const char* noun = "energy";
  static constexpr const char* plural = "energies";
  static constexpr const char* macro = "PROXIMA_ENERGY";
  static constexpr const char* named_by = "by \"energy_name\" in a scene, by --energy in a command";
  static constexpr auto from_bytes = ir::energy_from_bytes;
  static constexpr auto trace = dsl::trace;
  static constexpr auto definitions = &dsl::Collection::energies;
};
template <>
struct Kind<ir::Function> {
  static constexpr const char* noun = "function";
  static constexpr const char* plural = "functions";
  static constexpr const char* macro = "PROXIMA_FUNCTION";
  static constexpr const char* named_by = "by \"name\" in a scene";
  static constexpr auto from_bytes = ir::function_from_bytes;
  static constexpr auto trace = dsl::trace_function;
  static constexpr auto definitions = &dsl::Collection::functions;
};

// Hash of a file's content, "" when it cannot be read.
std::string content_hash(const std::filesystem::path& file) {
  try {
    return hash_bytes(read_file(file)).hex();
  } catch (const Error&) {
    return "";
  }
}

// A cache entry: the included headers, one a line with the hash of its content, an empty line, and for each energy or
// function a line with the number of its bytes, and the bytes. Nothing when a header has gone meanwhile.
template <class Formula>
std::optional<std::string> entry_bytes(const std::vector<std::filesystem::path>& headers,
                                       const std::vector<Formula>& formulas) {
  std::string bytes;
  for (const auto& header : headers) {
    const std::string hash = content_hash(header);
    if (hash.empty()) return std::nullopt;
    bytes += hash + " " + header.string() + "\n";
  }
  bytes += "\n";
  for (const Formula& formula : formulas) {
    const std::string content = ir::to_bytes(formula);
    bytes += std::to_string(content.size()) + "\n" + content;
  }
  return bytes;
}

// Takes the first line off `text`; nothing when there is none.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

bool headers_are_current(std::string_view& entry) {
  constexpr std::size_t hash_digits = 32;
  while (const auto line = take_line(entry)) {
    if (line->empty()) return true;
    if (line->size() <= hash_digits + 1) return false;
    if (content_hash(line->substr(hash_digits + 1)) != line->substr(0, hash_digits)) return false;
  }
  return false;
}

// The content of an entry all of whose headers are as they were.
template <class Formula>
std::optional<std::vector<Formula>> current_content(std::string_view entry) {
  if (!headers_are_current(entry)) return std::nullopt;
  std::vector<Formula> formulas;
  while (!entry.empty()) {
    const auto line = take_line(entry);
    std::size_t size = 0;
    if (!line || std::from_chars(line->data(), line->data() + line->size(), size).ec != std::errc())
      return std::nullopt;
    if (size > entry.size()) return std::nullopt;
    auto formula = Kind<Formula>::from_bytes(entry.substr(0, size));
    if (!formula) return std::nullopt;
    formulas.push_back(std::move(*formula));
    entry.remove_prefix(size);
  }
  if (formulas.empty()) return std::nullopt;
  return formulas;
}

// The loaded code is dropped once its energy is traced, so nothing of it may run at exit.
int forget_destructor(void (*)(void*), void*, void*) { return 0; }

// What a material may call: the language, and whatever this program has from the C and C++ libraries.
void* material_symbol(const std::string& name) {
  for (const dsl::AbiSymbol& symbol : dsl::abi_symbols())
    if (name == symbol.name) return symbol.address;
  if (name == "__cxa_atexit") return reinterpret_cast<void*>(&forget_destructor);
  static int handle;
  if (name == "__dso_handle") return &handle;
  return dlsym(RTLD_DEFAULT, name.c_str());
}

std::vector<std::string> names_of(const Definitions& definitions) {
  std::vector<std::string> names;
  names.reserve(definitions.size());
  for (const auto& definition : definitions) names.push_back(definition.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// Those that are wanted: all of them, or the one of that name, or the only one.
template <class Formula>
Definitions choose(const dsl::Collection& all, Wanted wanted, const std::string& name, const std::string& file) {
  using Of = Kind<Formula>;
  const Definitions& found = all.*Of::definitions;
  if (found.empty()) {
    const Definitions& others = all.energies.empty() ? all.functions : all.energies;
    const std::string besides =
        others.empty() ? "" : fmt::format("; it has the {} {}", noun(others[0].definition), joined(names_of(others)));
    fail("{}: defines no {}; write {}(name) {{ ... }}{}", file, Of::noun, Of::macro, besides);
  }
  if (wanted == Wanted::all || (name.empty() && found.size() == 1)) return found;
  const std::vector<std::string> names = names_of(found);
  if (const auto one = std::ranges::find(found, name, &dsl::Registered::name); one != found.end()) return {*one};
  if (name.empty())
    fail("{}: defines the {} {}; name the one to use, {}", file, Of::plural, joined(names), Of::named_by);
  const std::string nearest = nearest_name(name, names);
  fail("{}: defines no {} \"{}\"; it has {}{}", file, Of::noun, name, joined(names),
       nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest));
}

CompiledSource compile(const std::filesystem::path& file, const std::string& text) {
  CompiledSource source = compile_source(file, text);
  switch (source.outcome) {
    case CompiledSource::Outcome::compiled:
      break;
    case CompiledSource::Outcome::refused:
      fail("{}: does not compile\n{}", file.string(), source.messages);
    case CompiledSource::Outcome::crashed:
      fail("{}: Clang crashed on this file\n{}", file.string(), source.messages);
  }
  return source;
}

template <class Formula>
std::vector<Formula> run(const CompiledSource& source, const std::string& file, Wanted wanted, const std::string& name,
                         Loader& loader) {
  try {
    const LoadedObject code = loader.load(source.object, material_entry, material_symbol);
    if (code.entry == nullptr) fail("{}: declares but does not define {}", file, joined(code.undefined));
    dsl::Registration registration;
    reinterpret_cast<void (*)()>(code.entry)();
    // Through bytes, as from the cache: the order of nodes decides the order of sums in derived kernels, and so their
    // last bits, which must not depend on whether it was cached.
    std::vector<Formula> formulas;
    for (const auto& registered : choose<Formula>(registration.definitions(), wanted, name, file))
      formulas.push_back(Kind<Formula>::from_bytes(ir::to_bytes(Kind<Formula>::trace(registered))).value());
    return formulas;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    fail("{}: the author's code threw an exception: {}", file, thrown.what());
  } catch (...) {
    fail("{}: the author's code threw something that is no std::exception", file);
  }
}

}  // namespace

template <class Formula>
std::vector<Formula> MaterialStore::get(const std::filesystem::path& file, Wanted wanted, const std::string& name) {
  constexpr const char* kind = Kind<Formula>::noun;
  const auto start = Clock::now();
  const std::string text = read_file(file);
  const Hash key = hash_bytes(source_compiler_version() + "\n" + std::filesystem::absolute(file).string() + "\n" +
                              file.string() + "\n" + (wanted == Wanted::all ? "all" : "one " + name) + "\n" + text);
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (const auto entry = cache_.read(key, kind))
    if (auto formulas = current_content<Formula>(*entry)) {
      const std::scoped_lock lock(mutex_);
      ++counts_.loaded;
      counts_.load_seconds += seconds();
      return std::move(*formulas);
    }
  const CompiledSource source = compile(file, text);
  std::vector<Formula> formulas = run<Formula>(source, file.string(), wanted, name, loader_);
  if (const auto entry = entry_bytes(source.headers, formulas)) cache_.write(key, kind, *entry);
  const std::scoped_lock lock(mutex_);
  ++counts_.compiled;
  counts_.compile_seconds += seconds();
  return formulas;
}

template std::vector<ir::Energy> MaterialStore::get(const std::filesystem::path&, Wanted, const std::string&);
template std::vector<ir::Function> MaterialStore::get(const std::filesystem::path&, Wanted, const std::string&);

MaterialStore::Counts MaterialStore::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace proxima::jit
