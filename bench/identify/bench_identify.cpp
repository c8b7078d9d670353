// How well proxima optimize finds what made a motion: from the motion itself, and with noise of 1 % on it, over ten
// seeds. Bars of 20 x 4 x 4 cm that are held at one end, whose end is jerked, and that fall under gravity. Usage:
// bench_identify [noise] [seeds]; status 1 where a value is not found to 0.1 % without noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace {

namespace fs = std::filesystem;
using proxima::fail;
using Json = nlohmann::ordered_json;

const fs::path folder = fs::temp_directory_path() / "proxima_bench_identify";

struct Case {
  const char* name;
  Json truth;                   // the scene's parts that differ
  std::vector<Json> variables;  // with their truth
};

Json bar() {
  return Json::parse(R"({
    "mesh": {"box": {"cells": [10, 2, 2], "lower": [0, 0, 0], "upper": [0.2, 0.04, 0.04]}},
    "dirichlet": [{"select": {"box": {"lower": [0, 0, 0], "upper": [0, 0.04, 0.04]}},
                   "motion": [{"time": 0}, {"time": 0.1, "translation": [0, 0.02, 0], "rotation": [0.5, 0, 0]}]}],
    "gravity": [0, 0, -9.81],
    "time": {"step": 0.01, "steps": 30},
    "solver": {"tolerance": 1e-8},
    "output": {"every": 0}})");
}

Json material(const char* name, double modulus, double poisson, double density, Json region) {
  return {{"name", name},
          {"energy", PROXIMA_SOURCE_DIR "/dsl_examples/stable_neo_hookean.cpp"},
          {"region", std::move(region)},
          {"density", density},
          {"parameters", {{"E", modulus}, {"nu", poisson}}}};
}

std::vector<Case> cases() {
  const Json left = {{"box", {{"lower", {-1, -1, -1}}, {"upper", {0.1, 1, 1}}}}};
  const Json right = {{"box", {{"lower", {0.1, -1, -1}}, {"upper", {1, 1, 1}}}}};
  const Json one = {{"materials", {material("bar", 4e4, 0.4, 1000, "all")}}};
  const Json two = {{"materials", {material("held", 6e4, 0.4, 1000, left), material("free", 2e4, 0.4, 1400, right)}}};
  const std::vector<Json> modulus_and_ratio = {
      {{"parameter", "E"}, {"scale", "log"}, {"lower", 1e3}, {"upper", 1e6}, {"start", 2e5}, {"truth", 4e4}},
      {{"parameter", "nu"}, {"lower", 0.0}, {"upper", 0.48}, {"start", 0.2}, {"truth", 0.4}}};
  const auto modulus_of = [](const char* name, double truth) {
    return Json{{"parameter", "E"}, {"materials", {name}}, {"scale", "log"}, {"lower", 1e3},
                {"upper", 1e6},     {"start", 1.2e5},      {"truth", truth}};
  };
  const std::vector<Json> moduli_and_density = {modulus_of("held", 6e4),
                                                modulus_of("free", 2e4),
                                                {{"parameter", "density"},
                                                 {"materials", {"free"}},
                                                 {"lower", 500},
                                                 {"upper", 3000},
                                                 {"start", 1000},
                                                 {"truth", 1400}}};
  return {{"one material", one, modulus_and_ratio}, {"two materials", two, moduli_and_density}};
}

void proxima(const std::string& arguments) {
  const auto command =
      fmt::format("cd '{}' && '{}' {} > log.txt 2>&1", folder.string(), PROXIMA_BINARY_DIR "/proxima", arguments);
  if (std::system(command.c_str()) != 0) fail("{}\nfailed:\n{}", command, proxima::read_file(folder / "log.txt"));
}

// Found values relative to the truth, minus one; the number of evaluations last.
std::vector<double> errors(const Case& which, double noise, int seed) {
  Json scene = bar();
  scene.update(which.truth);
  scene["loss"] = {{{"trajectory", "recorded"}, {"noise", noise}, {"seed", seed}}};
  scene["optimize"] = {{"variables", which.variables}, {"decrease_tolerance", 1e-12}};
  proxima::write_file(folder / "scene.json", scene.dump(2));
  proxima("optimize scene.json -o found --overwrite");
  const Json found = Json::parse(proxima::read_file(folder / "found/result.json"));
  std::vector<double> result;
  for (const auto& variable : found["variables"])
    result.push_back(variable["found"].get<double>() / variable["truth"].get<double>() - 1);
  result.push_back(found["evaluations"]);
  return result;
}

// Whether all were found to 0.1 % without noise.
bool measure(const Case& which, double noise, int seeds) {
  Json scene = bar();
  scene.update(which.truth);
  proxima::write_file(folder / "scene.json", scene.dump(2));
  proxima("run scene.json -o recorded --overwrite");
  const auto exact = errors(which, 0, 1);
  std::vector<std::vector<double>> noisy;
  for (int seed = 1; seed <= seeds; ++seed) noisy.push_back(errors(which, noise, seed));
  bool good = true;
  for (std::size_t v = 0; v < which.variables.size(); ++v) {
    const auto& variable = which.variables[v];
    const auto where = variable.contains("materials") ? variable["materials"][0].get<std::string>() : "";
    double mean = 0, squares = 0, worst = 0;
    for (const auto& of_seed : noisy) {
      mean += of_seed[v] / seeds;
      worst = std::max(worst, std::abs(of_seed[v]));
    }
    for (const auto& of_seed : noisy) squares += std::pow(of_seed[v] - mean, 2);
    fmt::print("{:14} {:8} {:5} {:>8g} {:>8g} | {:9.1e} {:4g} | {:+9.4f} {:8.4f} {:8.4f}\n", which.name,
               variable["parameter"].get<std::string>(), where, variable["truth"].get<double>(),
               variable["start"].get<double>(), 100 * std::abs(exact[v]), exact.back(), 100 * mean,
               100 * std::sqrt(squares / std::max(seeds - 1, 1)), 100 * worst);
    good = good && std::abs(exact[v]) < 1e-3;
  }
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const double noise = argc > 1 ? std::atof(argv[1]) : 0.01;
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 10;
  fs::create_directories(folder);
  fmt::print("errors in %; without noise, and with {:g} % of the motion over {} seeds\n", 100 * noise, seeds);
  fmt::print("{:14} {:8} {:5} {:>8} {:>8} | {:>9} {:>4} | {:>9} {:>8} {:>8}\n", "", "", "", "truth", "start", "exact",
             "eval", "mean", "spread", "worst");
  bool good = true;
  for (const auto& which : cases()) good = measure(which, noise, seeds) && good;
  fs::remove_all(folder);
  return good ? 0 : 1;
}
