// proxima mesh generate: a row for each shape.
#include <fmt/format.h>

#include <memory>

#include "apps/proxima/mesh_commands.hpp"
#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/quality.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;
using mesh::Mesh;
using mesh::Vector3;

// Adds the options of a shape to its command, and returns what makes the mesh of them.
using Define = std::function<Mesh()> (*)(CLI::App& command);

Vector3 vector_of(const std::vector<double>& values) { return {values.at(0), values.at(1), values.at(2)}; }

CLI::Option* add_vector(CLI::App& command, const char* name, std::vector<double>& value, const char* help) {
  return command.add_option(name, value, help)->delimiter(',')->expected(3)->capture_default_str();
}

std::function<Mesh()> define_box(CLI::App& command) {
  struct Options {
    std::vector<int> cells = {8, 2, 2};
    std::vector<double> lower = {0, 0, 0}, upper = {1, 0.25, 0.25};
    bool hexahedra = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--cells", options->cells, "Cells along x, y, z")
      ->delimiter(',')
      ->expected(3)
      ->capture_default_str();
  add_vector(command, "--lower", options->lower, "The corner with the least coordinates, m");
  add_vector(command, "--upper", options->upper, "The corner with the greatest coordinates, m");
  command.add_flag("--hexahedra", options->hexahedra, "A hexahedron a cell, in place of six tetrahedra");
  return [options] {
    const std::array cells = {options->cells.at(0), options->cells.at(1), options->cells.at(2)};
    const auto make = options->hexahedra ? mesh::make_hexahedra : mesh::make_box;
    return make(cells, vector_of(options->lower), vector_of(options->upper));
  };
}

std::function<Mesh()> define_ball(CLI::App& command) {
  struct Options {
    double radius = 0.5;
    int layers = 7;
    std::vector<double> centre = {0, 0, 0};
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--radius", options->radius, "In m")->capture_default_str();
  command.add_option("--layers", options->layers, "Shells of tetrahedra; 20 n^3 of them in all")->capture_default_str();
  add_vector(command, "--centre", options->centre, "In m");
  return [options] { return mesh::make_ball(options->layers, vector_of(options->centre), options->radius); };
}

std::function<Mesh()> define_torus(CLI::App& command) {
  struct Options {
    double radius = 0.5, tube = 0.15;
    int layers = 3, segments = 36;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--radius", options->radius, "From the axis, z, to the middle of the tube, m")
      ->capture_default_str();
  command.add_option("--tube", options->tube, "Radius of the tube, m")->capture_default_str();
  command.add_option("--layers", options->layers, "Rings of prisms in the tube")->capture_default_str();
  command.add_option("--segments", options->segments, "Prisms around")->capture_default_str();
  return [options] { return mesh::make_torus(options->radius, options->tube, options->layers, options->segments); };
}

std::function<Mesh()> define_cylinder(CLI::App& command) {
  struct Options {
    double radius = 0.25, height = 1;
    int around = 24, along = 16;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--radius", options->radius, "In m")->capture_default_str();
  command.add_option("--height", options->height, "Along z, m")->capture_default_str();
  command.add_option("--around", options->around, "Cells around, two triangles each")->capture_default_str();
  command.add_option("--along", options->along, "Cells along")->capture_default_str();
  return [options] {
    return mesh::make_cylinder_shell(options->radius, options->height, options->around, options->along);
  };
}

std::function<Mesh()> define_sphere(CLI::App& command) {
  struct Options {
    double radius = 0.5;
    int n = 8;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--radius", options->radius, "In m")->capture_default_str();
  command.add_option("-n", options->n, "Edges that each of an icosahedron's is cut into; 20 n^2 triangles")
      ->capture_default_str();
  return [options] { return mesh::make_sphere_shell(options->radius, options->n); };
}

std::function<Mesh()> define_grid(CLI::App& command) {
  struct Options {
    std::vector<int> cells = {16, 16};
    std::vector<double> origin = {0, 0, 0}, along = {1, 0, 0}, across = {0, 1, 0};
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--cells", options->cells, "Cells along both sides, two triangles each")
      ->delimiter(',')
      ->expected(2)
      ->capture_default_str();
  add_vector(command, "--origin", options->origin, "A corner, m");
  add_vector(command, "--along", options->along, "The first side, m");
  add_vector(command, "--across", options->across, "The second side, m");
  return [options] {
    return mesh::make_triangle_grid({options->cells.at(0), options->cells.at(1)}, vector_of(options->origin),
                                    vector_of(options->along), vector_of(options->across));
  };
}

std::function<Mesh()> define_voxels(CLI::App& command) {
  struct Options {
    fs::path surface;
    double side = 0;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("surface", options->surface, "A mesh with a closed surface: .obj, .stl, .msh, ...")->required();
  command.add_option("--side", options->side, "Of a cube, m")->required();
  return
      [options] { return mesh::make_voxels(mesh::read(options->surface), options->side, options->surface.string()); };
}

std::function<Mesh()> define_tets(CLI::App& command) {
  struct Options {
    fs::path surface;
    double size = 0;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("surface", options->surface, "A mesh with a closed surface: .obj, .stl, .msh, ...")->required();
  command.add_option("--size", options->size, "Longest edge wished for inside, m; 0: as the surface suggests");
  return [options] {
    return mesh::make_tetrahedra(mesh::read(options->surface), options->size, options->surface.string());
  };
}

struct Generator {
  const char* name;
  const char* help;
  Define define;
};
constexpr Generator kGenerators[] = {
    {"box", "A box or beam of tetrahedra or hexahedra", define_box},
    {"ball", "A solid ball of tetrahedra", define_ball},
    {"torus", "A solid torus of tetrahedra", define_torus},
    {"cylinder", "A cylinder's shell of triangles, open at both ends", define_cylinder},
    {"sphere", "A sphere's shell of triangles", define_sphere},
    {"grid", "A flat sheet of triangles", define_grid},
    {"voxels", "Cubes inside a closed surface", define_voxels},
    {"tets", "Tetrahedra inside a closed surface, by Gmsh's library (libgmsh4.8, looked for when it is needed)",
     define_tets},
};

int generate(const std::function<Mesh()>& make, const fs::path& output) {
  const auto mesh = make();
  mesh::write(output, mesh);
  fmt::print("{}: {} nodes", output.string(), mesh.nodes.size());
  for (const auto& block : mesh.blocks)
    fmt::print(", {} {}", block.elements.count(), mesh::shape_row(block.elements.shape).plural);
  fmt::print("\n");
  return 0;
}

}  // namespace

void add_generators(CLI::App& parent, Action& action) {
  for (const auto& [name, help, define] : kGenerators) {
    auto* command = parent.add_subcommand(name, help);
    const auto output = std::make_shared<fs::path>();
    const auto make = define(*command);
    command->add_option("-o,--output", *output, "The file to write: .msh, .vtu, .vtk or .obj")->required();
    command->callback([make, output, &action] { action = [make, output] { return generate(make, *output); }; });
  }
}

}  // namespace proxima::app
