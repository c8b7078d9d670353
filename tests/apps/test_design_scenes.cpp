// The scenes of dsl_examples/design: each optimisation ends where its first lines say it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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
                         testing::Values(DesignCase{"shape", 40}, DesignCase{"fibres", 1e9},
                                         DesignCase{"cantilever", 1e12}, DesignCase{"throw", 1e9},
                                         DesignCase{"reach", 8}, DesignCase{"bridge", 1e3},
                                         DesignCase{"bridge_barycentre", 1e9}, DesignCase{"regions", 1e6},
                                         DesignCase{"tendon", 50}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

class TwoRecordings : public DesignScene {
 protected:
  // Errors of E and of the density, as shares of what is true, after a search.
  std::vector<double> errors_of(std::vector<std::string> search, const std::string& output) const {
    search.insert(search.end(), {"-o", output});
    const auto result = proxima(search);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    if (result.status != 0) return {NAN, NAN};
    const auto found = Json::parse(read_file(folder / output / "result.json"));
    std::vector<double> errors;
    for (const auto& variable : found["variables"])
      errors.push_back(std::abs(variable["found"].get<double>() / variable["truth"].get<double>() - 1));
    return errors;
  }
};

// Neither of the two tells both, and the one that is bent by its weight neither of them.
TEST_F(TwoRecordings, SideBySideTellWhatNeitherDoesAlone) {
  for (const char* name : {"weighed", "pulled"}) {
    auto bar = scene(name);
    bar["loss"][0]["trajectory"] = (folder / "bent" / name).string();
    write_scene(bar, std::string(name) + ".json");
  }
  ASSERT_EQ(proxima({"run", "weighed.json", "--worlds", "pulled.json", "-o", "bent"}).status, 0);
  const auto both = errors_of({"optimize", "weighed.json", "--worlds", "pulled.json"}, "both");
  EXPECT_LT(both[0], 1e-4);
  EXPECT_LT(both[1], 1e-4);
  const auto weighed = errors_of({"optimize", "weighed.json"}, "by_weight");
  EXPECT_GT(weighed[0], 0.05);
  EXPECT_GT(weighed[1], 0.05);
  const auto pulled = errors_of({"optimize", "pulled.json"}, "by_force");
  EXPECT_LT(pulled[0], 1e-4);
  EXPECT_GT(pulled[1], 0.05);
}

class CameraMarkers : public DesignScene {};

// From a table with noise and gaps that a finer mesh in shorter steps made.
TEST_F(CameraMarkers, TellModulusAndPoissonsRatio) {
  const auto [first, last] = search(scene("markers"));
  EXPECT_LT(200 * last, first);
  EXPECT_LT(last, 1.2e-6);
  EXPECT_GT(last, 2.7e-7);  // the noise in three coordinates
  const auto result = Json::parse(read_file(folder / "found/result.json"));
  const double errors[] = {0.01, 0.03};
  for (std::size_t v = 0; v < 2; ++v) {
    const auto& variable = result["variables"][v];
    EXPECT_NEAR(variable["found"].get<double>() / variable["truth"].get<double>(), 1, errors[v]) << variable;
  }
}

class DirectionVariable : public DesignScene {};

// All three components, of the strip cut into two materials, for each of them and for each element.
TEST_F(DirectionVariable, IsSharedAsTheSceneSays) {
  auto strip = scene("fibres");
  auto half = strip["materials"][0];
  half["name"] = "inner";
  half["region"] = Json::parse(R"({"box": {"lower": [0, 0, 0], "upper": [0.05, 1, 1]}})");
  strip["materials"].insert(strip["materials"].begin(), half);
  auto& variable = strip["optimize"]["variables"][0];
  variable.erase("components");
  variable.erase("truth");
  for (const auto& [sharing, count] : {std::pair{"shared", 3}, {"per_material", 6}, {"per_element", 1}}) {
    variable["sharing"] = sharing;
    expect_found(strip, scene("fibres_recorded"), std::string(sharing) == "per_element" ? 100 : 1e4);
    EXPECT_EQ(Json::parse(read_file(folder / "found/result.json"))["variables"].size(), count);
    for (const char* result : {"found", "recorded"}) std::filesystem::remove_all(folder / result);
  }
}

class BadVariable : public DesignScene {};

TEST_F(BadVariable, IsRefusedByItsKey) {
  const auto refuses = [&](const char* name, const Json& change, const char* words) {
    auto design = scene(name);
    if (design["loss"][0].contains("trajectory")) design["loss"] = scene("throw")["loss"];
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
  refuses("fibres", {{"direction", "grain"}}, "there are fibre");
  refuses("fibres", {{"start", 0.5}}, "a direction starts as the scene has it");
  refuses("fibres", {{"components", {"x", "y"}}}, "truth: goes with one of the components alone");
  refuses("fibres", {{"sharing", "per_element"}, {"upper", 1}}, "components: goes with directions that elements share");
  refuses("shape", {{"lower", 0.001}}, "they must lie around 0");
  refuses("shape", {{"scale", "log"}, {"lower", -1}}, "log");
}

}  // namespace
}  // namespace proxima::test
