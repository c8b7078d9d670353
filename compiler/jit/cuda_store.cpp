#include "compiler/jit/cuda_store.hpp"

#include <cstring>
#include <optional>
#include <string_view>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/ir/serialize.hpp"

namespace proxima::jit {
namespace {

// What stands before the image in an entry. The symbol is in the key.
struct Facts {
  CudaUsage usage;
  double compile_ms;
};

std::string entry_of(const CudaCode& code) {
  Facts facts{};
  facts.usage = code.usage;
  facts.compile_ms = code.compile_ms;
  std::string entry(sizeof(Facts), '\0');
  std::memcpy(entry.data(), &facts, sizeof(Facts));
  return entry + code.image;
}

std::optional<CudaCode> code_of(std::string_view entry, const std::string& symbol) {
  if (entry.size() <= sizeof(Facts)) return std::nullopt;
  Facts facts{};
  std::memcpy(&facts, entry.data(), sizeof(Facts));
  CudaCode code;
  code.image = entry.substr(sizeof(Facts));
  code.symbol = symbol;
  code.usage = facts.usage;
  code.compile_ms = facts.compile_ms;
  code.from_cache = true;
  return code;
}

std::string text_for(emit::Worlds worlds, const std::string& text) {
  return worlds == emit::Worlds::one ? text : emit::for_worlds(text);
}

}  // namespace

template <class Make>
CudaCode CudaStore::find(const std::string& symbol, const std::string& key, const Make& make,
                         const std::string& architecture) const {
  constexpr const char* kind = "cuda";
  nvrtc_->require(architecture);
  const Hash hash = hash_bytes(nvrtc_->key() + "\n" + architecture + "\n" + symbol + "\n" + key);
  if (const auto entry = cache_.read(hash, kind))
    if (auto code = code_of(*entry, symbol)) return std::move(*code);
  CudaCode code = make();
  cache_.write(hash, kind, entry_of(code));
  return code;
}

CudaCode CudaStore::compile(const ir::Kernel& kernel, emit::Precision precision, const std::string& architecture,
                            emit::Worlds worlds) const {
  std::optional<CudaCode> best;
  double all_ms = 0;
  for (const emit::CudaStyle& style : emit::cuda_styles) {
    CudaCode code = nvrtc_->compile(kernel.name, text_for(worlds, emit::kernel_as_cuda(kernel, precision, style)),
                                    emit::cuda_symbol(kernel), architecture);
    all_ms += code.compile_ms;
    const auto spilled = [](const CudaCode& of) { return of.usage.spill_stores + of.usage.spill_loads; };
    if (!best || spilled(code) < spilled(*best)) best = std::move(code);
    if (!best->usage.spills()) break;
  }
  best->compile_ms = all_ms;
  return *std::move(best);
}

CudaCode CudaStore::get(const ir::Kernel& kernel, emit::Precision precision, const std::string& architecture,
                        emit::Worlds worlds) const {
  const char* least = worlds == emit::Worlds::one ? ", least spilled\n" : ", least spilled, for worlds\n";
  return find(
      emit::cuda_symbol(kernel), emit::cuda_key(precision) + least + ir::key_bytes(kernel),
      [&] { return compile(kernel, precision, architecture, worlds); }, architecture);
}

CudaCode CudaStore::get_text(const std::string& name, const std::string& of_one, const std::string& architecture,
                             emit::Worlds worlds) const {
  const std::string text = text_for(worlds, of_one);
  return find("", text, [&] { return nvrtc_->compile(name, text, "", architecture); }, architecture);
}

}  // namespace proxima::jit
