// proxima --device: the program on a GPU, by stand-ins for NVRTC and the driver (tests/cuda_shim). No GPU took part.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DeviceChoice : public SceneFolder {
 protected:
  ~DeviceChoice() override { without_gpu(); }

  static void with_gpu() {
    ::setenv("PROXIMA_CUDA_DRIVER", PROXIMA_FAKE_CUDA, 1);
    ::setenv("PROXIMA_NVRTC", PROXIMA_FAKE_NVRTC, 1);
  }
  static void without_gpu() {
    ::setenv("PROXIMA_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
    ::unsetenv("PROXIMA_NVRTC");
  }
  std::string device_of(const std::string& output) const {
    return Json::parse(read_file(folder / output / "scene.json"))["solver"]["device"];
  }
  std::vector<double> end_of(const std::string& output) const {
    const model::TrajectoryReader reader(folder / output);
    return reader.read(reader.frames() - 1).positions;
  }
};

TEST_F(DeviceChoice, ARunOnAGpuEndsWhereThatOnTheCpuDoes) {
  Json scene = bar(4);
  scene["solver"]["tolerance"] = 1e-11;
  write_scene(scene);
  with_gpu();
  const Result run = proxima({"run", "scene.json", "-o", "gpu", "--device", "cuda"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("device: Fake GPU, sm_90"));
  EXPECT_EQ(device_of("gpu"), "cuda");
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "cpu"}).status, 0);
  EXPECT_EQ(device_of("cpu"), "cpu");
  const auto found = end_of("gpu"), expected = end_of("cpu");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-11);
  scene["solver"]["products"] = "fp32";
  write_scene(scene, "single.json");
  ASSERT_EQ(proxima({"run", "single.json", "-o", "single", "--device", "cuda"}).status, 0);
  const auto single = end_of("single");
  for (std::size_t i = 0; i < single.size(); ++i) EXPECT_NEAR(single[i], expected[i], 1e-10);
  EXPECT_NE(single, found);

  // Its pages need no GPU; going on does, and on the other device its last bits would be others.
  without_gpu();
  const Result page = proxima({"report", "gpu"});
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_EQ(proxima({"run", "scene.json", "-o", "gpu", "--resume"}).status, 2);
}

TEST_F(DeviceChoice, GradientsOnAGpuPassTheirTaylorTest) {
  Json scene = bar(3);
  scene["loss"] = Json::parse(R"([{"nodes": {"select": "all", "displacement": [0, 0, 0.1]}, "frames": "last"}])");
  scene["gradcheck"]["inputs"] = {"parameters", "velocities"};
  with_gpu();
  for (const int slow_modes : {0, 12}) {
    scene["solver"]["deflation"] = slow_modes;
    write_scene(scene);
    const Result check = proxima({"gradcheck", "scene.json", "--device", "cuda"});
    EXPECT_EQ(check.status, 0) << check.out << check.err;
    EXPECT_THAT(check.out, HasSubstr("device: Fake GPU"));
  }
}

