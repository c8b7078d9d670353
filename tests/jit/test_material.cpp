// Author's files: what they become, what they cost when unchanged, and what is said when they are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <thread>
#include <typeinfo>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/serialize.hpp"
#include "compiler/support/error.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* springs = R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(spring) {
  auto k = parameter("k", pascal, 2.0).positive();
  auto F = deformation_gradient();
  return 0.5 * k * squared_norm(F - identity());
}
PROXIMA_ENERGY(stiff_spring) {
  auto F = deformation_gradient();
  return 5 * squared_norm(F - identity());
}
)";

class Material : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string one_spring(const std::string& factor = "0.5") {
    std::string text(springs);
    text = text.substr(0, text.find("PROXIMA_ENERGY(stiff"));
    return text.replace(text.find("0.5"), 3, factor);
  }
  std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::exception& error) {
      EXPECT_EQ(typeid(error), typeid(Error));  // has its type information, though LLVM has none
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  std::string load_error(const std::filesystem::path& file, const std::string& name = "") {
    return error_of([&] { Engine(cache()).load_energy(file, name); });
  }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }

  // The energy density at F = diag(2, 1, 1) for parameter value k.
  static double stretched(const ir::Energy& energy, double k = 2) {
    const std::vector<double> inputs = {2, 0, 0, 0, 1, 0, 0, 0, 1, k};
    const std::vector<ir::NodeId> outputs = {energy.density};
    return ir::evaluate<double>(energy.graph, outputs, inputs).at(0);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Material, AFileBecomesItsEnergy) {
  const auto file = write("spring.cpp", one_spring());
  Engine engine(cache());
  const ir::Energy energy = engine.load_energy(file);
  EXPECT_EQ(energy.name, "spring");
  EXPECT_EQ(energy.file, file.string());
  ASSERT_EQ(energy.parameters.size(), 1u);
  EXPECT_EQ(energy.parameters[0].name, "k");
  EXPECT_EQ(energy.parameters[0].unit, "Pa");
  EXPECT_EQ(energy.parameters[0].default_value, 2.0);
  EXPECT_EQ(energy.parameters[0].lower, 0.0);
  EXPECT_EQ(stretched(energy, 3), 1.5);
  EXPECT_EQ(engine.statistics().energies_compiled, 1);
}

TEST_F(Material, AnUnchangedFileNeedsNoClang) {
  const auto file = write("spring.cpp", one_spring());
  const ir::Energy first = Engine(cache()).load_energy(file);
  Engine second(cache());
  const ir::Energy again = second.load_energy(file);
  EXPECT_EQ(second.statistics().energies_compiled, 0);
  EXPECT_EQ(second.statistics().energies_loaded, 1);
  EXPECT_EQ(again.name, first.name);
  EXPECT_EQ(again.parameters.at(0).where.line, first.parameters.at(0).where.line);
  EXPECT_EQ(stretched(again, 7), stretched(first, 7));
}

TEST_F(Material, AFileGivesAllItsEnergiesInOrder) {
  const auto file = write("springs.cpp", springs);
  for (const int compiled : {1, 0}) {
    Engine engine(cache());
    const auto energies = engine.load_energies(file);
    EXPECT_EQ(engine.statistics().energies_compiled, compiled);
    ASSERT_EQ(energies.size(), 2u);
    EXPECT_EQ(energies[0].name, "spring");
    EXPECT_EQ(energies[1].name, "stiff_spring");
    EXPECT_EQ(stretched(energies[0]), 1.0);
    EXPECT_EQ(stretched(energies[1]), 5.0);
    EXPECT_EQ(stretched(engine.load_energy(file, "stiff_spring")), 5.0);  // is not taken for all of them
  }
  const auto none = write("none.cpp", "#include <proxima/dsl.hpp>\n");
  EXPECT_THAT(error_of([&] { Engine(cache()).load_energies(none); }), HasSubstr("defines no energy"));
}

