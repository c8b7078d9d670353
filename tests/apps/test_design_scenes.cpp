// The scenes of dsl_examples/design: each optimisation ends where its first lines say it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/model/scene.hpp"
#include "tests/apps/search_folder.hpp"

namespace proxima::test {
namespace {

struct DesignCase {
  const char* name;
  double least_fall;  // of the loss, as a factor
};

class DesignScene : public SearchFolder, public testing::WithParamInterface<DesignCase> {
 protected:
  Json scene(const std::string& name) const {
    const auto file = std::filesystem::path(PROXIMA_SOURCE_DIR) / "dsl_examples/design" / (name + ".json");
    return Json::parse(model::read_scene(file).resolved);
  }
};

TEST_P(DesignScene, ReachesItsGoal) {
  const std::string name = GetParam().name;
  const auto design = scene(name);
  expect_found(design, design["loss"][0].contains("trajectory") ? scene(name + "_recorded") : Json(),
               GetParam().least_fall);
}

INSTANTIATE_TEST_SUITE_P(Scenes, DesignScene,
                         testing::Values(DesignCase{"shape", 40}, DesignCase{"throw", 1e9}, DesignCase{"reach", 8},
                                         DesignCase{"bridge", 1e3}, DesignCase{"bridge_barycentre", 1e9},
                                         DesignCase{"regions", 1e6}, DesignCase{"tendon", 50}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

class BadVariable : public DesignScene {};

TEST_F(BadVariable, IsRefusedByItsKey) {
  const auto refuses = [&](const char* name, const Json& change, const char* words) {
    auto design = scene(name);
    design["optimize"]["variables"][0].update(change);
    write_scene(design);
    const auto result = proxima({"optimize", "scene.json", "-o", "found"});
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_THAT(result.err, testing::HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(folder / "found"));
  };
  refuses("throw", {{"of", 3}}, "variables[0].of: is 3, the scene has 1 bodies");
  refuses("throw", {{"input", "force"}}, "variables[0].of: is 0, the scene has 0 forces");
  refuses("throw", {{"input", "gravitas"}}, "gravity");
  refuses("throw", {{"input", "mass_damping"}, {"components", {"x"}}}, "which is one number");
  refuses("throw", {{"input", "mass_damping"}}, "must not be below 0");
  refuses("throw", {{"select", "all"}}, "rest_shape");
  refuses("reach", {{"keys", {7}}}, "there is no key 7, there are 5");
  refuses("reach", {{"components", {"x"}}}, "is no vector");
  refuses("shape", {{"lower", 0.001}}, "they must lie around 0");
  refuses("shape", {{"scale", "log"}, {"lower", -1}}, "log");
}

}  // namespace
}  // namespace proxima::test
