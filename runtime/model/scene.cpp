#include "runtime/model/scene.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/json_text.hpp"
#include "runtime/model/scene_values.hpp"
#include "runtime/model/schema.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The parts of a scene beside its bodies.
class Reader : SceneValues {
 public:
  Reader(Json scene, const fs::path& file) : SceneValues(file), scene_(std::move(scene)) {}

  Scene read() {
    Scene scene;
    scene.file = file();
    scene.time_step = scene_["time"]["step"];
    scene.steps = scene_["time"]["steps"];
    scene.integrator = integrator(scene_["time"]["integrator"]);
    scene.max_substeps = scene_["time"]["max_substeps"];
    scene.bodies = read_bodies(scene_, *this);
    read_springs(scene_, *this, scene);
    scene.ties = read_ties(scene_["ties"], *this);
    read_boundary(scene);
    read_surface_loads(scene);
    scene.controllers = read_controllers(scene_, *this);
    scene.obstacles = read_obstacles(scene_, *this);
    scene.contact = read_contact(scene_["contact"], *this);
    scene.gravity = scene_["gravity"];
    if (scene_["mass_lumping"] == "uniform") scene.lumping = Lumping::uniform;
    scene.velocity = scene_["initial"]["velocity"];
    scene.angular_velocity = scene_["initial"]["angular_velocity"];
    scene.solver = solver(scene_["solver"]);
    scene.adjoint = adjoint(scene_["adjoint"]);
    const Json& output = scene_["output"];
    scene.output = {output["every"], output["fields"], output["surface"]};
    for (std::size_t i = 0; i < scene_["loss"].size(); ++i) {
      scene.loss.push_back(loss(scene_["loss"][i], fmt::format("loss[{}]", i), scene.steps));
    }
    if (scene_.contains("optimize")) scene.optimize = optimize(scene_["optimize"], scene);
    const Json& check = scene_["gradcheck"];
    scene.gradcheck = {check["inputs"], check["seed"], check["tolerance"]};
    scene.resolved = scene_.dump(2) + "\n";
    return scene;
  }

 private:
  static Integrator integrator(const std::string& name) {
    return std::find_if(std::begin(integrators), std::end(integrators),
                        [&](const auto& row) { return row.name == name; })
        ->integrator;
  }

