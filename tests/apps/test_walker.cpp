// A scene with a controller and a loss written as functions, through the program: dsl_examples/walker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/file.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

using testing::HasSubstr;

constexpr const char* home = PROXIMA_SOURCE_DIR "/dsl_examples/walker/";

// File names count from the test's own folder.
void make_absolute(Json& value) {
  for (auto& [key, entry] : value.items()) {
    if ((key == "file" || key == "energy") && entry.is_string())
      entry = (std::filesystem::path(home) / entry.get<std::string>()).lexically_normal().string();
    else if (entry.is_structured())
      make_absolute(entry);
  }
}

class Walker : public SceneFolder {
 protected:
  Json scene(int steps) const {
    Json result = Json::parse(read_file(std::filesystem::path(home) / "train.json"), nullptr, true, true);
    make_absolute(result);
    result["time"]["steps"] = steps;
    result["output"]["every"] = 0;
    return result;
  }
  void write(const Json& content) const { write_file(folder / "scene.json", content.dump()); }
};

TEST_F(Walker, GradientsByItsWeightsPass) {
  Json short_walk = scene(12);
  short_walk["gradcheck"] = {{"inputs", {"controllers"}}};
  write(short_walk);
  const auto result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 of 4 gradients passed"));
}

TEST_F(Walker, LearnsInAFewEvaluations) {
  Json training = scene(40);
  training["optimize"]["max_evaluations"] = 8;
  write(training);
  const auto result = proxima({"optimize", "scene.json", "-o", "trained"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json found = Json::parse(read_file(folder / "trained/result.json"));
  EXPECT_LT(found["loss"].get<double>(), 0.97);
  training["optimize"]["variables"][1]["parameter"] = "b3";
  write(training);
  EXPECT_THAT(proxima({"optimize", "scene.json", "-o", "other"}).err,
              HasSubstr("the function 'policy' of controller 'brain' has no such parameter"));
  training["optimize"]["variables"][1]["controller"] = "brian";
  write(training);
  EXPECT_THAT(proxima({"optimize", "scene.json", "-o", "other"}).err,
              HasSubstr("optimize.variables[1]: there is no controller 'brian'; there are brain"));
}

TEST_F(Walker, GoesOnWithTheSameBits) {
  write(scene(10));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "whole"}).status, 0);
  write(scene(4));
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "parts"}).status, 0);
  write(scene(10));
  const auto resumed = proxima({"run", "scene.json", "-o", "parts", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(read_file(folder / "parts/trajectory.bin"), read_file(folder / "whole/trajectory.bin"));
}

}  // namespace
}  // namespace proxima::test
