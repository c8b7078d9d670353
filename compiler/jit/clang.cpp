#include "compiler/jit/clang.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <mutex>
#include <optional>

#include "compiler/emit/llvm/object.hpp"
#include "compiler/jit/embedded.hpp"

namespace proxima::jit {
namespace {

constexpr const char* header_root = "/proxima-headers/";

// Every header, system headers too, in the order of first inclusion.
class Headers : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
};

// Clang's messages without what says nothing to an author: where in the language's headers a function is that does not
// fit, every operator that was considered, and the same error twice.
class AuthorsMessages : public clang::TextDiagnosticPrinter {
 public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message) override {
    if (level == clang::DiagnosticsEngine::Note) {
      if (is_in_language(message) && (error_ == clang::diag::err_ovl_no_viable_oper ||
                                      message.getID() == clang::diag::note_availability_specified_here))
        return;
    } else {
      const bool again = message.getID() == error_ && message.getLocation() == where_;
      error_ = message.getID();
      where_ = message.getLocation();
      if (again && error_ == clang::diag::err_unavailable_message) return;
    }
    TextDiagnosticPrinter::HandleDiagnostic(level, message);
  }

 private:
  static bool is_in_language(const clang::Diagnostic& message) {
    if (!message.hasSourceManager() || message.getLocation().isInvalid()) return false;
    const clang::SourceManager& sources = message.getSourceManager();
    return sources.getFilename(sources.getExpansionLoc(message.getLocation())).starts_with(header_root);
  }
  unsigned error_ = 0;  // the last one's number and place
  clang::SourceLocation where_;
};

// Finds quotients of whole numbers that are none, as the exponent of pow(J, -2/3), which C++ takes for 0: an energy
// with one is another than its author means, and nothing else tells. Quotients of names are left alone: loops count by
// them.
class Quotients : public clang::ASTConsumer, public clang::RecursiveASTVisitor<Quotients> {
 public:
  explicit Quotients(clang::CompilerInstance& compiler)
      : sources_(compiler.getSourceManager()),
        diagnostics_(compiler.getDiagnostics()),
        message_(diagnostics_.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "'%0' divides whole numbers, which gives %1 in C++; write a decimal point: '%2'")) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation at = sources_.getExpansionLoc(declaration->getLocation());
      if (!sources_.isInSystemHeader(at) && !sources_.getFilename(at).starts_with(header_root))
        TraverseDecl(declaration);
    }
  }
  // Called by the visitor.
  bool VisitBinaryOperator(const clang::BinaryOperator* quotient) {
    if (quotient->getOpcode() != clang::BO_Div || !quotient->getType()->isIntegerType()) return true;
    const auto upper = value(quotient->getLHS()), lower = value(quotient->getRHS());
    if (!upper || !lower || *lower == 0 || *upper % *lower == 0) return true;
    const std::string above = std::to_string(*upper), below = std::to_string(*lower);
    diagnostics_.Report(quotient->getOperatorLoc(), message_)
        << above + "/" + below << std::to_string(*upper / *lower) << above + ".0/" + below;
    return true;
  }

 private:
  // Of a number that is written there, with or without a sign.
  static std::optional<std::int64_t> value(const clang::Expr* expression) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(expression))
      return literal->getValue().getActiveBits() < 64 ? std::optional(literal->getValue().getZExtValue())
                                                      : std::nullopt;
    const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(expression);
    if (sign == nullptr || sign->getOpcode() != clang::UO_Minus) return std::nullopt;
    const auto positive = value(sign->getSubExpr());
    return positive ? std::optional(-*positive) : std::nullopt;
  }

  const clang::SourceManager& sources_;
  clang::DiagnosticsEngine& diagnostics_;
  const unsigned message_;
};

class MaterialAction : public clang::EmitLLVMOnlyAction {
 public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(std::make_unique<Quotients>(compiler));
    both.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_language() {
  auto language = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& header : language_headers())
    language->addFile(header_root + std::string(header.name), 0, llvm::MemoryBuffer::getMemBuffer(header.text));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(language);
  return files;
}

// Replaces the table of static initialisers, which only a full run-time loader knows to run, by a function.
void collect_initialisers(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false);
  auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, material_entry, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", entry));
  if (llvm::GlobalVariable* table = module.getGlobalVariable("llvm.global_ctors")) {
    for (const llvm::Use& row : llvm::cast<llvm::ConstantArray>(table->getInitializer())->operands())
      builder.CreateCall(type, llvm::cast<llvm::ConstantStruct>(row)->getOperand(1));
    table->eraseFromParent();
  }
  builder.CreateRetVoid();
}

void compile(const std::filesystem::path& file, std::string_view text, CompiledSource& result) {
  llvm::raw_string_ostream messages(result.messages);
  const auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  AuthorsMessages printer(messages, options.get());
  const auto files = files_with_language();
  std::string name = file.string();
  if (name.starts_with('-')) name.insert(0, "./");  // not an option

  clang::CreateInvocationOptions driver;
  driver.Diags = clang::CompilerInstance::createDiagnostics(options.get(), &printer, /*ShouldOwnClient=*/false);
  driver.VFS = files;
  auto invocation = clang::createInvocation(
      {"clang++", "-resource-dir", PROXIMA_CLANG_RESOURCES, "-std=c++20", "-O0", "-Wno-everything",
       "-Werror=return-type", "-fPIC", "-I", header_root, "-x", "c++", "-c", name.c_str()},
      driver);
  if (!invocation) return;
  invocation->getPreprocessorOpts().addRemappedFile(
      name, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), name).release());
  // Clang's own program ends after one file and lets the system free its memory.
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(llvm::nulls());  // for "1 error generated."
  compiler.createFileManager(files);
  const auto headers = std::make_shared<Headers>();
  compiler.addDependencyCollector(headers);

  llvm::LLVMContext context;
  MaterialAction action(&context);
  if (!compiler.ExecuteAction(action)) return;
  const std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module) return;
  for (const std::string& header : headers->getDependencies())
    if (header != name && !llvm::StringRef(header).starts_with(header_root)) result.headers.emplace_back(header);
  collect_initialisers(*module);
  result.object = emit::emit_object(*module, emit::Target::portable(), emit::Effort::quick);
  result.outcome = CompiledSource::Outcome::compiled;
}

}  // namespace

CompiledSource compile_source(const std::filesystem::path& file, std::string_view text) {
  // The guard below replaces the process's signal handlers while it is up, so it is up for one thread at a time.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  constexpr unsigned stack_bytes = 16u << 20;  // templates nest deeply
  CompiledSource result;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafelyOnThread([&] { compile(file, text, result); }, stack_bytes))
    result.outcome = CompiledSource::Outcome::crashed;
  llvm::CrashRecoveryContext::Disable();
  while (result.messages.ends_with('\n')) result.messages.pop_back();
  return result;
}

std::string source_compiler_version() {
  return clang::getClangFullVersion() + " " + std::string(language_fingerprint());
}

}  // namespace proxima::jit
