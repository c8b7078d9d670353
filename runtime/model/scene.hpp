// A scene file as plain values, defaults filled in and every key checked: what the user wrote, before any mesh is read
// or any energy compiled. build.hpp turns the physical part into a Model; the loss, optimize and gradcheck parts are
// turned into objects by the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/model/expression.hpp"
#include "runtime/model/function_source.hpp"
#include "runtime/model/markers.hpp"
#include "runtime/model/model.hpp"
#include "runtime/model/obstacle_source.hpp"
#include "runtime/model/selection.hpp"

namespace proxima::model {

// Elements of a body, by their centroid in the body's own coordinates; a file lists numbers of the body's mesh file.
// An expression is not 0 at the centroids of those that are meant.
using ElementSelection = std::variant<All, BoxShape, SphereShape, Group, std::filesystem::path, Expression>;

struct BoxMesh {
  std::array<int, 3> cells{};
  Vector3 lower{}, upper{};
  bool hexahedra = false;             // else tetrahedra
  std::optional<Expression> where{};  // cells at whose centres it is 0 are left out
};
struct BallMesh {
  int layers = 0;
  Vector3 centre{};
  double radius = 0;
};
struct GridMesh {  // a parallelogram of triangles
  std::array<int, 2> cells{};
  Vector3 origin{}, along{}, across{};
};
struct MeshSource {
  std::variant<std::filesystem::path, BoxMesh, BallMesh, GridMesh> source;
  double scale = 1;
};

// From a body's own coordinates to space: x = translate + R (scale X).
struct Placement {
  double scale = 1;
  Vector3 rotate{};  // axis times angle, rad
  Vector3 translate{};
};

// One value for all elements, a file with one for each, or one for each from its centroid in the body's own
// coordinates.
using ElementValues = std::variant<double, std::filesystem::path, Expression>;

// One energy of a material. Names are not compared with the energy's own here; a file has a number, or three, for each
// element of the region.
struct EnergySource {
  std::filesystem::path file;
  std::string name;       // in the file; "" where it defines one
  bool proximal = false;  // its Moreau envelope in its place
  std::vector<std::pair<std::string, std::variant<double, std::filesystem::path, Expression, Signal>>> parameters;
  std::vector<std::pair<std::string, std::variant<Vector3, std::filesystem::path, std::array<Expression, 3>>>>
      directions;
};

struct MaterialSource {
  std::string name;
  std::vector<EnergySource> energies;               // at least one; their sum acts
  bool listed = false;                              // written as a list, for the names of keys in messages
  std::optional<mesh::Shape> shape;                 // none: the solids of the mesh, else its triangles, else its edges
  std::vector<std::vector<std::int32_t>> stencils;  // of nodes of the mesh file, instead of elements
  ElementSelection region;
  std::optional<ElementValues> density;  // left out: none, which solids may not be
  double mass_damping = 0;               // 1/s
  ElementValues stiffness_damping{0.0};  // s
};

// Regions, vectors and numbers of nodes are those of its own mesh, before it is placed; velocities are in space.
struct BodySource {
  std::string name;  // "" for the only body of a scene in its short form
  std::string key;   // where it is in the scene, for messages: "", or "bodies[1]."
  MeshSource mesh;
  Placement place;
  std::vector<MaterialSource> materials;
  Vector3 velocity{}, angular_velocity{};  // on top of those of the scene
};

// Joins each node of `from` with the nearest of `to`.
struct SpringSource {
  std::string name;
  Selection from, to;
  double stiffness = 0;        // N/m
  std::optional<double> rest;  // m; none: the length at rest
};

// Ties each node to its place at rest, or all to one point.
struct AttachmentSource {
  std::string name;
  Selection select;
  double stiffness = 0;  // N/m
  std::optional<Vector3> to;
};

// Nodes held exactly: to one point, to the surface of a body, or, with neither, to where they are at rest.
struct TieSource {
  std::string name;
  Selection select;
  std::optional<Vector3> to;
  std::optional<std::string> to_body;
};

struct DirichletSource {
  Selection select;
  Vector3 pivot{};
  std::vector<KeyFrame> motion;
};

enum class Distribution : std::uint8_t {
  each,      // `force` is on each node
  total,     // shared equally by the nodes
  traction,  // per rest area of the surface between the nodes, Pa
};
struct ForceSource {
  Selection select;
  Vector3 force{};
  Distribution distribution = Distribution::each;
  double begin = 0, end = 0;
  Signal factor;  // none: 1
};

struct PressureSource {
  Selection select;
  Signal pressure;
};

struct FluidSource {
  Selection select;
  Hydrodynamics fluid;
};

struct SolverChoices {
  double tolerance = 0;
  std::string method;
  int window = 0, max_iterations = 0;
  int max_newton = 0, max_cg = 0;
  std::string contact;
  int max_contact = 0;
  bool factor_in_fp32 = false;
  int deflation = 0;   // slow modes, 0: none
  std::string device;  // "cpu", "cuda" or "auto"
  bool products_in_fp32 = false;
  int threads = 0;
};

struct AdjointChoices {
  double tolerance = 0;
  int max_cg = 0;
  std::string states;
  int every = 0;
  double memory = 0;  // bytes
  std::string hessian;
  bool estimate_errors = false;
};

struct OutputChoices {
  int every = 1;
  std::vector<std::string> fields;
  bool surface = false;
};

struct TrajectoryTerm {
  std::filesystem::path recording;  // a file or the folder of a run
  double noise = 0;                 // added to it, of the motion's size
  std::uint64_t seed = 0;
  std::optional<Selection> select{};  // the nodes that count; none: all
};
struct MarkersTerm {
  std::filesystem::path table;                  // of sightings
  std::optional<std::filesystem::path> attach;  // of where they sit at the start
  std::optional<double> attach_within;          // m; none: a share of the body
  double noise = 0;                             // as of a trajectory
  std::uint64_t seed = 0;
  TableReading reading{};  // of both tables
};
struct CentreOfMassTerm {
  Vector3 target{};
};
struct NodesTerm {
  Selection select;
  Vector3 displacement{};
};
struct FunctionTerm {
  FunctionSource function;  // of one output, a number
};
struct LossTerm {
  std::variant<TrajectoryTerm, MarkersTerm, CentreOfMassTerm, NodesTerm, FunctionTerm> what;
  std::optional<std::vector<int>> frames;  // increasing, each in 0..steps; none: 1..steps, or those of markers
  double weight = 1;
};

enum class Sharing { shared, per_material, per_element };

struct VariableChoice {
  std::string parameter;               // of the energy, or "density"; "" where `input` or `direction` says what
  std::string direction;               // a direction field of the energy, or ""
  std::string input;                   // a name of optimize::all_quantities, or ""
  int of = 0;                          // which of forces, pressures, hydrodynamics, dirichlet, bodies or obstacles
  std::vector<int> components, keys;   // of vectors: 0 to 2; of key frames and tables; empty: all
  std::optional<Selection> select;     // nodes of the rest shape
  bool around_start = false;           // the bounds count from the start
  std::vector<std::string> materials;  // empty: all that have it
  std::string controller;              // of whose function it is a parameter; "": of an energy
  std::string obstacle;                // of whose shape it is a parameter; "": of an energy
  std::vector<std::string> between;    // two names of a contact pair; none: all pairs
  Sharing sharing = Sharing::shared;
  std::optional<double> start, truth;
  double lower = 0, upper = 0;
  bool logarithmic = false;
};

struct OptimizeChoices {
  std::vector<VariableChoice> variables;
  std::string method;
  double learning_rate = 0, learning_decay = 0;
  int starts = 1;
  std::uint64_t seed = 0;
  int max_evaluations = 0, patience = 0;
  double gradient_tolerance = 0, decrease_tolerance = 0, loss_tolerance = 0;
};

struct GradcheckChoices {
  std::vector<std::string> inputs;
  std::uint64_t seed = 0;
  double tolerance = 0;
};

struct Scene {
  std::filesystem::path file;
  std::string
      resolved;  // the scene as JSON with all defaults and absolute paths, so that it can be read from elsewhere
  std::vector<BodySource> bodies;
  std::vector<SpringSource> springs;
  std::vector<AttachmentSource> attachments;
  std::vector<TieSource> ties;
  std::vector<DirichletSource> dirichlet;
  std::vector<ForceSource> forces;
  std::vector<PressureSource> pressures;
  std::vector<FluidSource> fluids;
  std::vector<ControllerSource> controllers;
  std::vector<ObstacleSource> obstacles;
  ContactSource contact;
  Vector3 gravity{}, velocity{}, angular_velocity{};
  Lumping lumping = Lumping::shared;
  double time_step = 0;
  int steps = 0, max_substeps = 0;
  Integrator integrator = Integrator::implicit_euler;
  SolverChoices solver;
  AdjointChoices adjoint;
  OutputChoices output;
  std::vector<LossTerm> loss;
  std::optional<OptimizeChoices> optimize;
  GradcheckChoices gradcheck;
};

// Throws Error naming the file and the key (see check_scene, parse_json), also for what the table of keys can't say:
// two materials of one name, a box whose corners are swapped, bounds that exclude the start, a step number beyond the
// last.
Scene read_scene(const std::filesystem::path& file);
// The same from the text of that file.
Scene parse_scene(const std::string& content, const std::filesystem::path& file);

}  // namespace proxima::model
