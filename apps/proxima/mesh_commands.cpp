#include "apps/proxima/mesh_commands.hpp"

#include <memory>

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

CLI::App* add_file_command(CLI::App& mesh, const char* name, const char* help, fs::path& file) {
  auto* command = mesh.add_subcommand(name, help);
  command->add_option("file", file, "The mesh: .msh, .vtu, .vtk, .node, .ele, .obj or .stl")->required();
  return command;
}

void add_output(CLI::App* command, fs::path& output) {
  command->add_option("-o,--output", output, "The file to write: .msh, .vtu, .vtk or .obj (its surface)")->required();
}

struct RepairOptions {
  fs::path file, output;
  double tolerance = 0;
};

}  // namespace

CLI::App* add_mesh_command(CLI::App& cli, Action& action) {
  auto* mesh = cli.add_subcommand("mesh", "Look at, check, mend, convert and make meshes");
  mesh->require_subcommand(1);

  // The options live as long as the commands that fill them.
  const auto info_file = std::make_shared<fs::path>(), check_file = std::make_shared<fs::path>();
  add_file_command(*mesh, "info", "Say what a mesh is: sizes, shapes, groups, pieces, quality", *info_file)
      ->callback([info_file, &action] { action = [info_file] { return mesh_info(*info_file); }; });
  add_file_command(*mesh, "check", "List what is wrong with a mesh; exit status 1 if anything is", *check_file)
      ->callback([check_file, &action] { action = [check_file] { return mesh_check(*check_file); }; });

  const auto repair = std::make_shared<RepairOptions>();
  auto* repair_command =
      add_file_command(*mesh, "repair", "Mend what has one meaning, and say what was done", repair->file);
  add_output(repair_command, repair->output);
  repair_command->add_option("--tolerance", repair->tolerance, "Merge nodes that are closer than this, in m; 0: none")
      ->check(CLI::NonNegativeNumber);
  repair_command->callback([repair, &action] {
    action = [repair] { return mesh_repair(repair->file, repair->output, repair->tolerance); };
  });

  const auto convert = std::make_shared<ConvertOptions>();
  auto* convert_command = add_file_command(*mesh, "convert", "Write a mesh in another format", convert->file);
  add_output(convert_command, convert->output);
  convert_command->add_option("--scale", convert->scale, "Multiply all coordinates, as 0.001 for millimetres")
      ->check(CLI::PositiveNumber);
  convert_command->add_option("--translate", convert->translate, "Then add this, as 0,0,1")
      ->delimiter(',')
      ->expected(3);
  convert_command->callback([convert, &action] { action = [convert] { return mesh_convert(*convert); }; });

  auto* generate = mesh->add_subcommand("generate", "Make a mesh");
  generate->require_subcommand(1);
  add_generators(*generate, action);
  return mesh;
}

}  // namespace proxima::app