TEST_F(DeviceChoice, ContactsOnAGpuAreThoseOnTheCpu) {
  Json scene = bar(4);
  scene.erase("dirichlet");
  scene["obstacles"] = Json::parse(R"([{"name": "ground", "plane": {}, "friction": 0.3}])");
  scene["gravity"] = {3, 0, -9};
  scene["solver"]["tolerance"] = 1e-11;
  scene["loss"] = Json::parse(R"([{"nodes": {"select": "all", "displacement": [0.01, 0, 0]}, "frames": "last"}])");
  scene["gradcheck"]["inputs"] = {"contact"};
  write_scene(scene);
  with_gpu();
  const Result run = proxima({"run", "scene.json", "-o", "gpu", "--device", "cuda"});
  ASSERT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(proxima({"run", "scene.json", "-o", "cpu"}).status, 0);
  const auto found = end_of("gpu"), expected = end_of("cpu");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10);
  EXPECT_GT(expected[0], 1e-5);  // it slides
  scene["time"]["steps"] = 1;
  write_scene(scene);
  const Result check = proxima({"gradcheck", "scene.json", "--device", "cuda"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST_F(DeviceChoice, WorldsOnAGpuAreSingleRunsThere) {
  for (const auto& [name, gravity] : {std::pair{"earth", 9.81}, {"moon", 1.62}, {"mars", 3.71}}) {
    Json scene = bar(2);
    scene["gravity"] = {0, 0, -gravity};
    write_scene(scene, std::string(name) + ".json");
  }
  with_gpu();
  const Result run =
      proxima({"run", "earth.json", "--worlds", "moon.json", "mars.json", "-o", "worlds", "--device", "auto"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("3 worlds: "), HasSubstr("on the GPU: what they asked for ")));
  for (const std::string name : {"earth", "moon", "mars"}) {
    EXPECT_EQ(device_of("worlds/" + name), "cuda");
    ASSERT_EQ(proxima({"run", name + ".json", "-o", name, "--device", "cuda"}).status, 0);
    EXPECT_EQ(end_of("worlds/" + name), end_of(name));
  }

  Json scene = bar(2);
  scene["solver"]["device"] = "cuda";
  write_scene(scene, "there.json");
  const Result mixed = proxima({"run", "earth.json", "--worlds", "there.json", "-o", "mixed"});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.err, HasSubstr("there: worlds that run together run on one device; earth is on the CPU"));
  EXPECT_FALSE(std::filesystem::exists(folder / "mixed"));
}

// Worlds that are fitted side by side there find what they find one after the other.
TEST_F(DeviceChoice, FittedWorldsOnAGpuAreSingleOnesThere) {
  for (const auto& [name, gravity] : {std::pair{"earth", 9.81}, {"moon", 1.62}, {"mars", 3.71}}) {
    Json scene = bar(2);
    scene["gravity"] = {0, 0, -gravity};
    scene["loss"] = Json::parse(R"([{"nodes": {"select": "all", "displacement": [0, 0, -0.01]}, "frames": "last"}])");
    scene["optimize"] = Json::parse(R"({"max_evaluations": 3, "variables": [
      {"parameter": "E", "start": 3e4, "lower": 5e3, "upper": 5e5, "scale": "log"}]})");
    write_scene(scene, std::string(name) + ".json");
  }
  with_gpu();
  const Result together =
      proxima({"optimize", "earth.json", "--worlds", "moon.json", "mars.json", "-o", "together", "--device", "cuda"});
  ASSERT_EQ(together.status, 0) << together.err;
  EXPECT_THAT(together.out, AllOf(HasSubstr("3 worlds: "), HasSubstr("on the GPU: what they asked for ")));
  const Result apart = proxima({"optimize", "earth.json", "moon.json", "mars.json", "-o", "apart", "--device", "cuda"});
  ASSERT_EQ(apart.status, 0) << apart.err;
  for (const char* name : {"result.json", "mars/trajectory.bin"})
    EXPECT_EQ(read_file(folder / "together" / name), read_file(folder / "apart" / name)) << name;
}

TEST_F(DeviceChoice, AutoSaysWhyItStaysOnTheCpu) {
  write_scene(bar(1));
  without_gpu();
  const Result run = proxima({"run", "scene.json", "-o", "out", "--device", "auto"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("device: the CPU (no GPU can be used: there is no CUDA driver"));
  EXPECT_EQ(device_of("out"), "cpu");
}

TEST_F(DeviceChoice, WhatCannotRunThereIsRefused) {
  Json scene = bar(1);
  scene["solver"]["device"] = "cuda";
  write_scene(scene);
  without_gpu();
  const Result none = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("scene.json: solver.device is 'cuda'"), HasSubstr("no CUDA driver")));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));

  scene["solver"] = {{"device", "gpu"}};
  write_scene(scene);
  EXPECT_THAT(proxima({"run", "scene.json", "-o", "out"}).err, HasSubstr("cpu"));
}

}  // namespace
}  // namespace proxima::test
