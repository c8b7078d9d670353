// The pictures of a run: which fields its .vtu files have, that they say what the trajectory says, and that the .obj
// files are the outside of the same body.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>

#include "runtime/model/trajectory.hpp"
#include "tests/apps/frame_file.hpp"
#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class FrameFiles : public SceneFolder {
 protected:
  void run(const Json& scene, const std::vector<std::string>& more = {}) const {
    write_scene(scene);
    std::vector<std::string> arguments = {"run", "scene.json", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = proxima(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  }
  FrameFile frame(int step) const { return FrameFile(folder / "out" / fmt::format("frame_{:06}.vtu", step)); }
};

TEST_F(FrameFiles, HaveAllFieldsInOrder) {
  run(bar(2));
  const FrameFile file = frame(2);
  EXPECT_THAT(file.node_fields, ElementsAre("displacement 3", "velocity 3", "elastic_force 3"));
  EXPECT_THAT(file.element_fields, ElementsAre("region 1", "material 1", "density 1", "energy_density 1", "stress 6",
                                               "von_mises 1", "principal_stretches 3"));
  EXPECT_EQ(file.cells.size(), 96u);
}

TEST_F(FrameFiles, SayWhatTheTrajectorySays) {
  run(bar(3));
  const model::TrajectoryReader states(folder / "out");
  const auto rest = states.read(0).positions;
  const auto state = states.read(3);
  const FrameFile file = frame(3);
  EXPECT_EQ(file.points, state.positions);
  EXPECT_EQ(file.nodes.at("velocity"), state.velocities);
  for (std::size_t i = 0; i < rest.size(); ++i)
    EXPECT_EQ(file.nodes.at("displacement")[i], state.positions[i] - rest[i]);
  // Held at x = 0, hanging down from there: the fibres above are pulled, and the support carries weight.
  const auto& s = file.elements.at("stress");
  const auto& force = file.nodes.at("elastic_force");
  double total = 0, support = 0;
  for (std::size_t i = 2; i < force.size(); i += 3) {
    total += force[i];
    if (rest[i - 2] == 0) support += force[i];
  }
  EXPECT_NEAR(total, 0, 1e-9);
  EXPECT_LT(support, -1);  // the body pulls its support down: some of its 2 kg
  double greatest = 0;
  for (std::size_t e = 0; e < file.cells.size(); ++e) {
    const double* t = &s[6 * e];
    const double mean = (t[0] + t[1] + t[2]) / 3;
    double deviator = 0;
    for (int k = 0; k < 6; ++k) deviator += (k < 3 ? 1 : 2) * std::pow(t[k] - (k < 3 ? mean : 0), 2);
    EXPECT_NEAR(file.elements.at("von_mises")[e], std::sqrt(1.5 * deviator), 1e-9 * (1 + std::sqrt(deviator)));
    EXPECT_GE(file.elements.at("principal_stretches")[3 * e], file.elements.at("principal_stretches")[3 * e + 2]);
    greatest = std::max(greatest, file.elements.at("energy_density")[e]);
  }
  EXPECT_GT(greatest, 1);
}

TEST_F(FrameFiles, HaveTheFieldsThatAreAskedFor) {
  auto scene = bar(1);
  scene["output"]["fields"] = {"von_mises", "displacement"};
  run(scene);
  const FrameFile file = frame(1);
  EXPECT_THAT(file.node_fields, ElementsAre("displacement 3"));
  EXPECT_THAT(file.element_fields, ElementsAre("region 1", "von_mises 1"));
}

TEST_F(FrameFiles, HaveParametersThatVary) {
  auto scene = bar(1);
  std::string values;
  for (int e = 0; e < 96; ++e) values += fmt::format("{}\n", 20000 + 100 * e);
  write_file(folder / "E.txt", values);
  scene["materials"][0]["parameters"]["E"] = {{"file", "E.txt"}};
  run(scene);
  const FrameFile file = frame(1);
  EXPECT_EQ(file.elements.at("E")[95], 29500);
  EXPECT_EQ(file.elements.count("nu"), 0u);
}

TEST_F(FrameFiles, HaveTheDensityOfEachElement) {
  auto scene = bar(1);
  auto& material = scene["materials"][0];
  material["density"] = {{"expression", "1000 + 500 * (x > 0.1)"}};
  run(scene);
  const auto per_element = frame(1).elements.at("density");
  ASSERT_EQ(per_element.size(), 96u);
  EXPECT_EQ(std::ranges::count_if(per_element, [](double v) { return std::abs(v - 1000) < 1e-9; }), 48);
  EXPECT_EQ(std::ranges::count_if(per_element, [](double v) { return std::abs(v - 1500) < 1e-9; }), 48);

  material["density"] = 900;
  auto other = material;
  other["name"] = "heavy";
  other["density"] = 2000;
  other["region"] = Json::parse(R"({"box": {"lower": [0.15, 0, 0], "upper": [0.2, 0.1, 0.1]}})");
  scene["materials"].push_back(other);
  run(scene, {"--overwrite"});
  const FrameFile file = frame(1);
  for (std::size_t e = 0; e < 96; ++e)
    EXPECT_EQ(file.elements.at("density")[e], file.elements.at("material")[e] == 0 ? 900 : 2000);
  EXPECT_EQ(std::ranges::count(file.elements.at("density"), 2000), 24);
}

TEST_F(FrameFiles, TellParametersOfOneNameApart) {
  auto scene = bar(1);
  auto& material = scene["materials"][0];
  const Json first = {{"energy", "bar.cpp"}, {"parameters", {{"E", {{"expression", "3e4 + 1e4 * (x > 0.1)"}}}}}};
  const Json second = {
      {"energy", "second.cpp"},
      {"parameters",
       {{"E", {{"expression", "1e4 + 1e3 * (x > 0.1)"}}}, {"stress", {{"expression", "0.1 + 0.1 * (x > 0.1)"}}}}}};
  auto source = read_file(PROXIMA_SOURCE_DIR "/dsl_examples/linear_elasticity.cpp");
  for (std::size_t at = source.find("\"nu\""); at != std::string::npos; at = source.find("\"nu\""))
    source.replace(at, 4, "\"stress\"");
  write_file(folder / "second.cpp", source);
  material.erase("energy");
  material.erase("parameters");
  material["energies"] = {first, second};
  run(scene);
  const FrameFile file = frame(1);
  EXPECT_EQ(std::ranges::count(file.elements.at("E"), 4e4), 48);
  EXPECT_EQ(std::ranges::count(file.elements.at("E of linear_elasticity"), 1.1e4), 48);
  EXPECT_EQ(std::ranges::count(file.elements.at("stress of linear_elasticity"), 0.2), 48);
  EXPECT_EQ(file.elements.at("stress").size(), 6u * 96);
}

TEST_F(FrameFiles, AFieldThatThereIsNotIsRefused) {
  auto scene = bar(1);
  scene["output"]["fields"] = {"pressure"};
  write_scene(scene);
  const Result result = proxima({"run", "scene.json", "-o", "out"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("output.fields: found [\"pressure\"], needed is list of displacement or velocity"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

struct Obj {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::size_t, 3>> faces;
};

Obj read_obj(const fs::path& file) {
  Obj obj;
  std::istringstream lines(read_file(file));
  for (std::string kind; lines >> kind;) {
    if (kind == "v") {
      auto& v = obj.vertices.emplace_back();
      lines >> v[0] >> v[1] >> v[2];
    } else {
      EXPECT_EQ(kind, "f");
      auto& f = obj.faces.emplace_back();
      lines >> f[0] >> f[1] >> f[2];
    }
  }
  return obj;
}

double determinant(const double* a, const double* b, const double* c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

TEST_F(FrameFiles, SurfacesAreTheOutsideOfTheSameBody) {
  auto scene = bar(3);
  scene["output"] = {{"every", 2}, {"surface", true}};
  run(scene);
  for (const int step : {0, 2, 3}) {
    const FrameFile file = frame(step);
    const Obj obj = read_obj(folder / "out" / fmt::format("surface_{:06}.obj", step));
    EXPECT_EQ(obj.faces.size(), 2 * 2 * (4 * 2 + 4 * 2 + 2 * 2));
    EXPECT_EQ(obj.vertices.size(), 45 - 3);  // all but the three nodes on the axis within
    for (const auto& vertex : obj.vertices) {
      bool found = false;  // to the last bit
      for (std::size_t n = 0; n < file.points.size() && !found; n += 3)
        found = std::equal(vertex.begin(), vertex.end(), &file.points[n]);
      EXPECT_TRUE(found) << vertex[0] << " " << vertex[1] << " " << vertex[2];
    }
    double enclosed = 0, inside = 0;  // by the divergence theorem; the sum of the tets
    for (const auto& [a, b, c] : obj.faces)
      enclosed += determinant(obj.vertices[a - 1].data(), obj.vertices[b - 1].data(), obj.vertices[c - 1].data()) / 6;
    for (const auto& cell : file.cells) {
      std::array<double, 9> d;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i)
          d[3 * k + i] = file.points[3 * static_cast<std::size_t>(cell[k + 1]) + i] -
                         file.points[3 * static_cast<std::size_t>(cell[0]) + i];
      inside += determinant(&d[0], &d[3], &d[6]) / 6;
    }
    EXPECT_NEAR(enclosed, inside, 1e-12);
    EXPECT_NEAR(inside, 0.002, 1e-4);
  }
  EXPECT_FALSE(fs::exists(folder / "out/surface_000001.obj"));
}

TEST_F(FrameFiles, WhatIsMissingIsDrawnOnResuming) {
  auto scene = bar(2);
  scene["output"]["surface"] = true;
  run(scene);
  const fs::path obj = folder / "out/surface_000001.obj", vtu = folder / "out/frame_000002.vtu";
  const auto before_obj = read_file(obj), before_vtu = read_file(vtu);
  fs::remove(obj);
  fs::remove(vtu);
  run(scene, {"--resume"});
  EXPECT_EQ(read_file(obj), before_obj);
  EXPECT_TRUE(read_file(vtu) == before_vtu);
  run(bar(2), {"--overwrite"});  // without surfaces: the old ones go
  EXPECT_FALSE(fs::exists(obj));
}

}  // namespace
}  // namespace proxima::test