  void read_boundary(Scene& scene) {
    const Json& held = scene_["dirichlet"];
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto where = fmt::format("dirichlet[{}]", i);
      scene.dirichlet.push_back({selection(held[i]["select"], where + ".select"), held[i]["pivot"],
                                 motion(held[i]["motion"], where + ".motion")});
    }
    const Json& forces = scene_["forces"];
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const auto where = fmt::format("forces[{}]", i);
      const auto [key, distribution] = given_as(forces[i]);
      ForceSource source{selection(forces[i]["select"], where + ".select"),
                         forces[i][key],
                         distribution,
                         forces[i]["begin"],
                         std::numeric_limits<double>::infinity(),
                         {}};
      if (forces[i].contains("factor")) source.factor = signal(forces[i]["factor"], where + ".factor");
      if (forces[i].contains("end")) source.end = forces[i]["end"];
      if (source.end <= source.begin) refuse(where, "ends at {} s, before it begins at {} s", source.end, source.begin);
      scene.forces.push_back(std::move(source));
    }
  }

  static std::pair<const char*, Distribution> given_as(const Json& force) {
    for (const auto& [key, distribution] :
         {std::pair{"total", Distribution::total}, {"traction", Distribution::traction}})
      if (force.contains(key)) return {key, distribution};
    return {"force", Distribution::each};
  }

  void read_surface_loads(Scene& scene) {
    const Json& pressures = scene_["pressures"];
    for (std::size_t i = 0; i < pressures.size(); ++i) {
      const auto where = fmt::format("pressures[{}]", i);
      const Json& value = pressures[i];
      const bool varies = value.contains("keyframes");
      scene.pressures.push_back(
          {selection(value["select"], where + ".select"),
           varies ? signal(value["keyframes"], where + ".keyframes") : Signal{{0, value["value"].get<double>()}}});
    }
    const Json& fluids = scene_["hydrodynamics"];
    for (std::size_t i = 0; i < fluids.size(); ++i) {
      const auto where = fmt::format("hydrodynamics[{}]", i);
      const Json& value = fluids[i];
      scene.fluids.push_back({selection(value["select"], where + ".select"),
                              {value["density"], value["flow"], coefficients(value["drag"], where + ".drag"),
                               coefficients(value["thrust"], where + ".thrust")}});
    }
  }

  std::vector<Hydrodynamics::Coefficient> coefficients(const Json& list, const std::string& where) const {
    std::vector<Hydrodynamics::Coefficient> result;
    if (list.empty()) refuse(where, "is empty, at least one coefficient is needed");
    for (const Json& entry : list) {
      if (!result.empty() && entry["angle"] <= result.back().angle)
        refuse(where, "angle {} follows {}; angles must increase", entry["angle"].get<double>(), result.back().angle);
      result.push_back({entry["angle"], entry["value"]});
    }
    return result;
  }

  static SolverChoices solver(const Json& value) {
    return {value["tolerance"],        value["method"],    value["window"],  value["max_iterations"],
            value["max_newton"],       value["max_cg"],    value["contact"], value["max_contact"],
            value["factor"] == "fp32", value["deflation"], value["device"],  value["products"] == "fp32",
            value["threads"]};
  }

  static AdjointChoices adjoint(const Json& value) {
    return {value["tolerance"],
            value["max_cg"],
            value["states"],
            value["every"],
            1e6 * value["memory"].get<double>(),
            value["hessian"],
            value["estimate_errors"]};
  }

  std::vector<int> frames(const Json& value, const std::string& where, int steps) const {
    if (value == "last") return {steps};
    auto result = value.get<std::vector<int>>();
    if (result.empty()) refuse(where, "is empty, at least one step is needed");
    std::sort(result.begin(), result.end());
    if (std::adjacent_find(result.begin(), result.end()) != result.end()) refuse(where, "a step is listed twice");
    if (result.back() > steps) refuse(where, "step {} is after the last, {}", result.back(), steps);
    return result;
  }

  LossTerm loss(Json& value, const std::string& where, int steps) const {
    LossTerm term;
    term.weight = value["weight"];
    if (value["frames"] != "all") term.frames = frames(value["frames"], where + ".frames", steps);
    refuse_keys_of_others(value, where);
    if (value.contains("trajectory")) {
      TrajectoryTerm recorded{path(value["trajectory"]), value["noise"], value["seed"]};
      if (value.contains("select")) recorded.select = selection(value["select"], where + ".select");
      term.what = std::move(recorded);
    } else if (value.contains("markers")) {
      MarkersTerm seen{path(value["markers"]), {}, {}, value["noise"], value["seed"]};
      if (value.contains("attach")) seen.attach = path(value["attach"]);
      if (value.contains("attach_within")) seen.attach_within = value["attach_within"];
      seen.reading = reading(value, where);
      term.what = std::move(seen);
    } else if (value.contains("centre_of_mass")) {
      term.what = CentreOfMassTerm{value["centre_of_mass"]};
    } else if (value.contains("function")) {
      term.what = FunctionTerm{read_function(value["function"], *this, where + ".function")};
    } else {
      const Json& nodes = value["nodes"];
      term.what = NodesTerm{selection(nodes["select"], where + ".nodes.select"), nodes["displacement"]};
    }
    return term;
  }

  TableReading reading(const Json& value, const std::string& where) const {
    TableReading result;
    if (value.contains("length_unit")) result.length_unit = value["length_unit"];
    if (value.contains("starts_at")) result.starts_at = value["starts_at"];
    if (value.contains("ends_at")) result.ends_at = value["ends_at"];
    if (result.ends_at && *result.ends_at < result.starts_at.value_or(0))
      refuse(where + ".ends_at", "is before the motion starts, at {:g} s", result.starts_at.value_or(0));
    return result;
  }

  // What says something of some terms alone.
  void refuse_keys_of_others(const Json& value, const std::string& where) const {
    const bool recorded = value.contains("trajectory"), markers = value.contains("markers");
    if (value.contains("select") && !recorded) refuse(where + ".select", "is for a trajectory alone");
    if (value["noise"] != 0 && !recorded && !markers) refuse(where + ".noise", "is for a trajectory or markers alone");
    if (value["frames"] != "all" && markers)
      refuse(where + ".frames", "is not for markers, which have times of their own; leave rows out of their table");
    for (const char* key : {"attach", "attach_within", "length_unit", "starts_at", "ends_at"})
      if (value.contains(key) && !markers) refuse(fmt::format("{}.{}", where, key), "is for markers alone");
  }

  OptimizeChoices optimize(const Json& value, const Scene& scene) const {
    OptimizeChoices result{{},
                           value["method"],
                           value["learning_rate"],
                           value["learning_decay"],
                           value["starts"],
                           value["seed"],
                           value["max_evaluations"],
                           value["patience"],
                           value["gradient_tolerance"],
                           value["decrease_tolerance"],
                           value["loss_tolerance"]};
    if (scene.loss.empty()) refuse("loss", "is missing; optimize needs something to lower");
    if (value["variables"].empty()) refuse("optimize.variables", "is empty, at least one is needed");
    for (std::size_t i = 0; i < value["variables"].size(); ++i) {
      result.variables.push_back(variable(value["variables"][i], scene, fmt::format("optimize.variables[{}]", i)));
    }
    return result;
  }

  VariableChoice variable(const Json& value, const Scene& scene, const std::string& where) const {
    const std::string sharing = value["sharing"];
    VariableChoice result;
    if (value.contains("parameter")) result.parameter = value["parameter"];
    if (value.contains("direction")) result.direction = value["direction"];
    if (value.contains("input")) result.input = value["input"];
    result.of = value["of"];
    for (const std::string axis : value["components"]) result.components.push_back(axis[0] - 'x');
    result.keys = value["keys"].get<std::vector<int>>();
    if (value.contains("select")) result.select = selection(value["select"], where + ".select");
    result.around_start = value["bounds"] == "around_start";
    result.materials = value["materials"];
    result.controller = value["controller"];
    result.obstacle = value["obstacle"];
    result.between = value["between"].get<std::vector<std::string>>();
    if (!result.between.empty() && result.between.size() != 2)
      refuse(where + ".between", "has {} names; a pair has two", result.between.size());
    check_materials(result.materials, scene, where + ".materials");
    result.sharing = sharing == "shared"         ? Sharing::shared
                     : sharing == "per_material" ? Sharing::per_material
                                                 : Sharing::per_element;
    if (value.contains("start")) result.start = value["start"];
    if (value.contains("truth")) result.truth = value["truth"];
    result.lower = value["lower"];
    result.upper = value["upper"];
    result.logarithmic = value["scale"] == "log";
    if (!(result.lower < result.upper)) {
      refuse(where, "lower is {} and upper is {}; lower must be below upper", result.lower, result.upper);
    }
    if (result.around_start && !(result.lower <= 0 && result.upper >= 0))
      refuse(where, "lower is {} and upper is {}; counted from the start they must lie around 0", result.lower,
             result.upper);
    if (result.around_start && result.logarithmic)
      refuse(where, "bounds around the start do not go with \"scale\": \"log\"");
    const double from = result.around_start && result.start ? *result.start : 0;
    if (result.start && !(result.lower + from <= *result.start && *result.start <= result.upper + from)) {
      refuse(where, "start is {}, outside its bounds {} and {}", *result.start, result.lower, result.upper);
    }
    if (result.logarithmic && !(result.lower > 0)) {
      refuse(where, "lower is {}; with \"scale\": \"log\" it must be above 0", result.lower);
    }
    return result;
  }

  void check_materials(const std::vector<std::string>& names, const Scene& scene, const std::string& where) const {
    std::vector<std::string> known;
    for (const auto& body : scene.bodies)
      for (const auto& material : body.materials) known.push_back(material.name);
    for (const auto& spring : scene.springs) known.push_back(spring.name);
    for (const auto& attachment : scene.attachments) known.push_back(attachment.name);
    for (const auto& name : names) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const auto nearest = nearest_name(name, known);
      if (!nearest.empty()) refuse(where, "there is no material '{}'; did you mean '{}'?", name, nearest);
      refuse(where, "there is no material '{}'; there are {}", name, fmt::join(known, ", "));
    }
  }

  Json scene_;
};

}  // namespace

Scene read_scene(const fs::path& file) { return parse_scene(read_file(file), file); }

Scene parse_scene(const std::string& content, const fs::path& file) {
  Json scene = parse_json(content, file.string());
  check_scene(scene, file.string());
  return Reader(std::move(scene), file).read();
}

}  // namespace proxima::model
