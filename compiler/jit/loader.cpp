#include "compiler/jit/loader.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/ExecutionEngine/JITLink/EHFrameSupport.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <atomic>
#include <stdexcept>

namespace proxima::jit {
namespace {

namespace orc = llvm::orc;

// Answers for every name that is looked up and not defined, and remembers those nobody has.
class ResolverGenerator : public orc::DefinitionGenerator {
 public:
  explicit ResolverGenerator(const Loader::Resolver& resolve) : resolve_(resolve) {}

  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& library, orc::JITDylibLookupFlags,
                            const orc::SymbolLookupSet& wanted) override {
    orc::SymbolMap found;
    for (const auto& [name, flags] : wanted) {
      if (void* address = resolve_((*name).str()))
        found[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
      else if (flags == orc::SymbolLookupFlags::RequiredSymbol)
        missing.push_back(llvm::demangle((*name).str()));
    }
    return library.define(orc::absoluteSymbols(std::move(found)));
  }

  std::vector<std::string> missing;

 private:
  const Loader::Resolver& resolve_;
};

}  // namespace

struct Loader::State {
  orc::ExecutionSession session{llvm::cantFail(orc::SelfExecutorProcessControl::Create())};
  orc::ObjectLinkingLayer linker{session};
  std::atomic<unsigned> loaded{0};

  State() {
    linker.addPlugin(std::make_unique<orc::EHFrameRegistrationPlugin>(
        session, std::make_unique<llvm::jitlink::InProcessEHFrameRegistrar>()));
    // Failures reach the caller as exceptions; nothing is printed.
    session.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  }
  ~State() { llvm::consumeError(session.endSession()); }
};

Loader::Loader() : state_(std::make_shared<State>()) {}
Loader::~Loader() = default;

LoadedObject Loader::load(std::string_view object, const std::string& entry, const Resolver& resolve) {
  orc::ExecutionSession& session = state_->session;
  // A library of its own for each object: equal names in two objects do not meet, and it can be freed alone.
  orc::JITDylib& library = session.createBareJITDylib("object" + std::to_string(state_->loaded++));
  const std::shared_ptr<const void> memory(&library, [state = state_](const void* owned) {
    auto* mutable_library = static_cast<orc::JITDylib*>(const_cast<void*>(owned));
    llvm::consumeError(state->session.removeJITDylib(*mutable_library));
  });
  ResolverGenerator& generator = library.addGenerator(std::make_unique<ResolverGenerator>(resolve));

  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.data(), object.size()), "object");
  if (llvm::Error error = state_->linker.add(library, std::move(buffer)))
    throw std::runtime_error("not an object file: " + llvm::toString(std::move(error)));
  auto symbol = session.lookup({&library}, session.intern(entry));
  if (!generator.missing.empty()) {
    llvm::consumeError(symbol.takeError());
    return {.entry = nullptr, .undefined = generator.missing, .memory = nullptr};
  }
  if (!symbol) throw std::runtime_error("cannot be linked: " + llvm::toString(symbol.takeError()));
  library.removeGenerator(generator);
  return {.entry = symbol->getAddress().toPtr<void*>(), .undefined = {}, .memory = memory};
}

}  // namespace proxima::jit
