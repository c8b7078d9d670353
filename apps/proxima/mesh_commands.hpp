// `proxima mesh`: looking at, checking, mending, converting and making meshes.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

namespace proxima::app {

// What the chosen command is to do; it returns the exit status.
using Action = std::function<int()>;

// Adds the command to the program; the action is set when one of its own commands is given.
CLI::App* add_mesh_command(CLI::App& cli, Action& action);

// Its commands, one .cpp each or two.
int mesh_info(const std::filesystem::path& file);
int mesh_check(const std::filesystem::path& file);
int mesh_repair(const std::filesystem::path& file, const std::filesystem::path& output, double tolerance);

struct ConvertOptions {
  std::filesystem::path file, output;
  double scale = 1;
  std::vector<double> translate = {0, 0, 0};  // after scaling, m
};
int mesh_convert(const ConvertOptions& options);

// Adds one command for each shape that can be generated.
void add_generators(CLI::App& generate, Action& action);

}  // namespace proxima::app
