// Energies that are deliberately wrong, each in a file that says how: the finding names what is wrong, with a
// deformation that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/check/check.hpp"
#include "compiler/check/text.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::check {
namespace {

using testing::HasSubstr;

struct Wrong {
  const char* name;  // of the file and the energy in it
  Severity severity;
  const char* check;
  const char* says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

constexpr Wrong wrongs[] = {
    {"stress_at_rest", Severity::error, "rest", "at rest the stress is not zero but 3e+04 Pa"},
    {"not_frame_indifferent", Severity::error, "rotations",
     "turning the body by 30 degrees about z at F = [1 0 0; 0 1 0; 0 0 1]"},
    {"small_rotations_only", Severity::warning, "rotations", "right where nothing turns much, as in linear elasticity"},
    {"indefinite", Severity::error, "rest", "smallest eigenvalue is -3e+04 Pa"},
    {"softening", Severity::warning, "softening", "pulled along one axis with free sides, the material softens"},
    {"softening", Severity::warning, "growth", "not without bound under extension"},
    {"falls_without_end", Severity::error, "growth", "under uniform extension the energy falls without end"},
    {"nan_inside", Severity::error, "domain", "sqrt of -"},
    {"nan_inside", Severity::error, "domain", "nan_inside.cpp:9: at F = ["},
    {"nan_at_rest", Severity::error, "rest", "the stress is not finite: 0.5 divided by 0 in a derivative of "},
    {"misnamed_modulus", Severity::warning, "rest",
     "parameter E is 30000, but for small strains the material behaves as if E were 80000"},
    {"unused_parameter", Severity::warning, "parameters", "parameter lambda has no influence"},
};

class Findings : public testing::TestWithParam<Wrong> {};

TEST_P(Findings, NameWhatIsWrong) {
  const Wrong& wrong = GetParam();
  const auto file = std::string(PROXIMA_SOURCE_DIR "/tests/check/wrong/") + wrong.name + ".cpp";
  jit::Engine engine;
  const ir::Energy energy = engine.load_energy(file);
  EXPECT_EQ(energy.name, wrong.name);
  const Report report = check(energy, engine, {.parameters = {}, .timing = false});
  const auto found = std::ranges::find_if(report.findings, [&](const Finding& finding) {
    return finding.check == wrong.check && finding.sentence.find(wrong.says) != std::string::npos;
  });
  ASSERT_NE(found, report.findings.end()) << to_text(report);
  EXPECT_EQ(found->severity, wrong.severity);
  EXPECT_EQ(report.has(Severity::error), report.findings.front().severity == Severity::error);
  EXPECT_EQ(found->strain.size(), found->check == "parameters" ? 0 : energy.strain_components());
}

INSTANTIATE_TEST_SUITE_P(Wrong, Findings, testing::ValuesIn(wrongs), [](const auto& each) {
  return std::string(each.param.name) + "_" + each.param.check + std::to_string(each.index);
});

// Energies that are right for something, in tests/check/right: kinks, ties, powers, a rest shape of their own. Nothing
// is called an error, and no derivative or kernel is blamed; what is said about them is `says`, if anything.
struct Right {
  const char* name;
  const char* says;
};
void PrintTo(const Right& right, std::ostream* out) { *out << right.name; }

constexpr Right rights[] = {
    {"weakening_spring", ""},
    {"foundation", "the energy is of where one node is: it holds the body to a place"},
    {"straight_rod", "at rest the stress is zero where the nodes lie on a line, but not in general"},
    {"keeps_distance", "at rest stands for positions = [0 0 0; 1 0.1 0], since the energy does not contain "},
    {"tension_field", ""},
    {"latch", "the proximal local step does not solve its equation"},
    {"limited", "under uniform extension the energy    is not defined beyond stretch 3: log of "},
};

class RightOnes : public testing::TestWithParam<Right> {};

TEST_P(RightOnes, AreNotBlamed) {
  jit::Engine engine;
  const auto energy =
      engine.load_energy(std::string(PROXIMA_SOURCE_DIR "/tests/check/right/") + GetParam().name + ".cpp");
  const Report report = check(energy, engine, {.parameters = {}, .timing = false});
  EXPECT_FALSE(report.has(Severity::error)) << to_text(report);
  const std::string says = GetParam().says;
  for (const Finding& finding : report.findings)
    EXPECT_TRUE(finding.severity == Severity::note || finding.check == "rest" ||
                (!says.empty() && finding.sentence.find(says) == 0))
        << finding.sentence;
  EXPECT_THAT(to_text(report), HasSubstr(says));
}

INSTANTIATE_TEST_SUITE_P(All, RightOnes, testing::ValuesIn(rights),
                         [](const auto& each) { return std::string(each.param.name); });

// The deformations that findings name are the ones that show it.
TEST(Findings, ADeformationShowsWhatTheFindingSays) {
  jit::Engine engine;
  const auto energy = engine.load_energy(PROXIMA_SOURCE_DIR "/tests/check/wrong/indefinite.cpp");
  const Report report = check(energy, engine, {.parameters = {}, .timing = false});
  const auto value = [&](std::vector<double> strain) {
    strain.push_back(3e4);
    return ir::evaluate<double>(energy.graph, std::vector{energy.density}, strain)[0];
  };
  const auto& finding = report.findings.front();
  ASSERT_EQ(finding.check, "rest") << to_text(report);
  EXPECT_LT(value(finding.strain), value({1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace proxima::check
