#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sleef.h>

#include "compiler/emit/llvm/compile.hpp"
#include "compiler/emit/llvm/print.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::emit {
namespace {

TEST(Print, SleefHasEveryLibraryFunctionForEveryTarget) {
  Dl_info sleef{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&Sleef_log_u10), &sleef), 0);
  void* library = dlopen(sleef.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  for (const ir::Operator& row : ir::operators()) {
    if (row.form != ir::Form::library) continue;
    for (const Target& target : {Target::avx512(), Target::avx2(), Target::portable()})
      for (const Precision precision : {Precision::fp64, Precision::fp32}) {
        const std::string name = vector_function(std::string(row.llvm), precision, target);
        EXPECT_NE(dlsym(library, name.c_str()), nullptr) << name;
      }
  }
  EXPECT_EQ(vector_function("log", Precision::fp64, Target::avx512()), "Sleef_logd8_u10avx512f");
}

ir::Kernel product(double factor) {
  ir::Kernel kernel;
  kernel.name = "product";
  kernel.inputs = {{"x", ir::Access::element, 1}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  kernel.results = {(ir::Expression{&kernel.graph, kernel.graph.input(0)} * factor + 1).node};
  return kernel;
}

TEST(Print, WorksOnWholeRegisters) {
  const ir::Kernel kernel = product(2);
  const auto text = [&](Precision precision, const Target& target) {
    return kernel_as_text(kernel, precision, target);
  };
  EXPECT_NE(text(Precision::fp64, Target::avx512()).find("fmul contract <8 x double>"), std::string::npos);
  EXPECT_NE(text(Precision::fp32, Target::avx512()).find("fmul contract <16 x float>"), std::string::npos);
  EXPECT_NE(text(Precision::fp64, Target::avx2()).find("fmul contract <4 x double>"), std::string::npos);
  EXPECT_NE(text(Precision::fp32, Target::portable()).find("fmul contract <4 x float>"), std::string::npos);
}

TEST(Print, OneKernelHasOneObject) {
  // The cache relies on it: nothing but the kernel and the key decides the bytes.
  const auto object = [](double factor) { return compile_kernel(product(factor), Precision::fp64, Target::avx2()); };
  EXPECT_EQ(object(2), object(2));
  EXPECT_NE(object(2), object(2 + 1e-15));
}

TEST(Print, TheKeyTellsTargetsAndPrecisionsApart) {
  const auto key = compile_key(Precision::fp64, Target::avx2());
  EXPECT_NE(key, compile_key(Precision::fp32, Target::avx2()));
  EXPECT_NE(key, compile_key(Precision::fp64, Target::avx512()));
  EXPECT_NE(key, compile_key(Precision::fp64, Target::portable()));
}

}  // namespace
}  // namespace proxima::emit
