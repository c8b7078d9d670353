// proxima check as a user meets it: exit statuses, the page, JSON, pictures, and that files are whole or not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Check : public SceneFolder {
 protected:
  // A right energy and one with a stress at rest.
  void write_two() const {
    write_file(folder / "two.cpp", R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(right) {
  auto F = deformation_gradient();
  return 3e4 * squared_norm(transpose(F) * F - identity());
}
PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return 3e4 * squared_norm(F);
}
)");
  }
};

TEST_F(Check, SaysWhatAMaterialIs) {
  const Result result = proxima({"check", "bar.cpp"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("neo_hookean (bar.cpp): energy, a function of the deformation gradient, J/m^3"),
                    HasSubstr("Young's modulus E"), HasSubstr("100000 Pa"), HasSubstr("frame-indifferent"),
                    HasSubstr("Hessian-vector product"), HasSubstr("ns fp64"), HasSubstr("Findings")));
}

TEST_F(Check, ExitsWithOneForAnErrorAndWithTwoForWhatItCannotUse) {
  write_two();
  EXPECT_EQ(proxima({"check", "two.cpp", "--energy", "right"}).status, 0);
  const Result wrong = proxima({"check", "two.cpp"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("right (two.cpp)"), HasSubstr("wrong (two.cpp)"),
                               HasSubstr("error    at rest the stress is not zero but 6e+04 Pa")));
  EXPECT_EQ(proxima({"check", "nowhere.cpp"}).status, 2);
  EXPECT_EQ(proxima({"check"}).status, 2);
  const Result slip = proxima({"check", "two.cpp", "--energy", "rigt"});
  EXPECT_EQ(slip.status, 2);
  EXPECT_THAT(slip.err, HasSubstr("did you mean \"right\"?"));
}

TEST_F(Check, TakesValuesOfParameters) {
  const Result result = proxima({"check", "bar.cpp", "--set", "E=2e5", "nu=0.25"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("200000 Pa"));
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"E"}, "found \"E\"; write NAME=VALUE"},
      {{"E=stiff"}, "--set E: \"stiff\" is no number"},
      {{"Nu=0.3"}, "--set Nu: no parameter of that name; there is E, nu"},
      {{"nu=0.5"}, "parameter 'nu' is 0.5, it must be above -1 and below 0.5"}};
  for (const auto& [set, message] : wrong) {
    std::vector<std::string> words{"check", "bar.cpp", "--set"};
    words.insert(words.end(), set.begin(), set.end());
    const Result refused = proxima(words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(message));
  }
}

TEST_F(Check, WritesJsonForMachines) {
  write_two();
  const Result result = proxima({"check", "two.cpp", "--json", "-"});
  EXPECT_EQ(result.status, 1);
  const Json printed = Json::parse(result.out);  // nothing else on the output
  ASSERT_EQ(printed["energies"].size(), 2u);
  EXPECT_EQ(printed["energies"][0]["name"], "right");
  EXPECT_EQ(printed["energies"][0]["rest"]["stress"], 0);
  EXPECT_EQ(printed["energies"][1]["findings"][0]["severity"], "error");
  EXPECT_EQ(printed["energies"][1]["findings"][0]["strain"], Json::parse("[1, 0, 0, 0, 1, 0, 0, 0, 1]"));

  EXPECT_EQ(proxima({"check", "two.cpp", "--json", "report.json"}).status, 1);
  EXPECT_EQ(Json::parse(read_file(folder / "report.json"))["energies"].size(), 2u);
}

TEST_F(Check, WritesAPageThatNeedsNothingElse) {
  write_two();
  EXPECT_EQ(proxima({"check", "two.cpp", "--html", "page.html", "--curves", "pictures"}).status, 1);
  const std::string page = read_file(folder / "page.html");
  EXPECT_THAT(page, AllOf(testing::StartsWith("<!DOCTYPE html>"), testing::EndsWith("</html>\n"), HasSubstr("<svg"),
                          HasSubstr("<li class=\"error\">"), HasSubstr("linear elasticity, E = ")));
  for (const char* elsewhere : {"src=", "href=", "<script", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(elsewhere)));
  for (const char* curve : {"uniaxial", "biaxial", "shear", "volumetric"})
    EXPECT_THAT(read_file(folder / "pictures" / (std::string("right_") + curve + ".svg")),
                testing::EndsWith("</svg>\n"));
}

TEST_F(Check, LeavesNothingBehindWhereItCannotWrite) {
  const Result result = proxima({"check", "bar.cpp", "--html", "nowhere/page.html"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("nowhere/page.html"));
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  write_file(folder / "file", "mine");
  EXPECT_EQ(proxima({"check", "bar.cpp", "--curves", "file"}).status, 2);
  EXPECT_EQ(read_file(folder / "file"), "mine");
}

}  // namespace
}  // namespace proxima::test
