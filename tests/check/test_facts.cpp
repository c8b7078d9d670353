// Facts against what is known on paper, and the materials that are shipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "compiler/check/check.hpp"
#include "compiler/check/text.hpp"
#include "compiler/support/error.hpp"

namespace proxima::check {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

ir::Energy shipped(jit::Engine& engine, const std::string& name) {
  return engine.load_energy(PROXIMA_SOURCE_DIR "/dsl_examples/" + name + ".cpp");
}

Json facts(const std::string& name, const std::vector<double>& parameters = {}) {
  jit::Engine engine;
  const Report report = check(shipped(engine, name), engine, {.parameters = parameters, .timing = false});
  return Json::parse(to_json({&report, 1}))["energies"][0];
}

TEST(Facts, ModuliAreThoseOfTheParameters) {
  for (const char* name : {"neo_hookean", "st_venant_kirchhoff", "stable_neo_hookean"}) {
    const Json rest = facts(name, {2e5, 0.3})["rest"];
    EXPECT_NEAR(rest["youngs_modulus"], 2e5, 1e-4) << name;
    EXPECT_NEAR(rest["poissons_ratio"], 0.3, 1e-10) << name;
    EXPECT_NEAR(rest["mu"], 2e5 / 2.6, 1e-4) << name;
    EXPECT_NEAR(rest["lambda"], 2e5 * 0.3 / (1.3 * 0.4), 1e-4) << name;
    EXPECT_NEAR(rest["weight"], 2 * 2e5 / 2.6 + 2e5 * 0.3 / (1.3 * 0.4), 1e-4) << name;
    EXPECT_LE(rest["stress"], 1e-9) << name;
    EXPECT_EQ(rest["hessian_eigenvalues"].size(), 9u);
    EXPECT_EQ(rest["hessian_eigenvalues"][2], 0) << name;  // three rotations
    EXPECT_NEAR(rest["hessian_eigenvalues"][3], 2 * 2e5 / 2.6, 1e-4) << name;
  }
}

// St. Venant-Kirchhoff: the stress of a bar is E/2 (s^3 - s), lowest at s = 1/sqrt(3), where the bar is
// E/2 * (-2 / (3 sqrt(3))) strong.
TEST(Facts, SofteningIsFoundWhereItIsOnPaper) {
  const Json json = facts("st_venant_kirchhoff", {1e5, 0.3});
  EXPECT_EQ(json["softening"]["uniaxial_down"], "softens beyond stretch 0.578");
  EXPECT_THAT(json["softening"]["uniaxial_up"], HasSubstr("does not soften"));
  bool named = false;
  for (const Json& finding : json["findings"]) {
    if (finding["check"] != "softening" || std::string(finding["sentence"]).find("one axis") == std::string::npos)
      continue;
    named = true;
    EXPECT_THAT(finding["sentence"], HasSubstr("reaches -1.924e+04 Pa at stretch 0.578"));
    EXPECT_NEAR(finding["strain"][0], 0.577, 2e-3);
  }
  EXPECT_TRUE(named) << json["findings"].dump(2);
}

TEST(Facts, CurvesAreThoseOfTheBar) {
  const Json curve = facts("st_venant_kirchhoff", {1e5, 0.3})["curves"]["uniaxial"];
  ASSERT_EQ(curve.size(), 2u);
  ASSERT_EQ(curve[0]["x"].size(), 81u);
  for (std::size_t k = 0; k < curve[0]["x"].size(); ++k) {
    const double s = curve[0]["x"][k];
    EXPECT_NEAR(curve[0]["y"][k], 5e4 * (s * s * s - s), 1e-3) << s;
    EXPECT_NEAR(curve[1]["y"][k], 1e5 * (s - 1), 1e-3) << s;
  }
  const Json shear = facts("neo_hookean", {1e5, 0.3})["curves"]["shear"][0];  // mu times the amount, however large
  for (std::size_t k = 0; k < shear["x"].size(); ++k)
    EXPECT_NEAR(shear["y"][k], 1e5 / 2.6 * double(shear["x"][k]), 1e-6);
}

TEST(Facts, GrowthAndDomain) {
  const Json neo = facts("neo_hookean"), stable = facts("stable_neo_hookean"), fung = facts("fung");
  EXPECT_THAT(neo["growth"]["uniform_compression"], HasSubstr("logarithm"));
  EXPECT_EQ(neo["growth"]["uniform_extension"], "grows like stretch^2");
  EXPECT_THAT(neo["domain"]["inverted"], HasSubstr("log of -0.792 at "));
  EXPECT_THAT(neo["domain"]["inverted"], HasSubstr("neo_hookean.cpp:13"));
  EXPECT_EQ(stable["growth"]["uniform_extension"], "grows like stretch^6");
  EXPECT_EQ(stable["domain"]["inverted"], "finite");
  EXPECT_THAT(fung["growth"]["uniaxial_extension"], HasSubstr("faster than numbers reach"));
}

TEST(Facts, ParametersOutOfBoundsAreRefused) {
  jit::Engine engine;
  const auto energy = shipped(engine, "neo_hookean");
  EXPECT_THROW(check(energy, engine, {.parameters = {1e5, 0.5}, .timing = false}), Error);
  EXPECT_THROW(check(energy, engine, {.parameters = {1e5}, .timing = false}), Error);
}

// Every material in the folder: no error, all derivatives of order 2, kernels that agree in both precisions.
class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, HasNoError) {
  jit::Engine engine;
  for (const ir::Energy& energy : engine.load_energies(PROXIMA_SOURCE_DIR "/dsl_examples/" + GetParam() + ".cpp")) {
    const Report report = check(energy, engine, {.parameters = {}, .timing = false});
    EXPECT_FALSE(report.has(Severity::error)) << to_text(report);
    const Json json = Json::parse(to_json({&report, 1}))["energies"][0];
    EXPECT_GE(json["derivatives"]["derivatives"].size(), 2u);
    for (const Json& row : json["derivatives"]["derivatives"]) EXPECT_GE(row["lowest_order"], 1.9) << row;
    for (const Json& row : json["local_steps"]["adjoints"]) EXPECT_GE(row["lowest_order"], 1.9) << row;
    EXPECT_GE(json["local_steps"]["steps"].size(), 2u);
    for (const Json& row : json["local_steps"]["steps"]) EXPECT_LE(row["worst_residual"], 1e-12) << row;
    for (const Json& row : json["filtered"]["filtered"]) EXPECT_LE(row["worst_error"], 1e-10) << row;
    EXPECT_GE(json["compiled"]["compiled"].size(), 5u);
    for (const Json& row : json["compiled"]["compiled"]) {
      EXPECT_LE(row["fp64_error"], 1e-10) << row;
      EXPECT_LE(row["fp32_error"], 1e-3) << row;
    }
  }
}

std::vector<std::string> materials() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PROXIMA_SOURCE_DIR "/dsl_examples"))
    if (entry.path().extension() == ".cpp") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Materials, Shipped, testing::ValuesIn(materials()),
                         [](const auto& each) { return each.param; });

TEST(Facts, TheTextHasEverySection) {
  jit::Engine engine;
  const Report report = check(shipped(engine, "neo_hookean"), engine);
  const std::string text = to_text(report);
  for (const Section& section : report.sections) EXPECT_THAT(text, HasSubstr(section.title));
  for (const char* part : {"Young's modulus E", "100000 Pa", "frame-indifferent", "ns fp64", "Findings\n  none"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace proxima::check