// Otherwise the first run of a new material differs from the second in its last bits.
TEST_F(Material, AnEnergyGivesTheSameKernelsFromTheCache) {
  const std::filesystem::path file = PROXIMA_SOURCE_DIR "/dsl_examples/neo_hookean.cpp";
  const ir::Energy compiled = Engine(cache()).load_energy(file), loaded = Engine(cache()).load_energy(file);
  const std::vector<bool> uniform(compiled.parameters.size(), false);
  using derive::Quantity;
  for (const auto quantity : {Quantity::energy_forces, Quantity::hessian_vector, Quantity::pull_back}) {
    EXPECT_EQ(ir::key_bytes(derive::element_kernel(compiled, quantity, derive::Shape{4, 3}, uniform)),
              ir::key_bytes(derive::element_kernel(loaded, quantity, derive::Shape{4, 3}, uniform)));
  }
}

TEST_F(Material, AnEditedFileIsCompiledAnew) {
  const auto file = write("spring.cpp", one_spring());
  Engine engine(cache());
  EXPECT_EQ(stretched(engine.load_energy(file)), 1.0);
  write("spring.cpp", one_spring("0.75"));
  EXPECT_EQ(stretched(engine.load_energy(file)), 1.5);
  EXPECT_EQ(engine.statistics().energies_compiled, 2);
}

TEST_F(Material, AnEditedIncludeIsNoticed) {
  std::string text = one_spring("FACTOR");
  const auto file = write("spring.cpp", "#include \"factor.hpp\"\n" + text);
  write("factor.hpp", "#define FACTOR 0.5\n");
  Engine engine(cache());
  EXPECT_EQ(stretched(engine.load_energy(file)), 1.0);
  EXPECT_EQ(stretched(engine.load_energy(file)), 1.0);
  EXPECT_EQ(engine.statistics().energies_compiled, 1);
  write("factor.hpp", "#define FACTOR 1.0\n");
  EXPECT_EQ(stretched(engine.load_energy(file)), 2.0);
  EXPECT_EQ(engine.statistics().energies_compiled, 2);
}

TEST_F(Material, ADamagedEntryIsMadeAnew) {
  const auto file = write("spring.cpp", one_spring());
  Engine(cache()).load_energy(file);
  for (const auto& entry : std::filesystem::directory_iterator(cache()))
    std::filesystem::resize_file(entry.path(), entry.file_size() - 1);
  Engine engine(cache());
  EXPECT_EQ(stretched(engine.load_energy(file)), 1.0);
  EXPECT_EQ(engine.statistics().energies_compiled, 1);
}

TEST_F(Material, SystemHeadersMayBeUsed) {
  std::string text = one_spring("std::sqrt(0.25)");
  const auto file = write("spring.cpp", "#include <cmath>\n" + text);
  EXPECT_EQ(stretched(Engine(cache()).load_energy(file)), 1.0);
}

TEST_F(Material, ARelativePathWorks) {
  write("spring.cpp", one_spring());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const ir::Energy energy = Engine(cache()).load_energy("spring.cpp");
  EXPECT_EQ(energy.file, "spring.cpp");
  write("-spring.cpp", one_spring());
  EXPECT_NO_THROW(Engine(cache()).load_energy("-spring.cpp"));
  std::filesystem::current_path(before);
}

TEST_F(Material, AMistakeIsShownAsClangSaysItAtTheAuthorsLine) {
  std::string text = one_spring();
  text.replace(text.find("0.5 * k"), 7, "0.5 * kk");
  const auto file = write("spring.cpp", text);
  ::testing::internal::CaptureStderr();
  EXPECT_THAT(load_error(file), AllOf(HasSubstr(file.string() + ":7:16: error: use of undeclared identifier 'kk'"),
                                      HasSubstr("return 0.5 * kk * squared_norm"), HasSubstr("^")));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");  // a library does not print
}

TEST_F(Material, BranchingOnAValueNamesSelect) {
  const auto file = write("branch.cpp", R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;
PROXIMA_ENERGY(branching) {
  auto J = det(deformation_gradient());
  if (J < 1) return J;
  return square(J);
})");
  EXPECT_THAT(load_error(file), AllOf(HasSubstr("branch.cpp:5:7: error:"), HasSubstr("select")));
}

