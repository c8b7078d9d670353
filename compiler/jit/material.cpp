#include "compiler/jit/material.hpp"

#include <dlfcn.h>

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

using Clock = std::chrono::steady_clock;
constexpr const char* kind = "energy";

// Hash of a file's content, "" when it cannot be read.
std::string content_hash(const std::filesystem::path& file) {
  try {
    return hash_bytes(read_file(file)).hex();
  } catch (const Error&) {
    return "";
  }
}

// A cache entry: the included headers, one a line with the hash of its content, an empty line, and for each energy a
// line with the number of its bytes, and the bytes. Nothing when a header has gone meanwhile.
std::optional<std::string> entry_bytes(const std::vector<std::filesystem::path>& headers,
                                       const std::vector<ir::Energy>& energies) {
  std::string bytes;
  for (const auto& header : headers) {
    const std::string hash = content_hash(header);
    if (hash.empty()) return std::nullopt;
    bytes += hash + " " + header.string() + "\n";
  }
  bytes += "\n";
  for (const ir::Energy& energy : energies) {
    const std::string content = ir::to_bytes(energy);
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

// The energies of an entry all of whose headers are as they were.
std::optional<std::vector<ir::Energy>> current_energies(std::string_view entry) {
  if (!headers_are_current(entry)) return std::nullopt;
  std::vector<ir::Energy> energies;
  while (!entry.empty()) {
    const auto line = take_line(entry);
    std::size_t size = 0;
    if (!line || std::from_chars(line->data(), line->data() + line->size(), size).ec != std::errc())
      return std::nullopt;
    if (size > entry.size()) return std::nullopt;
    auto energy = ir::energy_from_bytes(entry.substr(0, size));
    if (!energy) return std::nullopt;
    energies.push_back(std::move(*energy));
    entry.remove_prefix(size);
  }
  if (energies.empty()) return std::nullopt;
  return energies;
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

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

using Registered = std::vector<dsl::RegisteredEnergy>;

// Those that are wanted: all of them, or the one of that name, or the only one.
Registered choose(const Registered& energies, Wanted wanted, const std::string& name, const std::string& file) {
  if (energies.empty()) fail("{}: defines no energy; write PROXIMA_ENERGY(name) {{ ... }}", file);
  if (wanted == Wanted::all || (name.empty() && energies.size() == 1)) return energies;
  std::vector<std::string> names;
  for (const auto& energy : energies) {
    if (energy.name == name) return {energy};
    names.push_back(energy.name);
  }
  if (name.empty()) fail("{}: defines the energies {}; name the one to use", file, joined(names));
  const std::string nearest = nearest_name(name, names);
  fail("{}: defines no energy \"{}\"; it has {}{}", file, name, joined(names),
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

std::vector<ir::Energy> run(const CompiledSource& source, const std::string& file, Wanted wanted,
                            const std::string& name, Loader& loader) {
  try {
    const LoadedObject code = loader.load(source.object, material_entry, material_symbol);
    if (code.entry == nullptr) fail("{}: declares but does not define {}", file, joined(code.undefined));
    dsl::Registration registration;
    reinterpret_cast<void (*)()>(code.entry)();
    // Through bytes, as from the cache: the order of nodes decides the order of sums in derived kernels, and so their
    // last bits, which must not depend on whether this energy was cached.
    std::vector<ir::Energy> energies;
    for (const auto& registered : choose(registration.energies(), wanted, name, file))
      energies.push_back(ir::energy_from_bytes(ir::to_bytes(dsl::trace(registered))).value());
    return energies;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    fail("{}: the author's code threw an exception: {}", file, thrown.what());
  }
}

}  // namespace

std::vector<ir::Energy> MaterialStore::get(const std::filesystem::path& file, Wanted wanted, const std::string& name) {
  const auto start = Clock::now();
  const std::string text = read_file(file);
  const Hash key = hash_bytes(source_compiler_version() + "\n" + std::filesystem::absolute(file).string() + "\n" +
                              file.string() + "\n" + (wanted == Wanted::all ? "all" : "one " + name) + "\n" + text);
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (const auto entry = cache_.read(key, kind))
    if (auto energies = current_energies(*entry)) {
      const std::scoped_lock lock(mutex_);
      ++counts_.loaded;
      counts_.load_seconds += seconds();
      return std::move(*energies);
    }
  const CompiledSource source = compile(file, text);
  std::vector<ir::Energy> energies = run(source, file.string(), wanted, name, loader_);
  if (const auto entry = entry_bytes(source.headers, energies)) cache_.write(key, kind, *entry);
  const std::scoped_lock lock(mutex_);
  ++counts_.compiled;
  counts_.compile_seconds += seconds();
  return energies;
}

MaterialStore::Counts MaterialStore::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace proxima::jit