TEST_F(Material, AMissingFileIsNamed) {
  EXPECT_THAT(load_error(folder_.path() / "absent.cpp"), AllOf(HasSubstr("absent.cpp"), HasSubstr("no such file")));
}

TEST_F(Material, AMissingIncludeIsNamed) {
  const auto file = write("spring.cpp", "#include \"absent.hpp\"\n" + one_spring());
  EXPECT_THAT(load_error(file), HasSubstr(":1:10: fatal error: 'absent.hpp' file not found"));
}

TEST_F(Material, AFileWithoutAnEnergyIsRefused) {
  EXPECT_THAT(load_error(write("empty.cpp", "")), HasSubstr("defines no energy"));
  EXPECT_THAT(load_error(write("other.cpp", "int main() {}")), HasSubstr("PROXIMA_ENERGY"));
}

TEST_F(Material, OneOfTwoEnergiesIsPickedByName) {
  const auto file = write("springs.cpp", springs);
  EXPECT_THAT(load_error(file), AllOf(HasSubstr("spring, stiff_spring"), HasSubstr("name the one to use")));
  Engine engine(cache());
  EXPECT_EQ(stretched(engine.load_energy(file, "spring")), 1.0);
  EXPECT_EQ(stretched(engine.load_energy(file, "stiff_spring")), 5.0);
  EXPECT_EQ(stretched(engine.load_energy(file, "spring")), 1.0);
  EXPECT_THAT(load_error(file, "stif_spring"), HasSubstr("did you mean \"stiff_spring\"?"));
  EXPECT_THAT(load_error(file, "quartz"), AllOf(HasSubstr("no energy \"quartz\""), Not(HasSubstr("did you mean"))));
}

TEST_F(Material, AnUndefinedFunctionIsNamed) {
  const auto file = write("spring.cpp", "double factor(int);\n" + one_spring("factor(3)"));
  EXPECT_THAT(load_error(file), AllOf(HasSubstr("spring.cpp"), HasSubstr("factor(int)")));
}

TEST_F(Material, AnExceptionOfTheAuthorsComesThrough) {
  const auto file =
      write("spring.cpp",
            "#include <stdexcept>\ndouble factor() { throw std::runtime_error(\"oh\"); }\n" + one_spring("factor()"));
  EXPECT_THAT(load_error(file), AllOf(HasSubstr("spring.cpp"), HasSubstr("oh")));
  const auto other = write("other.cpp", "double factor() { throw 3; }\n" + one_spring("factor()"));
  EXPECT_THAT(load_error(other), AllOf(HasSubstr("other.cpp"), HasSubstr("no std::exception")));
}

TEST_F(Material, AMistakeInTheLanguageIsToldWithItsLine) {
  const auto file = write("twice.cpp", R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;
PROXIMA_ENERGY(twice) {
  auto a = parameter("k", pascal, 1);
  auto b = parameter("k", pascal, 1);
  return (a + b) * det(deformation_gradient());
})");
  EXPECT_THAT(load_error(file), HasSubstr("twice.cpp:5"));
}

TEST_F(Material, ACrashOfClangIsAnError) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "what a crashed compilation leaves behind counts as a leak";
#endif
  for (const char* pragma : {"crash", "llvm_fatal_error"}) {
    const auto file = write("crash.cpp", "#pragma clang __debug " + std::string(pragma) + "\n" + one_spring());
    EXPECT_THAT(load_error(file), AllOf(HasSubstr("crash.cpp"), HasSubstr("Clang crashed")));
  }
  EXPECT_EQ(stretched(Engine(cache()).load_energy(write("spring.cpp", one_spring()))), 1.0);
}

TEST_F(Material, SeveralThreadsMayLoadAtOnce) {
  const auto good = write("spring.cpp", one_spring());
  const auto bad = write("bad.cpp", one_spring("oops"));
  Engine engine(cache());
  std::vector<std::thread> threads;
  std::atomic<int> right{0}, refused{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      try {
        if (stretched(engine.load_energy(t % 2 == 0 ? good : bad)) == 1.0) ++right;
      } catch (const Error&) {
        ++refused;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 2);
  EXPECT_EQ(refused, 2);
}

}  // namespace
}  // namespace proxima::jit
